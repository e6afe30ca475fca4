/** A context that keeps what is written, for tests of the command line's parts. */
import { Readable } from 'node:stream';
import type { Context } from '../../../server/cli/context';
import { makeStyle } from '../../../server/cli/style';

export interface KeptContext {
  readonly context: Context;
  readonly rows: string[];
  readonly notes: string[];
  readonly statuses: string[];
  readonly stop: AbortController;
}

export function keptContext(extra: Partial<Context> = {}): KeptContext {
  const rows: string[] = [];
  const notes: string[] = [];
  const statuses: string[] = [];
  const stop = new AbortController();
  const context: Context = {
    env: {},
    clock: { now: () => 0, monotonic: () => 0 },
    rows: {
      isTTY: false,
      columns: undefined,
      write: (text) => {
        rows.push(text);
        return Promise.resolve();
      },
    },
    notes: {
      isTTY: false,
      columns: undefined,
      line: (text) => {
        notes.push(text);
      },
      status: (text) => {
        statuses.push(text);
      },
      clearStatus: () => undefined,
    },
    style: makeStyle(false),
    signal: stop.signal,
    invocation: { program: 'etcd-list', argv: ['get', 'pods'] },
    stdin: Readable.from([]),
    rowStyle: makeStyle(false),
    askSecret: () => Promise.reject(new Error('nobody to ask')),
    readFile: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' })),
    ...extra,
  };
  return { context, rows, notes, statuses, stop };
}
