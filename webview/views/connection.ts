/** Which etcd is asked: a status dot, its name, and a menu to change it. */
import { h } from '../dom';
import type { Controller } from '../controller';
import { nameOf, type PanelState } from '../state';
import { trustAction } from './failure';
import { menuButton, type MenuEntry } from './menu';
import type { View } from './view';

export function connectionText({ status }: PanelState): string {
  switch (status.state) {
    case 'disconnected':
      return 'not connected';
    case 'connecting':
      return `connecting to ${status.name}…`;
    case 'connected':
      return status.name;
  }
}

/** Whether the connected etcd did not answer when it was asked last. */
export function isUnreachable({ status }: PanelState): boolean {
  if (status.state !== 'connected') return false;
  const { unreachable, members } = status;
  return (
    unreachable === true || (members.length > 0 && members.every(({ problem }) => problem !== ''))
  );
}

function entries(state: PanelState, controller: Controller): readonly MenuEntry[] {
  const { status, connections } = state;
  const isConnected = status.state === 'connected';
  const isDemo = isConnected && status.isDemo;
  const log = {
    text: 'Show log',
    act: () => {
      controller.showLog();
    },
  };
  if (!state.trusted) return [trustAction(controller), log];
  const named = connections.map((name) => ({
    text: name,
    checked: isConnected && !isDemo && nameOf(status) === name,
    act: () => void controller.connect({ name }),
  }));
  return [
    ...named,
    {
      text: 'Demo cluster',
      detail: 'nothing to configure',
      checked: isDemo,
      act: () => void controller.connect('demo'),
    },
    null,
    { text: 'Add connection…', act: () => void controller.connect('add') },
    ...(status.state === 'disconnected'
      ? []
      : [{ text: 'Disconnect', act: () => void controller.connect('disconnect') }]),
    log,
  ];
}

export function connectionView(controller: Controller): View {
  const menu = menuButton({
    text: '',
    label: 'Connection',
    className: 'connection',
    entries: () => entries(controller.store.state, controller),
  });
  const dot = h('span', { class: 'dot', 'aria-hidden': 'true' });
  menu.button.prepend(dot);
  return {
    element: menu.element,
    update(state, previous) {
      if (state.status === previous?.status) return;
      const unreachable = isUnreachable(state);
      dot.className = `dot ${unreachable ? 'warning' : state.status.state}`;
      menu.setText(connectionText(state));
      menu.setRemark(unreachable ? 'etcd does not answer' : '');
    },
  };
}
