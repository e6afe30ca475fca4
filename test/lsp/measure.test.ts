import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { startRecordingProxy } from '../support/recordingProxy';
import { connectTo, query, refusalOf, useServer } from './client';

const server = useServer();

const pod = (i: number): readonly [string, string] => {
  const name = `p-${String(i).padStart(5, '0')}`;
  const metadata = { namespace: i % 2 === 0 ? 'a' : 'b', name };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { note: 'x'.repeat(900) } };
  return [`/registry/pods/${metadata.namespace}/${name}`, JSON.stringify(object)];
};

/** So many Pods behind a proxy that records what is asked, and a client that is connected to it. */
async function recorded(pods: number, byteBudgetMiB?: number) {
  const etcd = await startDemoEtcd();
  server.after(() => etcd.stop());
  for (let i = 0; i < pods; i++) {
    const [key, value] = pod(i);
    etcd.store.put(Buffer.from(key), Buffer.from(value));
  }
  const proxy = await startRecordingProxy(etcd.endpoint);
  server.after(() => proxy.close());
  const client = await server.start(byteBudgetMiB === undefined ? {} : { byteBudgetMiB });
  await connectTo(client, proxy.endpoint);
  proxy.clear();
  return { proxy, client };
}

it('a read of everything is counted by one small request before anybody is asked', async () => {
  const { proxy, client } = await recorded(1000, 8);
  const all = await client.request('etcdList/measure', query({ limit: '', readMode: 'pages' }));
  expect(all).toMatchObject({ keys: '1000', budget: 8 * 1024 ** 2, streams: false });
  expect(all.bytes).toBeGreaterThan(900_000);
  expect(all.bytes).toBeLessThan(1_400_000);
  expect(proxy.calls.map(({ method }) => method)).toEqual(['Range']);
  expect(proxy.calls[0]?.replyLengths[0]).toBeLessThan(140_000);
  for (const readMode of ['auto', 'stream'] as const) {
    const streamed = await client.request('etcdList/measure', query({ limit: '', readMode }));
    expect(streamed).toEqual({ ...all, budget: -1, streams: true });
  }
  const some = await client.request('etcdList/measure', query({ limit: '', namespace: 'a' }));
  expect(some.keys).toBe('500');
  const none = await client.request('etcdList/measure', query({ limit: '', namespace: 'none' }));
  expect(none).toMatchObject({ keys: '0', bytes: 0 });
});

it('the read that measured a list is the first of its receipt, and of no other list’s', async () => {
  const { proxy, client } = await recorded(300);
  const unlimited = { limit: '', readMode: 'pages' } as const;
  await client.request('etcdList/measure', query(unlimited));
  const params = { query: query(unlimited), follow: false, confirmed: true };
  const measured = { ...params, measured: true };
  const done = await client.request('etcdList/list', { ...measured, listId: 'list' });
  const requests = client.events.flatMap(({ body }) =>
    body.kind === 'request' && body.done ? [body.request] : [],
  );
  expect(requests.map(({ n, limit, keys }) => [n, limit, keys])).toEqual([
    [1, 100, 100],
    [2, 0, 300],
  ]);
  expect(proxy.calls.map(({ method }) => method)).toEqual(['Range', 'Range']);
  expect(done.total).toMatchObject({ requests: 2, fetched: 300, returned: 300 });
  const again = await client.request('etcdList/list', { ...measured, listId: 'again' });
  expect(again.total.requests).toBe(1);
  // Measured, not wished for, and another list in its place.
  await client.request('etcdList/measure', query(unlimited));
  for (const listId of ['other', 'next']) {
    const other = await client.request('etcdList/list', { ...params, listId });
    expect(other.total.requests).toBe(1);
  }
});

/** Pods of more than a mebibyte, the smallest budget, behind a proxy that records what is asked. */
async function overBudget() {
  const { proxy, client } = await recorded(2000, 1);
  const list = async (listId: string, over: Partial<ReturnType<typeof query>> = {}) => {
    const asked = query({ limit: '', readMode: 'pages', ...over });
    const how = { listId, follow: false, confirmed: false, measured: true };
    const { total, failure } = await client.request('etcdList/list', { query: asked, ...how });
    expect(failure?.code).toBe('overBudget');
    const limits = client.events.flatMap(({ listId: id, body }) =>
      id === listId && body.kind === 'request' && body.done ? [body.request.limit] : [],
    );
    expect(total.requests).toBe(limits.length);
    return { limits, sentence: failure?.sentence };
  };
  return { client, proxy, list };
}

it('what was measured is not measured again to refuse it', async () => {
  const { client, proxy, list } = await overBudget();
  const { keys } = await client.request(
    'etcdList/measure',
    query({ limit: '', readMode: 'pages' }),
  );
  const { limits, sentence } = await list('refused');
  expect(limits).toEqual([100]);
  expect(proxy.calls).toHaveLength(1);
  expect([keys, sentence]).toEqual(['2000', expect.stringContaining('reading 2,000 keys')]);
  // It was told: the next list finds out for itself.
  expect((await list('alone')).limits).toEqual([0, 100]);
});

it('what was measured says nothing of other keys, nor of another revision', async () => {
  const { client, list } = await overBudget();
  const measure = (over: Partial<ReturnType<typeof query>> = {}) =>
    client.request('etcdList/measure', query({ limit: '', readMode: 'pages', ...over }));
  await measure({ resource: 'nodes' });
  expect((await list('pods')).limits).toEqual([0, 100]);
  await measure();
  const exact = { resourceVersion: '1900', resourceVersionMatch: 'Exact' } as const;
  const pinned = await list('pinned', exact);
  expect(pinned.limits).toEqual([100, 0, 100]);
  expect(pinned.sentence).not.toContain('2,000 keys');
});

it('without a connection nothing is counted', async () => {
  const client = await server.start();
  const { failure } = await refusalOf(client.request('etcdList/measure', query()));
  expect(failure.code).toBe('notConnected');
});
