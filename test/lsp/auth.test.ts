import { describe, expect, it } from 'vitest';
import type { ConnectionStatus } from '../../server/protocol/model';
import { etcdMissing, etcdVersions, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { startRecordingProxy } from '../support/recordingProxy';
import { waitFor } from '../support/waitFor';
import { list, refusalOf, rowsOf, useServer, type Client } from './client';

const server = useServer();

const wrongPassword = (endpoint: string) => ({
  code: 'etcd',
  sentence: `etcd at ${endpoint} does not accept this user name and password: check both.`,
  needs: 'password',
});

const pods = 300;

/** Root's password is `correct horse`; `reader` with `battery` may read pods alone. */
async function guarded(
  version: (typeof etcdVersions)[number],
  tokenTtl?: number,
): Promise<RunningEtcd> {
  const etcd = await startEtcd(version, {
    auth: {
      rootPassword: 'correct horse',
      users: [{ name: 'reader', password: 'battery', readPrefix: '/registry/pods/' }],
      ...(tokenTtl !== undefined && { tokenTtl }),
    },
  });
  server.after(() => etcd.stop());
  await etcd.writer.bulkLoad(
    Array.from({ length: pods }, (_, i) => {
      const name = `p-${String(i).padStart(4, '0')}`;
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', name } };
      return [`/registry/pods/a/${name}`, JSON.stringify(pod)] as const;
    }),
  );
  return etcd;
}

const connectAs = (client: Client, { endpoint }: RunningEtcd, user?: string, password?: string) =>
  client.request('etcdList/connect', {
    connection: { name: 'guarded', endpoints: [endpoint], ...(user !== undefined && { user }) },
    ...(password !== undefined && { password }),
  });

const everyText = (client: Client): string =>
  JSON.stringify([client.statuses, client.events, client.logged, client.stderr()]);

describe.each(etcdVersions.map((version) => ({ version })))(
  'etcd $version with authentication',
  ({ version }) => {
    it.skipIf(etcdMissing(version))('takes the right password alone', async () => {
      const etcd = await guarded(version);
      const client = await server.start();
      const wrong = wrongPassword(etcd.endpoint);
      for (const [user, password] of [
        ['root', undefined],
        ['root', ''],
        ['root', 'incorrect horse'],
        ['nobody', 'correct horse'],
      ] as const) {
        const { failure } = await refusalOf(connectAs(client, etcd, user, password));
        expect([user, password, failure]).toEqual([user, password, wrong]);
        expect(await client.request('etcdList/status', null)).toEqual({
          state: 'disconnected',
          failure: wrong,
        });
      }
      const status = await connectAs(client, etcd, 'root', 'correct horse');
      expect(status).toMatchObject({ state: 'connected', members: [{ problem: '' }] });
      const done = await list(client);
      expect(done.failure).toBeUndefined();
      expect(done.total.returned).toBe(pods);
      expect(everyText(client)).not.toMatch(/horse/);
    });

    it.skipIf(etcdMissing(version))('says that it wants a user', async () => {
      const etcd = await guarded(version);
      const client = await server.start();
      // Before 3.6 etcd tells anybody its version, and only reads need a user.
      const failure = await connectAs(client, etcd).then(
        async () => (await list(client)).failure,
        async (error: unknown) => (await refusalOf(Promise.reject(error as Error))).failure,
      );
      expect(failure).toEqual({
        code: 'etcd',
        sentence: `etcd at ${etcd.endpoint} requires a user and none is configured: set a user name and password ("user" of the connection in etcdList.connections; the password is asked for).`,
      });
    });

    it.skipIf(etcdMissing(version))('names what a user may not read', async () => {
      const etcd = await guarded(version);
      const client = await server.start();
      const status = await connectAs(client, etcd, 'reader', 'battery');
      const answer = version === '3.7' ? 'supported' : 'notSupported';
      expect(status).toMatchObject({ state: 'connected', rangeStream: { answer } });
      expect((await list(client)).total.returned).toBe(pods);
      const refused = (place: string) => ({
        code: 'etcd',
        sentence: `The etcd user "reader" may not read ${place} at ${etcd.endpoint}: ask for a role that grants reading it.`,
      });
      for (const limit of ['', '10']) {
        const done = await list(client, { resource: 'secrets', limit });
        expect(done.failure).toEqual(refused('/registry/secrets/…'));
        expect(done.total).toMatchObject({
          returned: 0,
          error: { code: 'permissionDenied' },
        });
      }
      expect((await refusalOf(client.request('etcdList/resources', null))).failure).toEqual(
        refused('/registry/…'),
      );
      expect((await refusalOf(client.request('etcdList/namespaces', null))).failure).toEqual(
        refused('/registry/namespaces/…'),
      );
      const key = '/registry/secrets/a/b';
      const open = client.request('etcdList/openObject', {
        key: Buffer.from(key).toString('hex'),
        revision: '',
        resource: 'secrets',
        reveal: false,
      });
      expect((await refusalOf(open)).failure).toEqual(refused(key));
    });

    it.skipIf(etcdMissing(version))('asks again for a password changed meanwhile', async () => {
      const etcd = await guarded(version);
      const client = await server.start();
      await connectAs(client, etcd, 'reader', 'battery');
      expect((await list(client)).failure).toBeUndefined();
      await etcd.writer.changePassword('reader', 'staple');
      const done = await list(client);
      expect(done.failure).toEqual(wrongPassword(etcd.endpoint));
      expect(done.total).toMatchObject({ returned: 0, error: { code: 'authentication' } });
      const probed = (await client.request('etcdList/probe', null)) as Extract<
        ConnectionStatus,
        { state: 'connected' }
      >;
      expect(probed.members[0]?.problem).toBe(wrongPassword(etcd.endpoint).sentence);
      await connectAs(client, etcd, 'reader', 'staple');
      expect((await list(client)).total.returned).toBe(pods);
      expect(everyText(client)).not.toMatch(/battery|staple/);
    });
  },
);

describe.skipIf(etcdMissing('3.6'))('a token', () => {
  it('that ends in the middle of a list is renewed, and the list misses nothing', async () => {
    const etcd = await guarded('3.6');
    const proxy = await startRecordingProxy(etcd.endpoint);
    server.after(() => proxy.close());
    const client = await server.start();
    await connectAs(client, { ...etcd, endpoint: proxy.endpoint }, 'reader', 'battery');
    client.events.splice(0);
    proxy.clear();
    const running = list(client, { limit: '1', readMode: 'pages' }, { follow: true });
    // A password that is set anew, be it the same, ends the tokens that were given for it.
    for (const rows of [1, 50, 100]) {
      await waitFor(() => rowsOf(client).length >= rows);
      await etcd.writer.changePassword('reader', 'battery');
    }
    const done = await running;
    expect(proxy.methods()).toContain('Authenticate');
    expect(
      proxy.calls.filter(({ method, status }) => method === 'Range' && status !== 0),
    ).not.toEqual([]);
    expect(done.failure).toBeUndefined();
    expect(done.total).toMatchObject({ returned: pods, requests: pods });
    expect(new Set(rowsOf(client).map(({ key }) => key)).size).toBe(pods);
  });

  it('whose password is gone in the middle ends the list, and its rows stand', async () => {
    const etcd = await guarded('3.6');
    const proxy = await startRecordingProxy(etcd.endpoint);
    server.after(() => proxy.close());
    const client = await server.start();
    await connectAs(client, { ...etcd, endpoint: proxy.endpoint }, 'reader', 'battery');
    client.events.splice(0);
    const running = list(client, { limit: '1', readMode: 'pages' }, { follow: true });
    await waitFor(() => rowsOf(client).length > 0);
    await etcd.writer.changePassword('reader', 'staple');
    const done = await running;
    expect(done.failure).toEqual(wrongPassword(proxy.endpoint));
    expect(done.total.returned).toBe(rowsOf(client).length);
    expect(done.total.returned).toBeLessThan(pods);
  });
});
