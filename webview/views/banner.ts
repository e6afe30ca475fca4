/** Above the results: the server is gone, or something outside of a list failed. */
import type { Failure } from '../../server/protocol/errors';
import { h, replaceChildren, setHidden } from '../dom';
import type { Controller } from '../controller';
import { saysServerGone } from '../serverState';
import type { PanelState } from '../state';
import { button } from '../toolkit';
import type { View } from './view';

function serverBanner(state: PanelState, controller: Controller): HTMLElement | null {
  if (state.server === 'up' || saysServerGone(state)) return null;
  const gone = state.server === 'gone';
  const text = gone
    ? (state.serverFailure?.sentence ?? 'The language server ended. It is being started again…')
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

/** What could not be connected is said once: by the empty state, where that is seen. */
function troubleOf({ trouble, status, run, tab, trusted }: PanelState): Failure | null {
  const isSaidBelow =
    run === null &&
    tab === 'rows' &&
    trusted &&
    status.state === 'disconnected' &&
    status.failure?.sentence === trouble?.sentence;
  return isSaidBelow ? null : trouble;
}

function troubleBanner(failure: Failure | null, controller: Controller): HTMLElement | null {
  if (!failure) return null;
  const dismiss = button('Dismiss', () => {
    controller.store.dispatch({ type: 'trouble', failure: null });
  });
  return h(
    'div',
    // What was stopped is no fault.
    { class: failure.code === 'cancelled' ? 'banner' : 'banner trouble' },
    h('p', {}, failure.sentence),
    h('div', { class: 'actions' }, dismiss.element),
  );
}

export function bannerView(controller: Controller): View {
  const element = h('div', { class: 'banners' });
  let shown: readonly unknown[] | undefined;
  return {
    element,
    update(state) {
      const trouble = troubleOf(state);
      const next = [state.server, state.serverFailure, saysServerGone(state), trouble];
      if (shown && next.every((value, index) => value === shown?.[index])) return;
      shown = next;
      const banners = [serverBanner(state, controller), troubleBanner(trouble, controller)];
      replaceChildren(element, ...banners);
      setHidden(
        element,
        banners.every((banner) => banner === null),
      );
    },
  };
}
