/** Explain of the panel, over the language server as a process of its own. */
import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import type { ExplainParams } from '../../server/protocol/explain';
import { startRecordingProxy } from '../support/recordingProxy';
import { connectTo, query, refusalOf, useServer } from './client';

const server = useServer();

const params = (over: Partial<ExplainParams> = {}): ExplainParams => ({
  query: query({ labelSelector: 'app=nginx', limit: '5' }),
  follow: true,
  measure: false,
  given: { keys: '', matchRate: '', objectSize: '', clustered: false },
  ...over,
});

it('tells the decision without a connection, and what it costs by hand', async () => {
  const client = await server.start();
  const plain = await client.request('etcdList/explainList', params());
  expect(plain).toMatchObject({ way: 'watchCache', notes: [] });
  expect(plain.estimate).toBeUndefined();
  expect(plain.chains.map(({ title }) => title)).toEqual([
    'Steps of Kubernetes 1.37 (k8s.io/apiserver v0.37.2)',
    'Where it goes to etcd',
    'The requests after it',
  ]);
  expect(plain.chains[0]?.steps.find(({ otherwise }) => otherwise !== undefined)?.text).toMatch(
    /^Likely, /,
  );
  const given = { keys: '50000', matchRate: '1%', objectSize: '2KiB', clustered: false };
  const hundred = query({ labelSelector: 'app=nginx', limit: '100' });
  const { estimate } = await client.request(
    'etcdList/explainList',
    params({ given, query: hundred }),
  );
  expect(estimate?.rows.find(({ name }) => name === 'atEtcd')).toMatchObject({
    requests: { likely: 7, low: 7, high: 7 },
    keys: { likely: 12_700 },
  });
  expect(estimate?.series.map(({ name, count }) => [name, count])).toEqual([
    ['doubling', 7],
    ['naive', 100],
    ['stream', 84],
  ]);
});

it('tells the decision of the version and the gates that the settings name', async () => {
  const client = await server.start({ kubernetesVersion: '1.30' });
  const { chains, way } = await client.request('etcdList/explainList', params());
  expect([way, chains[0]?.title]).toEqual([
    'etcdPages',
    'Steps of Kubernetes 1.30 (k8s.io/apiserver v0.30.14)',
  ]);
});

it('says what is wrong in one sentence', async () => {
  const client = await server.start();
  const wrong = async (over: Partial<ExplainParams>): Promise<string> => {
    const { failure } = await refusalOf(client.request('etcdList/explainList', params(over)));
    return failure.sentence;
  };
  const given = { keys: 'many', matchRate: '', objectSize: '', clustered: false };
  expect(await wrong({ given })).toBe('"many" is no number of keys: write digits.');
  expect(await wrong({ query: query({ resource: ' ' }) })).toMatch(/^No resource is chosen/);
  expect(await wrong({ measure: true })).toMatch(/connect/i);
  const refused = await client.request(
    'etcdList/explainList',
    params({ query: query({ labelSelector: 'a in (b' }), given: { ...given, keys: '5' } }),
  );
  expect(refused).toMatchObject({ way: 'refused', alternatives: [] });
  expect(refused.estimate).toBeUndefined();
});

it('reads nothing unasked, and a bounded sample when it is asked to measure', async () => {
  const etcd = await startDemoEtcd();
  server.after(() => etcd.stop());
  for (let i = 1; i <= 400; i++) {
    const name = `p-${String(i).padStart(5, '0')}`;
    const metadata = { namespace: 'a', name, labels: { app: i % 40 === 0 ? 'nginx' : 'other' } };
    const object = { apiVersion: 'v1', kind: 'Pod', metadata };
    etcd.store.put(Buffer.from(`/registry/pods/a/${name}`), Buffer.from(JSON.stringify(object)));
  }
  const proxy = await startRecordingProxy(etcd.endpoint);
  server.after(() => proxy.close());
  const client = await server.start();
  await connectTo(client, proxy.endpoint);
  proxy.clear();
  await client.request('etcdList/explainList', params());
  expect(proxy.calls).toEqual([]);
  const { estimate } = await client.request('etcdList/explainList', params({ measure: true }));
  expect(proxy.calls.map(({ method }) => method)).toEqual(['Range', 'Range']);
  expect(estimate?.stored).toMatch(/^400 keys of about .*, of which 10 match$/);
  expect(estimate?.rows.find(({ name }) => name === 'atEtcd')).toMatchObject({
    requests: { likely: 6, low: 6, high: 6 },
    examined: { likely: 200, low: 200, high: 200 },
  });
  const done = await client.request('etcdList/list', {
    listId: 'l',
    query: params().query,
    follow: false,
    confirmed: true,
  });
  expect(done.total).toMatchObject({ requests: 6, examined: 200, fetched: 315, returned: 5 });
});
