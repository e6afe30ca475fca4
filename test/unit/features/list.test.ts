import { afterEach, expect, it } from 'vitest';
import { CancellationToken } from 'vscode-languageserver/node';
import { utf8 } from '../../../server/common/bytes';
import { systemClock } from '../../../server/common/clock';
import { silentLog } from '../../../server/common/log';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import { seedCluster } from '../../../server/demo/seed';
import { connect } from '../../../server/etcd/connect';
import { createFeatureChecker } from '../../../server/etcd/features';
import { ConnectionHolder } from '../../../server/features/connectionHolder';
import { engineGates } from '../../../server/features/engineGates';
import { registerList } from '../../../server/features/list';
import type { SendEvents } from '../../../server/features/listEvents';
import { OpenConnection } from '../../../server/features/openConnection';
import { CacheDesk } from '../../../server/features/watchCaches/cacheDesk';
import { createRouter } from '../../../server/features/router';
import { ServerSettings } from '../../../server/features/settings';
import type { ListDone } from '../../../server/protocol/model';
import { createStoreMetrics } from '../../../server/metrics/storeMetrics';
import { query } from '../client/support';

const undoing: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of undoing.splice(0).reverse()) await undo();
});

async function listing(sendEvents: SendEvents, resource = query.resource, given: object = {}) {
  const etcd = await startDemoEtcd();
  undoing.push(() => etcd.stop());
  await seedCluster(etcd.store, { pods: 2000 });
  for (const name of ['a', 'b']) {
    etcd.store.put(utf8(`/registry/leases/kube-system/${name}`), utf8('{"kind":'));
  }
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
  const settings = new ServerSettings(() => undefined);
  settings.take(given);
  const metrics = createStoreMetrics();
  registerList(router, {
    holder,
    settings,
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
      gates: () => engineGates(holder, settings),
      send: () => undefined,
      ...{ clock: systemClock, log: silentLog, metrics },
    }),
  });
  const params = { listId: 'l', follow: true, confirmed: false };
  const asked = { ...params, query: { ...query, resource, labelSelector: '', limit: '500' } };
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

it('objects that cannot be read are collected unless the gate is off', async () => {
  const sentenceWith = async (given: object): Promise<string | undefined> =>
    (await listing(() => Promise.resolve(), 'leases', given)).failure?.sentence;
  const first = '/registry/leases/kube-system/a cannot be read: ';
  const both =
    /kube-system\/a cannot be read: .*; \/registry\/leases\/kube-system\/b cannot be read: .* without them\.$/;
  expect(await sentenceWith({})).toMatch(both);
  const featureGates = { AllowUnsafeMalformedObjectDeletion: false };
  const alone = await sentenceWith({ featureGates });
  expect([alone?.startsWith(first), both.test(alone ?? '')]).toEqual([true, false]);
});
