/** Tabs with a roving tab stop, after the ARIA tabs pattern; a tab shows its panel when it is focused. */
import { h, setAttribute, setHidden } from '../dom';
import type { Controller } from '../controller';
import type { PanelTab } from '../../server/protocol/panel';
import type { PanelState } from '../state';
import type { View } from './view';

export interface TabPart {
  readonly tab: PanelTab;
  readonly title: string;
  readonly view: View;
  /** Whether there is such a tab now; always where nothing is said. */
  readonly isThere?: (state: PanelState) => boolean;
}

function panelOf({ tab, view }: TabPart): HTMLElement {
  return h(
    'div',
    { role: 'tabpanel', id: `panel-${tab}`, class: 'tab-panel', 'aria-labelledby': `tab-${tab}` },
    view.element,
  );
}

export function tabsView(controller: Controller, parts: readonly TabPart[]): View {
  const tabs = parts.map(({ tab, title }) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${tab}`,
        class: 'tab',
        'aria-controls': `panel-${tab}`,
      },
      title,
    ),
  );
  const panels = parts.map(panelOf);
  const show = (index: number): void => {
    const part = parts[index];
    if (!part) return;
    controller.store.dispatch({ type: 'tab', tab: part.tab });
    tabs[index]?.focus();
  };
  /** Counts from a tab over those that are there, round and round. */
  const showFrom = (index: number, step: number): void => {
    const there = parts.flatMap((_, at) => (tabs[at]?.hidden === false ? [at] : []));
    const place = there.indexOf(index) + step + there.length;
    show(there[place % there.length] ?? index);
  };
  const list = h('div', { role: 'tablist', class: 'tab-list', 'aria-label': 'Results' }, ...tabs);
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => {
      show(index);
    });
    tab.addEventListener('keydown', ({ key }) => {
      if (key === 'ArrowRight') showFrom(index, 1);
      else if (key === 'ArrowLeft') showFrom(index, -1);
      else if (key === 'Home') show(0);
      else if (key === 'End') showFrom(0, -1);
    });
  });
  return {
    element: h('section', { class: 'results', 'aria-label': 'Results' }, list, ...panels),
    update(state, previous) {
      parts.forEach(({ tab, view, isThere }, index) => {
        const isShown = state.tab === tab;
        const [button, panel] = [tabs[index], panels[index]];
        if (!button || !panel) return;
        setAttribute(button, 'aria-selected', String(isShown));
        setAttribute(button, 'tabindex', isShown ? 0 : -1);
        setHidden(button, isThere?.(state) === false);
        setHidden(panel, !isShown);
        view.update(state, previous);
      });
    },
  };
}
