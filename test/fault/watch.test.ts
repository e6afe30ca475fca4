/** A feed over etcds that refuse it, that lose members, and that come back with another history. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { utf8, utf8Lossy } from '../../server/common/bytes';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { connect, type ConnectionConfig } from '../../server/etcd/connect';
import { EtcdError } from '../../server/etcd/errors';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { StoreError } from '../../server/store/errors';
import { certificatesMissing, makeCertificates } from '../support/certificates';
import {
  etcdMissing,
  etcdVersions,
  freePorts,
  startEtcd,
  type EtcdVersion,
  type RunningEtcd,
} from '../support/etcdServer';
import { startFaultProxy } from '../support/faultProxy';
import { follow } from '../support/followedFeed';
import { testFeeds } from '../support/testFeed';
import { waitFor } from '../support/waitFor';

function connected(config: ConnectionConfig): EtcdReader {
  const reader = connect(config);
  onTestFinished(() => {
    reader.close();
  });
  return reader;
}

async function failureOf(ended: Promise<unknown>): Promise<{ store: StoreError; etcd: EtcdError }> {
  const store = await ended;
  if (store instanceof StoreError && store.cause instanceof EtcdError) {
    return { store, etcd: store.cause };
  }
  throw new Error(`expected a failure of etcd, got ${String(store)}`);
}

describe.each(etcdVersions)('a feed over etcd %s with authentication', (version) => {
  it.skipIf(etcdMissing(version))(
    'ends at once where the user may not read, and when the password is no longer right',
    async () => {
      const user = { name: 'web', password: 'web-secret', readPrefix: '/registry/pods/' };
      const etcd = await startEtcd(version, {
        auth: { rootPassword: 'root-secret', users: [user] },
      });
      onTestFinished(() => etcd.stop());
      const proxy = await startFaultProxy(etcd.endpoint);
      onTestFinished(() => proxy.close());
      const auth = { username: user.name, password: user.password };
      const reader = connected({ endpoints: [proxy.endpoint], auth });

      const secrets = testFeeds({ etcd: reader, resourcePrefix: '/secrets' });
      for (const afterRevision of [0n, 1n]) {
        const { store, etcd: cause } = await failureOf(
          follow(secrets, { afterRevision }, 1n).ended,
        );
        expect([store.code, cause.code]).toEqual(['etcd', 'permissionDenied']);
        expect(cause.denied?.user).toBe('web');
        expect(utf8Lossy(cause.denied?.key ?? new Uint8Array(0))).toBe('/registry/secrets/');
      }

      const interruptions: string[] = [];
      const following = follow(testFeeds({ etcd: reader }), {
        onInterrupted: ({ error }) => interruptions.push(error.message),
      });
      await following.until(await etcd.writer.put('/registry/pods/a', '1'));
      await etcd.writer.changePassword(user.name, 'another');
      proxy.cut();
      const { store, etcd: cause } = await failureOf(following.ended);
      expect([store.code, cause.code]).toEqual(['etcd', 'authentication']);
      expect(interruptions).toHaveLength(1);
      expect(JSON.stringify([store, store.message, cause.message])).not.toContain('secret');
    },
  );
});

describe.skipIf(etcdMissing('3.6') || certificatesMissing())('a feed over TLS', () => {
  it('ends at once where the certificate is not trusted', async () => {
    const certificates = makeCertificates();
    onTestFinished(() => {
      certificates.remove();
    });
    const etcd = await startEtcd('3.6', { tls: { certificates, mode: 'server' } });
    onTestFinished(() => etcd.stop());
    await etcd.writer.put('/registry/pods/a', '1');
    const over = (ca: string): EtcdReader =>
      connected({ endpoints: [etcd.url], tls: { rootCertificate: readFileSync(ca) } });
    const right = follow(testFeeds({ etcd: over(certificates.ca) }));
    await right.until(await etcd.writer.put('/registry/pods/a', '2'));
    for (const afterRevision of [0n, 1n]) {
      const feeds = testFeeds({ etcd: over(certificates.wrongCa) });
      const { store, etcd: cause } = await failureOf(follow(feeds, { afterRevision }, 1n).ended);
      expect([store.code, cause.code]).toEqual(['etcd', 'tls']);
    }
  });
});

/** etcd's setting of how often it tells of progress by itself. */
const noticeFlag: Readonly<Record<EtcdVersion, string>> = {
  '3.4': '--experimental-watch-progress-notify-interval',
  '3.6': '--watch-progress-notify-interval',
  '3.7': '--watch-progress-notify-interval',
};

