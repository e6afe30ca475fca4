/** Above the results: the server is gone, or something outside of a list failed. */
import type { Failure } from '../../server/protocol/errors';
import { h, replaceChildren, setHidden } from '../dom';
import type { Controller } from '../controller';
import type { PanelState } from '../state';
import { button } from '../toolkit';
import type { View } from './view';

function serverBanner(state: PanelState, controller: Controller): HTMLElement | null {
  if (state.server === 'up') return null;
  const gone = state.server === 'gone';
  const text = gone
    ? 'The language server ended. It is being started again…'
    : 'The language server ended and runs again. Rows already shown stand.';
  const log = button('Show log', () => {
    controller.showLog();
  }).element;
  const again = button(
    'Rerun',
    () => {
      controller.startAgain();
    },
    'primary',
  ).element;
  return h(
    'div',
    { class: 'banner' },
    h('p', {}, text),
    h('div', { class: 'actions' }, ...(gone ? [log] : [again, log])),
  );
}

function troubleBanner(failure: Failure | null, controller: Controller): HTMLElement | null {
  if (!failure) return null;
  const dismiss = button('Dismiss', () => {
    controller.store.dispatch({ type: 'trouble', failure: null });
  });
  return h(
    'div',
    { class: 'banner trouble' },
    h('p', {}, failure.sentence),
    h('div', { class: 'actions' }, dismiss.element),
  );
}

export function bannerView(controller: Controller): View {
  const element = h('div', { class: 'banners' });
  return {
    element,
    update(state, previous) {
      if (state.server === previous?.server && state.trouble === previous.trouble) return;
      const banners = [serverBanner(state, controller), troubleBanner(state.trouble, controller)];
      replaceChildren(element, ...banners);
      setHidden(
        element,
        banners.every((banner) => banner === null),
      );
    },
  };
}
