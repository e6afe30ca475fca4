import { afterEach, expect, it } from 'vitest';
import { CancellationToken } from 'vscode-languageserver/node';
import { systemClock } from '../../../server/common/clock';
import { silentLog } from '../../../server/common/log';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import { seedCluster } from '../../../server/demo/seed';
import { connect } from '../../../server/etcd/connect';
import { createFeatureChecker } from '../../../server/etcd/features';
import { ConnectionHolder } from '../../../server/features/connectionHolder';
import { registerList } from '../../../server/features/list';
import type { SendEvents } from '../../../server/features/listEvents';
import { OpenConnection } from '../../../server/features/openConnection';
import { CacheDesk } from '../../../server/features/watchCaches/cacheDesk';
import { createRouter } from '../../../server/features/router';
import type { ListDone } from '../../../server/protocol/model';
import { createStoreMetrics } from '../../../server/metrics/storeMetrics';
import { query } from '../client/support';

const undoing: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of undoing.splice(0).reverse()) await undo();
});

async function listing(sendEvents: SendEvents) {
  const etcd = await startDemoEtcd();
  undoing.push(() => etcd.stop());
  await seedCluster(etcd.store, { pods: 2000 });
  const holder = new ConnectionHolder(() => undefined);
  undoing.push(() => {
    holder.end();
  });
  holder.trust();
  const opening = (_: AbortSignal, onChange: () => void) =>
    Promise.resolve(
      new OpenConnection({
        name: 'x',
        reader: connect({ endpoints: [etcd.endpoint] }),
        root: '/registry',
        access: { endpoints: [etcd.endpoint] },
        isDemo: false,
        features: createFeatureChecker(systemClock),
        clock: systemClock,
        onChange,
      }),
    );
  await holder.replace('x', opening, new AbortController().signal);
  const handlers = new Map<string, (...given: unknown[]) => Promise<unknown>>();
  const router = createRouter(
    { onRequest: (method, handler) => handlers.set(method, handler) },
    { fault: () => undefined, failure: () => undefined },
  );
  const metrics = createStoreMetrics();
  registerList(router, {
    holder,
    sendEvents,
    onTaken: () => undefined,
    startProgress: () => ({
      signal: new AbortController().signal,
      report: () => undefined,
      end: () => undefined,
    }),
    clock: systemClock,
    log: silentLog,
    metrics,
    caches: new CacheDesk({
      limitMiB: () => 256,
      gate: () => true,
      send: () => undefined,
      ...{ clock: systemClock, log: silentLog, metrics },
    }),
  });
  const params = { listId: 'l', follow: true, confirmed: false };
  const asked = { ...params, query: { ...query, labelSelector: '', limit: '500' } };
  return handlers.get('etcdList/list')?.(asked, CancellationToken.None) as Promise<ListDone>;
}

it.each([
  ['the first batch of rows', 0],
  ['a later one', 2],
])('a list whose events cannot be sent says why: %s', async (_, after) => {
  let batches = 0;
  const done = await listing((events) => {
    const hasRows = events.some(({ body }) => body.kind === 'rows');
    if (hasRows) batches += 1;
    return batches > after
      ? Promise.reject(new RangeError('Invalid string length'))
      : Promise.resolve();
  });
  expect(done.failure).toEqual({
    code: 'internal',
    sentence:
      'The list stopped, since what it read could not be handed over (Invalid string length): run it again, with a smaller limit.',
  });
  expect(done.total.requests).toBeGreaterThan(0);
  expect(batches).toBe(after + 1);
});
