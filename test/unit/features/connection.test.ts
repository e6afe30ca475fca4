import { expect, it, vi } from 'vitest';
import { CancellationToken } from 'vscode-languageserver/node';
import { systemClock } from '../../../server/common/clock';
import { silentLog } from '../../../server/common/log';
import { registerConnection } from '../../../server/features/connection';
import { ConnectionHolder } from '../../../server/features/connectionHolder';
import { createRouter } from '../../../server/features/router';
import { ServerSettings } from '../../../server/features/settings';

it('a demo that cannot be connected to is stopped', async () => {
  const handlers = new Map<string, (...given: unknown[]) => Promise<unknown>>();
  const router = createRouter(
    { onRequest: (method, handler) => handlers.set(method, handler) },
    { fault: () => undefined, failure: () => undefined },
  );
  const holder = new ConnectionHolder(() => undefined);
  holder.trust();
  const stop = vi.fn();
  registerConnection(router, {
    holder,
    openReader: () => {
      throw new Error('no reader');
    },
    readFile: () => Promise.reject(new Error('no file')),
    startDemo: () => Promise.resolve({ endpoint: '127.0.0.1:1', stop, onEnded: () => undefined }),
    startProgress: () => ({
      signal: new AbortController().signal,
      report: () => undefined,
      end: () => undefined,
    }),
    settings: new ServerSettings(() => undefined),
    clock: systemClock,
    log: silentLog,
  });
  const connect = handlers.get('etcdList/connectDemo');
  await expect(connect?.({ pods: 1 }, CancellationToken.None)).rejects.toThrow('no reader');
  expect(stop).toHaveBeenCalledTimes(1);
});
