import { expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { connectTo, list, query, useServer } from './client';

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
