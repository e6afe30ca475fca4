import { expect, it, vi } from 'vitest';
import type { LogOutputChannel } from 'vscode';
import { TraceChannel } from '../../../../client/lsp/traceChannel';

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = () => undefined;
  },
  LogLevel: { Info: 3, Trace: 1 },
}));

it('throws nothing at the language client, whatever is traced', () => {
  const lines: string[] = [];
  const log = { name: 'etcd LIST', info: (text: string) => lines.push(text) };
  const channel = new TraceChannel(log as unknown as LogOutputChannel, () => 'verbose');
  channel.trace('a', Object.create(null));
  channel.trace('Params:', '{"password":"hunter2"}');
  expect(lines).toEqual([
    'trace: (a message that cannot be traced)',
    'trace: Params: {"password":"(not traced)"}',
  ]);
});
