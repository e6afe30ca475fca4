/** What the status bar item's menu offers. */
import type { Command } from '../../server/protocol/names';
import * as names from '../../server/protocol/names';
import type { StatusFacts } from './statusText';

export interface MenuItem {
  readonly label: string;
  readonly detail?: string;
  readonly command: Command;
}

export function menuItems({ status }: StatusFacts, gateOn: boolean): readonly MenuItem[] {
  const { commands } = names;
  const isConnected = status.state === 'connected';
  return [
    { label: '$(list-tree) List resources', command: commands.listResources },
    ...(isConnected
      ? [
          {
            label: '$(refresh) Probe again',
            detail: 'Asks every member for its version, and whether RangeStream is there',
            command: commands.probe,
          },
        ]
      : []),
    {
      label: `$(${gateOn ? 'circle-slash' : 'check'}) Turn RangeStream ${gateOn ? 'off' : 'on'}`,
      detail: `The gate EtcdRangeStream is ${gateOn ? 'on' : 'off'}`,
      command: commands.toggleRangeStream,
    },
    { label: '$(plug) Connection…', command: commands.connect },
    ...(status.state === 'disconnected'
      ? []
      : [{ label: '$(debug-disconnect) Disconnect', command: commands.disconnect }]),
    { label: '$(output) Show log', command: commands.showLog },
  ];
}
