import { describe, expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { etcdMissing, etcdVersions, startEtcd } from '../support/etcdServer';
import { connectTo, list, refusalOf, rowsOf, useServer } from './client';

const server = useServer();

const pod = (name: string, color: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'a', name, labels: { color } },
  });
const keyOf = (name: string): string => `/registry/pods/a/${name}`;

it('opens nothing over another connection than the one whose list it was in', async () => {
  const [one, other] = [await startDemoEtcd(), await startDemoEtcd()];
  server.after(() => Promise.all([one.stop(), other.stop()]));
  for (const etcd of [one, other])
    etcd.store.put(Buffer.from(keyOf('x')), Buffer.from(pod('x', 'red')));
  const client = await server.start();
  const before = await connectTo(client, one.endpoint);
  const number = before.state === 'connected' ? before.connectionNumber : undefined;
  const key = Buffer.from(keyOf('x')).toString('hex');
  const params = { key, revision: '', resource: 'pods', reveal: true };
  const open = () =>
    client.request('etcdList/openObject', { ...params, connectionNumber: number ?? -1 });
  expect(await open()).toMatchObject({ connectionNumber: number });
  // Also when it has the same name.
  await connectTo(client, other.endpoint);
  const calls = other.calls.length;
  expect((await refusalOf(open())).failure).toEqual({
    code: 'badRequest',
    sentence:
      'The connection has changed since this object was listed: list again, and open it from there.',
  });
  expect(other.calls).toHaveLength(calls);
  expect((await client.request('etcdList/openObject', params)).connectionNumber).not.toBe(number);
});

it('masks a Secret under whatever key, also in a list and damaged', async () => {
  const etcd = await startDemoEtcd();
  server.after(() => etcd.stop());
  const client = await server.start();
  await connectTo(client, etcd.endpoint);
  const item = { kind: 'Secret', data: { password: 'hunter2' } };
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'SecretList', items: [item] });
  const key = Buffer.from('/registry/example.com/things/a');
  for (const value of [list, list.slice(0, -1)]) {
    etcd.store.put(key, Buffer.from(value));
    const open = (reveal: boolean) =>
      client.request('etcdList/openObject', {
        key: key.toString('hex'),
        revision: '',
        resource: '',
        reveal,
      });
    const shown = await open(false);
    expect(shown).toMatchObject({ masked: true });
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    expect(await open(true)).toMatchObject({
      masked: false,
      text: expect.stringContaining('hunter2') as string,
    });
  }
});

describe.each(etcdVersions.map((version) => ({ version })))('etcd $version', ({ version }) => {
  it.skipIf(etcdMissing(version))(
    'opens the latest state of a row once its revision is compacted',
    async () => {
      const etcd = await startEtcd(version);
      server.after(() => etcd.stop());
      const { writer } = etcd;
      await writer.put(keyOf('changed'), pod('changed', 'old'));
      await writer.put(keyOf('deleted'), pod('deleted', 'old'));
      const client = await server.start();
      await connectTo(client, etcd.endpoint);
      const { total } = await list(client);
      const revision = total.resourceVersion ?? '';
      const [changed, deleted] = rowsOf(client).map(({ key }) => key);
      const open = (key = '') =>
        client.request('etcdList/openObject', { key, revision, resource: 'pods', reveal: false });

      await writer.put(keyOf('changed'), pod('changed', 'new'));
      const latest = await writer.delete(keyOf('deleted'));
      expect(await open(changed)).toMatchObject({
        warning: '',
        text: expect.stringContaining('color: old') as string,
      });
      expect((await open(deleted)).text).toContain('color: old');

      await writer.compact(latest);
      expect(await open(changed)).toMatchObject({
        warning: `Revision ${revision} is compacted: this is the latest state.`,
        text: expect.stringContaining('color: new') as string,
      });
      const { failure } = await refusalOf(open(deleted));
      expect(failure).toMatchObject({
        code: 'badRequest',
        sentence: `Revision ${revision} is compacted, and there is no object ${keyOf('deleted')} any more: it was deleted since; list again.`,
      });
    },
  );
});
