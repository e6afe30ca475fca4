import { expect, it, vi } from 'vitest';
import { CancellationToken } from 'vscode-languageserver/node';
import { systemClock } from '../../../server/common/clock';
import { silentLog } from '../../../server/common/log';
import { registerConnection, type ConnectionDeps } from '../../../server/features/connection';
import type { ReaderConfig } from '../../../server/features/connectionConfig';
import { ConnectionHolder } from '../../../server/features/connectionHolder';
import { createRouter } from '../../../server/features/router';
import { ServerSettings } from '../../../server/features/settings';

function registered(parts: Partial<ConnectionDeps>) {
  const handlers = new Map<string, (...given: unknown[]) => Promise<unknown>>();
  const router = createRouter(
    { onRequest: (method, handler) => handlers.set(method, handler) },
    { fault: () => undefined, failure: () => undefined },
  );
  const holder = new ConnectionHolder(() => undefined);
  holder.trust();
  registerConnection(router, {
    holder,
    openReader: () => {
      throw new Error('no reader');
    },
    readFile: () => Promise.reject(new Error('no file')),
    startDemo: () => Promise.reject(new Error('no demo')),
    startProgress: () => ({
      signal: new AbortController().signal,
      report: () => undefined,
      end: () => undefined,
    }),
    settings: new ServerSettings(() => undefined),
    clock: systemClock,
    log: silentLog,
    ...parts,
  });
  return handlers;
}

it('a deadline that is changed holds for the connection that is open', async () => {
  const settings = new ServerSettings(() => undefined);
  const opened: ReaderConfig[] = [];
  const handlers = registered({
    settings,
    openReader: (config) => {
      opened.push(config);
      throw new Error('no reader');
    },
  });
  const connection = { name: 'a', endpoints: ['127.0.0.1:1'] };
  const connect = handlers.get('etcdList/connect');
  await expect(connect?.({ connection }, CancellationToken.None)).rejects.toThrow('no reader');
  const deadline = (): unknown => {
    const given = opened[0]?.deadlineMs;
    return typeof given === 'function' ? given() : given;
  };
  expect(deadline()).toBe(60_000);
  settings.take({ deadlineSeconds: 5 });
  expect(deadline()).toBe(5_000);
});

it('a demo that cannot be connected to is stopped', async () => {
  const stop = vi.fn();
  const handlers = registered({
    startDemo: () => Promise.resolve({ endpoint: '127.0.0.1:1', stop, onEnded: () => undefined }),
  });
  const connect = handlers.get('etcdList/connectDemo');
  await expect(connect?.({ pods: 1 }, CancellationToken.None)).rejects.toThrow('no reader');
  expect(stop).toHaveBeenCalledTimes(1);
});
