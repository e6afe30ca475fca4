import { describe, expect, it } from 'vitest';
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
