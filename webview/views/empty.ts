/** The first step, where there are no rows yet. */
import { h, replaceChildren, setHidden } from '../dom';
import type { Controller } from '../controller';
import type { PanelState } from '../state';
import { button } from '../toolkit';
import { connectActions, trustAction } from './failure';
import type { View } from './view';

function untrusted(controller: Controller): HTMLElement {
  const { text, act } = trustAction(controller);
  return h(
    'div',
    {},
    h('p', { class: 'empty-title' }, 'The network is off'),
    h(
      'p',
      {},
      'This workspace is not trusted, so nothing is read from etcd. Trust the workspace to connect. The Token tab works without.',
    ),
    h('div', { class: 'actions' }, button(text, act, 'primary').element),
  );
}

function connecting(): HTMLElement {
  return h('div', {}, h('p', { class: 'empty-title' }, 'Connecting…'));
}

function disconnected(state: PanelState, controller: Controller): HTMLElement {
  const failure = state.status.state === 'disconnected' ? state.status.failure : undefined;
  const actions = connectActions(controller).map(({ text, act }, index) => {
    return button(text, act, index === 0 ? 'primary' : 'secondary').element;
  });
  return h(
    'div',
    {},
    h('p', { class: 'empty-title' }, failure ? 'Not connected' : 'See what a LIST costs'),
    h(
      'p',
      {},
      failure?.sentence ??
        'Connect to an etcd to list Kubernetes resources as kube-apiserver does, and watch every round trip. Everything is read-only.',
    ),
    h('div', { class: 'actions' }, ...actions),
  );
}

function connected(controller: Controller): HTMLElement {
  const { resource } = controller.store.state.query;
  const name = resource === '' ? 'pods' : resource;
  const start = button(
    `List ${name}`,
    () => void controller.run('fresh', false, { resource: name }),
    'primary',
  );
  return h(
    'div',
    {},
    h('p', { class: 'empty-title' }, 'Ready'),
    h(
      'p',
      {},
      'Choose a resource, type a selector, and run. Nothing is read before that but the names to choose from, once you enter their box.',
    ),
    h('div', { class: 'actions' }, start.element),
  );
}

export function emptyView(controller: Controller): View {
  const element = h('div', { class: 'empty' });
  const relevant = (state: PanelState): readonly unknown[] => [
    state.ready,
    state.run === null,
    state.status.state,
    state.status.state === 'disconnected' ? state.status.failure : undefined,
    state.trusted,
    state.connections,
    state.query.resource,
  ];
  return {
    element,
    update(state, previous) {
      const before = previous ? relevant(previous) : [];
      if (relevant(state).every((value, index) => value === before[index])) return;
      setHidden(element, state.run !== null);
      if (!state.ready || state.run) replaceChildren(element);
      else if (!state.trusted) replaceChildren(element, untrusted(controller));
      else if (state.status.state === 'connected') replaceChildren(element, connected(controller));
      else if (state.status.state === 'connecting') replaceChildren(element, connecting());
      else replaceChildren(element, disconnected(state, controller));
    },
  };
}