describe.each(etcdVersions)('a feed over etcd %s that tells of progress often', (version) => {
  it.skipIf(etcdMissing(version))('tells it after the events, and goes on behind it', async () => {
    const etcd = await startEtcd(version, { extraArgs: [`${noticeFlag[version]}=100ms`] });
    onTestFinished(() => etcd.stop());
    const proxy = await startFaultProxy(etcd.endpoint);
    onTestFinished(() => proxy.close());
    const following = follow(testFeeds({ etcd: connected({ endpoints: [proxy.endpoint] }) }));
    await following.until(1n);
    // A change at or before a revision told as progress would break the fold.
    for (let i = 0; i < 300; i++) {
      const resource = i % 3 === 0 ? 'pods' : 'elsewhere';
      await etcd.writer.put(`/registry/${resource}/${String(i % 5)}`, String(i));
    }
    const elsewhere = await etcd.writer.put('/registry/elsewhere/a', 'last');
    await following.until(elsewhere);

    // Only progress told so far is kept by etcd, so a watch that went on before it would be 410.
    await proxy.refuse();
    proxy.cut();
    const kept = await etcd.writer.put('/registry/elsewhere/a', 'later');
    await etcd.writer.compact(elsewhere);
    await proxy.heal();
    await following.until(kept);
    expect(following.state.changes).toHaveLength(100);
  });
});

describe('a feed over an etcd that was restored', () => {
  async function start(revision: number, port = 0): Promise<DemoEtcd> {
    const demo = await startDemoEtcd({ port });
    onTestFinished(() => demo.stop());
    while (demo.store.revision < BigInt(revision))
      demo.store.put(utf8('/registry/pods/a'), utf8('x'));
    return demo;
  }

  it('says that the revision went back, and to what', async () => {
    const before = await start(50);
    const reader = connected({ endpoints: [before.endpoint] });
    const following = follow(testFeeds({ etcd: reader }));
    await following.until(50n);
    await before.stop();
    await start(40, Number(before.endpoint.split(':')[1]));
    expect(await following.ended).toMatchObject({
      code: 'otherHistory',
      message:
        "etcd's revision went back from 50 to 40, as after a restore from a backup: " +
        'what the watch has told holds no more, begin anew',
    });
  });
});

/** Three members that know each other, in the order of their endpoints. */
async function startCluster(version: EtcdVersion): Promise<RunningEtcd[]> {
  const ports = await freePorts(3);
  const urls = ports.map((port) => `http://127.0.0.1:${String(port)}`);
  const all = urls.map((url, i) => `m${String(i)}=${url}`).join(',');
  const members = await Promise.all(
    urls.map((url, i) =>
      startEtcd(version, {
        extraArgs: [
          `--name=m${String(i)}`,
          `--listen-peer-urls=${url}`,
          `--initial-advertise-peer-urls=${url}`,
          `--initial-cluster=${all}`,
        ],
      }),
    ),
  );
  for (const member of members) onTestFinished(() => member.stop());
  return members;
}

const clusterVersions: EtcdVersion[] = ['3.4', '3.7'];

describe.each(clusterVersions)('a feed over three members of etcd %s', (version) => {
  it.skipIf(etcdMissing(version))(
    'goes on at another member, and waits for a leader',
    { timeout: 160_000 },
    async () => {
      const members = await startCluster(version);
      const reader = connected({ endpoints: members.map(({ endpoint }) => endpoint) });
      const interruptions: string[] = [];
      const following = follow(testFeeds({ etcd: reader }), {
        onInterrupted: ({ error }) => interruptions.push(error.message),
      });
      await following.until(1n);
      const serving = (): RunningEtcd => {
        const found = members.find(({ endpoint }) => endpoint === reader.currentEndpoint);
        if (found === undefined) throw new Error('nobody serves');
        return found;
      };
      const others = (): RunningEtcd[] => members.filter((member) => member !== serving());
      const write = (member: RunningEtcd, value: string): Promise<bigint> =>
        waitFor(() => member.writer.put(`/registry/pods/${value.length % 7}`, value), {
          timeoutMs: 60_000,
        });

      let last = 0n;
      for (let i = 0; i < 30; i++) last = await write(members[0]!, 'a'.repeat(i));
      await following.until(last);

      const killed = serving();
      const survivor = others()[0]!;
      await killed.kill();
      for (let i = 0; i < 30; i++) last = await write(survivor, 'b'.repeat(i));
      await following.until(last);
      expect(interruptions.length).toBeGreaterThan(0);
      expect(reader.currentEndpoint).not.toBe(killed.endpoint);
      await killed.restart();

      interruptions.length = 0;
      const lost = others();
      for (const member of lost) await member.kill();
      await waitFor(() => interruptions[0] === 'etcdserver: no leader', {
        timeoutMs: 60_000,
        what: 'the end of the watch for want of a leader',
      });
      await Promise.all(lost.map((member) => member.restart()));
      for (let i = 0; i < 30; i++) last = await write(serving(), 'c'.repeat(i));
      await following.until(last);
      expect(await following.state.differences(reader, '/registry/pods/')).toEqual([]);
    },
  );
});
