import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { decodeRange } from '../support/rangeRequest';
import { startRecordingProxy } from '../support/recordingProxy';
import { connectTo, useServer } from './client';

const server = useServer();

it('names to suggest cost keys-only reads: one of one key a prefix, and one of definitions', async () => {
  const etcd = await startDemoEtcd();
  server.after(() => etcd.stop());
  const { counts } = await seedCluster(etcd.store, { pods: 100 });
  const proxy = await startRecordingProxy(etcd.endpoint);
  server.after(() => proxy.close());
  const client = await server.start();
  await connectTo(client, proxy.endpoint);
  proxy.clear();

  const entries = await client.request('etcdList/resources', null);
  const stored = entries.flatMap((entry) => (entry.stored ? [entry.name] : []));
  expect(stored).toEqual(expect.arrayContaining(['pods', 'secrets', 'widgets.example.com']));
  expect(new Set(proxy.methods())).toEqual(new Set(['Range']));
  const ranges = proxy.calls.map(({ requests }) => decodeRange(requests[0] ?? Buffer.alloc(0)));
  expect(ranges.every(({ keysOnly }) => keysOnly)).toBe(true);
  const ofOneKey = ranges.filter(({ limit }) => limit === 1n);
  expect(ofOneKey).toHaveLength(counts.size + 1);
  expect(ranges).toHaveLength(ofOneKey.length + 1);
});

it('a key named as the root hides nothing of what is stored', async () => {
  const etcd = await startDemoEtcd();
  server.after(() => etcd.stop());
  await seedCluster(etcd.store, { pods: 20 });
  etcd.store.put(Buffer.from('/registry/'), Buffer.from('x'));
  const client = await server.start();
  await connectTo(client, etcd.endpoint);
  const entries = await client.request('etcdList/resources', null);
  const stored = entries.flatMap((entry) => (entry.stored ? [entry.name] : []));
  expect(stored).toEqual(expect.arrayContaining(['pods', 'secrets', 'widgets.example.com']));
});
