import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { waitFor } from '../support/waitFor';
import { connectTo, list, query, refusalOf, useServer } from './client';

const server = useServer();

it('a list that is refused before anything is sent says nothing about an etcd that is gone', async () => {
  const etcd = await startDemoEtcd();
  const client = await server.start({ deadlineSeconds: 3 });
  await connectTo(client, etcd.endpoint);
  await etcd.stop();
  expect((await list(client)).failure?.code).toBe('etcd');
  const gone = await client.request('etcdList/status', null);
  expect(gone).toMatchObject({ rangeStream: { answer: 'unknown' } });
  const refused = await list(client, { resourceVersion: 'x' });
  expect(refused.failure?.code).toBe('badRequest');
  expect(refused.total.requests).toBe(0);
  expect(await client.request('etcdList/status', null)).toEqual(gone);
});

it.each([
  ['etcdList/measure', query({ limit: '' })],
  ['etcdList/openObject', { key: '2f72', revision: '', resource: 'pods', reveal: false }],
  ['etcdList/forecastWays', { query: query({ limit: '10' }), toTheEnd: false }],
] as const)('%s says that etcd is gone, and that it is there again', async (method, params) => {
  const etcd = await startDemoEtcd();
  etcd.store.put(Buffer.from('/r'), Buffer.from('x'));
  const client = await server.start({ deadlineSeconds: 3 });
  await connectTo(client, etcd.endpoint);
  const unreachable = async () => {
    const status = await client.request('etcdList/status', null);
    return status.state === 'connected' ? (status.unreachable ?? false) : undefined;
  };
  await etcd.stop();
  expect(await unreachable()).toBe(false);
  expect((await refusalOf(client.request(method, params as never))).failure.code).toBe('etcd');
  expect(await unreachable()).toBe(true);
  const again = await startDemoEtcd({ port: Number(etcd.endpoint.split(':')[1]) });
  again.store.put(Buffer.from('/r'), Buffer.from('x'));
  await waitFor(() => client.request(method, params as never).then(() => true), {
    timeoutMs: 30_000,
    what: 'an answer',
  });
  expect(await unreachable()).toBe(false);
  await again.stop();
});

it('a token is inspected for whatever resource a list takes', async () => {
  const client = await server.start();
  const resource = `/${'r'.repeat(4000)}/`;
  const { problems } = await client.request('etcdList/check', query({ resource }));
  expect(problems).toEqual([]);
  const facts = await client.request('etcdList/decodeToken', {
    text: 'abc',
    resource,
    namespace: '',
    askEtcd: false,
  });
  expect(facts.verdict).toBe('notAToken');
});
