import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import type { WatchCacheInfo } from '../../server/protocol/watchCache';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import { waitFor } from '../support/waitFor';
import {
  connectTo,
  list,
  query,
  refusalOf,
  rowsOf,
  useServer,
  type Client,
  type StartOptions,
} from './client';

const server = useServer();

const pod = (name: string, namespace = 'web'): readonly [Buffer, Buffer] => {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } };
  return [Buffer.from(`/registry/pods/${namespace}/${name}`), Buffer.from(JSON.stringify(object))];
};

/** Fifty pods; the caches as they were told, the latest last. */
async function started(options: StartOptions = {}) {
  const etcd = await startDemoEtcd();
  server.after(() => etcd.stop());
  for (let i = 0; i < 50; i++) etcd.store.put(...pod(`p-${i}`, i % 2 === 0 ? 'web' : 'api'));
  const proxy = await startRecordingProxy(etcd.endpoint);
  server.after(() => proxy.close());
  const client = await server.start(options);
  const told: (readonly WatchCacheInfo[])[] = [];
  client.rpc.onNotification('etcdList/watchCaches', (caches: WatchCacheInfo[]) => {
    told.push(caches);
  });
  await connectTo(client, proxy.endpoint);
  return { etcd, proxy, client, latest: () => told.at(-1) };
}

const cached = { serveFrom: 'watchCache' } as const;
const confirmed = { confirmed: true };

/** Calls of Watch that are not over. */
const openWatches = ({ calls }: RecordingProxy): number =>
  calls.filter(({ method, endedAt }) => method === 'Watch' && endedAt === undefined).length;

const noticesOf = (client: Client): string[] =>
  client.events.flatMap(({ body }) => (body.kind === 'notice' ? [body.text] : []));

it('is filled for the list that asks for it, ignores the limit with resourceVersion=0, and follows writes', async () => {
  const { etcd, client, latest, proxy } = await started();
  const asked = { ...cached, limit: '5', resourceVersion: '0' };
  const done = await list(client, asked, confirmed);
  expect(done.failure).toBeUndefined();
  expect(done.total).toMatchObject({
    ...{ returned: 50, servedBy: 'watchcache', requests: 0, continue: '' },
  });
  expect(rowsOf(client)).toHaveLength(50);
  expect(noticesOf(client).join()).toContain('the watch cache ignores the limit of 5');
  expect(done.commands.etcdList).toContain(' --serve-from=watch-cache');
  expect(done.commands.apiPath).toBe('/api/v1/pods?limit=5&resourceVersion=0');
  await waitFor(() => latest()?.[0]?.state === 'ready', { what: 'the cache, told as ready' });
  expect(latest()).toMatchObject([
    { resource: 'pods', objects: 50, limitBytes: 256 * 1024 ** 2, snapshots: 1 },
  ]);
  etcd.store.put(...pod('new'));
  await waitFor(() => latest()?.[0]?.objects === 51, { what: 'the write in the cache' });
  proxy.clear();
  const web = await list(client, { ...asked, namespace: 'web' }, { listId: 'web' });
  expect(web.total).toMatchObject({ returned: 26, servedBy: 'watchcache' });
  expect(rowsOf(client, 'web').map(({ name }) => name)).toContain('new');
  expect(proxy.calls).toEqual([]);
  // Any other list obeys its limit.
  const page = await list(client, { ...cached, limit: '5' }, { listId: 'page' });
  expect(page.total).toMatchObject({ returned: 5, remainingItemCount: 46 });
});

