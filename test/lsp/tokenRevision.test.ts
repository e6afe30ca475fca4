import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { connectTo, useServer, type Client } from './client';

const server = useServer();
const place = { resource: 'pods', namespace: '' };

const edited = (client: Client, resourceVersion: string, start = 'web/a\\x00') =>
  client.request('etcdList/encodeToken', {
    version: 'meta.k8s.io/v1',
    resourceVersion,
    start,
    ...place,
  });

async function decoded(client: Client, resourceVersion: string, start?: string) {
  const { token: text } = await edited(client, resourceVersion, start);
  return client.request('etcdList/decodeToken', { text, askEtcd: true, ...place });
}

it('it is said why it is not known whether the revision of a token is compacted', async () => {
  const client = await server.start();
  expect((await decoded(client, '1')).compactedUnknown).toBe('no etcd is connected');

  const etcd = await startDemoEtcd();
  const stopped = { yet: false };
  const stop = async (): Promise<void> => {
    if (stopped.yet) return;
    stopped.yet = true;
    await etcd.stop();
  };
  server.after(stop);
  etcd.store.put(Buffer.from('/registry/pods/web/a'), Buffer.from('{}'));
  await connectTo(client, etcd.endpoint);

  const there = await decoded(client, '1');
  expect(there.compacted).toBe(false);
  expect(there).not.toHaveProperty('compactedUnknown');
  expect(there).not.toHaveProperty('notReached');
  expect(await decoded(client, '999999')).toMatchObject({
    compactedUnknown: 'etcd has not reached the revision yet',
    notReached: true,
  });
  expect((await decoded(client, '-1')).compactedUnknown).toBe('the token names no revision');
  expect((await decoded(client, '1', '../a')).compactedUnknown).toBe('the token is refused');
  expect((await edited(client, '1')).compactedUnknown).toBe(
    'etcd is not asked about edited fields',
  );
  await stop();
  expect((await decoded(client, '1')).compactedUnknown).toBe('etcd did not answer');
});