it('is counted and asked about before it is filled, and not while it runs', async () => {
  const { client } = await started();
  const asked = query({ ...cached, limit: '5', namespace: 'web' });
  expect(await client.request('etcdList/check', asked)).toMatchObject({ fillsCache: true });
  const measure = await client.request('etcdList/measure', asked);
  expect(measure).toMatchObject({ keys: '50', budget: 256 * 1024 ** 2 });
  expect(measure.bytes).toBeGreaterThan(50 * 2_700);
  const { failure } = await refusalOf(list(client, asked));
  expect(failure.sentence).toMatch(/^No watch cache of pods runs, and one is filled only when/);
  const done = await list(client, asked, confirmed);
  expect(done.total).toMatchObject({ returned: 5, servedBy: 'watchcache' });
  const check = await client.request('etcdList/check', { ...asked, limit: '' });
  expect(check.fillsCache).toBeUndefined();
  expect(check.unlimited).toBe(false);
});

it.each([
  [true, 'watchcache'],
  [false, 'etcd'],
])('with ListFromCacheSnapshot %s a continue token is served by the %s', async (on, servedBy) => {
  const { client } = await started({ featureGates: { ListFromCacheSnapshot: on } });
  const first = await list(client, { ...cached, limit: '5' }, confirmed);
  expect(first.total).toMatchObject({ returned: 5, servedBy: 'watchcache' });
  const next = { ...cached, limit: '5', continueToken: first.total.continue };
  const { total } = await list(client, next, { listId: 'next' });
  expect([total.returned, total.servedBy ?? 'etcd']).toEqual([5, servedBy]);
  expect(noticesOf(client).join().includes('This list was passed on to etcd')).toBe(!on);
});

it.each(['stopWatchCache', 'disconnect'] as const)('%s ends its watch', async (how) => {
  const { client, proxy, latest } = await started();
  await list(client, cached, confirmed);
  const open = (): number => openWatches(proxy);
  expect(open()).toBe(1);
  await waitFor(() => latest()?.length === 1, { what: 'the cache, told of' });
  if (how === 'disconnect') await client.request('etcdList/disconnect', null);
  else await client.request('etcdList/stopWatchCache', { resource: 'pods' });
  await waitFor(() => open() === 0, { what: 'the end of the watch' });
  await waitFor(() => latest()?.length === 0, { what: 'that no cache runs, told' });
  if (how === 'disconnect') return;
  const { failure } = await refusalOf(list(client, cached));
  expect(failure.sentence).toMatch(/^No watch cache of pods runs/);
});

it('one that is too large for its limit is refused with the numbers', async () => {
  const { client, etcd, latest, proxy } = await started({ watchCacheMiB: 1 });
  for (let i = 0; i < 500; i++) etcd.store.put(...pod(`more-${i}`));
  const { failure } = await refusalOf(list(client, cached, confirmed));
  expect(failure.code).toBe('overBudget');
  expect(failure.sentence).toMatch(
    /^Too large for its limit: a watch cache of 550 objects would take about 1\.\d MiB, more than its limit of 1 MiB\. Raise the setting etcdList\.watchCache\.memoryLimitMiB/,
  );
  expect(proxy.calls.map(({ method }) => method)).not.toContain('Watch');
  expect(latest() ?? []).toEqual([]);
});

it('a list that is stopped while it waits ends the filling', async () => {
  const { client, proxy } = await started();
  const stop = new CancellationTokenSource();
  stop.cancel();
  const { failure } = await refusalOf(list(client, cached, confirmed, stop.token));
  expect(failure.code).toBe('cancelled');
  await waitFor(() => openWatches(proxy) === 0, { what: 'the end of the watch' });
});

it('is refused where the workspace is not trusted, for a prefix, and where objects are left out', async () => {
  const untrusted = await server.start({ trusted: false });
  const refused = await refusalOf(list(untrusted, cached, confirmed));
  expect(refused.failure.code).toBe('untrusted');
  const { client } = await started();
  const prefix = await refusalOf(
    list(client, { ...cached, resource: '/registry/pods/' }, confirmed),
  );
  expect(prefix.failure.sentence).toMatch(/^A watch cache holds a resource/);
  const skip = await refusalOf(list(client, { ...cached, skipUnreadable: true }, confirmed));
  expect(skip.failure.sentence).toMatch(/^Leaving out unreadable objects does not go/);
});
