/** The transport against real etcds: what they answer, refuse, and see on the wire. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prefixEnd, utf8 } from '../../server/common/bytes';
import { systemClock } from '../../server/common/clock';
import { connect, type ConnectionConfig } from '../../server/etcd/connect';
import { EtcdError } from '../../server/etcd/errors';
import { createFeatureChecker } from '../../server/etcd/features';
import type { EtcdReader, WatchBatch } from '../../server/etcd/interfaces';
import { probeRangeStream } from '../../server/etcd/probe';
import { certificatesMissing, makeCertificates, type Certificates } from '../support/certificates';
import {
  etcdBinary,
  etcdMissing,
  etcdVersions,
  startEtcd,
  type RunningEtcd,
} from '../support/etcdServer';
import { startFaultProxy } from '../support/faultProxy';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import { waitFor } from '../support/waitFor';

const prefix = utf8('/registry/pods/');
const all = { key: prefix, rangeEnd: prefixEnd(prefix) };
const keyCount = 12_000;

function* pods(count: number, bytes: number): Generator<[string, Uint8Array]> {
  for (let i = 0; i < count; i++) {
    yield [
      `/registry/pods/web/p${String(i).padStart(6, '0')}`,
      new Uint8Array(bytes).fill(i % 251),
    ];
  }
}

async function withReader<T>(
  config: ConnectionConfig,
  use: (reader: EtcdReader) => Promise<T>,
): Promise<T> {
  const reader = connect(config);
  try {
    return await use(reader);
  } finally {
    reader.close();
  }
}

async function failureOf(work: Promise<unknown>): Promise<EtcdError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EtcdError)) throw new Error(`not an EtcdError: ${String(error)}`);
  return error;
}

async function streamed(reader: EtcdReader, request: Parameters<EtcdReader['rangeStream']>[0]) {
  const chunks = [];
  for await (const chunk of reader.rangeStream(request)) chunks.push(chunk);
  return chunks;
}

for (const version of etcdVersions) {
  describe.skipIf(etcdMissing(version))(`etcd ${version}`, () => {
    let etcd: RunningEtcd;
    let proxy: RecordingProxy;
    let reader: EtcdReader;
    beforeAll(async () => {
      etcd = await startEtcd(version);
      await etcd.writer.bulkLoad(pods(keyCount, 600));
      proxy = await startRecordingProxy(etcd.endpoint);
      reader = connect({ endpoints: [proxy.endpoint] });
    });
    afterAll(async () => {
      reader.close();
      await proxy.close();
      await etcd.stop();
    });

    it('reads more than 4 MiB in one reply, counted in bytes', async () => {
      const reply = await reader.range(all);
      expect(reply.kvs).toHaveLength(keyCount);
      expect(reply).toMatchObject({ count: BigInt(keyCount), more: false });
      expect(reply.revision).toBe(await etcd.writer.revision());
      expect(reply.bytes).toBeGreaterThan(keyCount * 600);
      expect(proxy.calls.at(-1)!.replyLengths).toEqual([reply.bytes]);
    });

    it('reads a page, keys only, counts only, and one key', async () => {
      const page = await reader.range({ ...all, limit: 3n, keysOnly: true });
      expect(page.kvs.map(({ value }) => value.length)).toEqual([0, 0, 0]);
      expect(page.more).toBe(true);
      const count = await reader.range({ ...all, countOnly: true });
      expect([count.kvs.length, count.count]).toEqual([0, BigInt(keyCount)]);
      const one = await reader.range({ key: page.kvs[1]!.key }, { serializable: true });
      expect(one.kvs).toHaveLength(1);
    });

    it('tells compacted and future revisions', async () => {
      const now = await etcd.writer.revision();
      const future = await failureOf(reader.range({ ...all, limit: 1n, revision: now + 1000n }));
      expect(future.code).toBe('futureRevision');
      const later = await etcd.writer.put('/registry/other/x', 'y');
      await etcd.writer.compact(later);
      const compacted = await failureOf(reader.range({ ...all, limit: 1n, revision: now - 1n }));
      expect(compacted).toMatchObject({
        code: 'compacted',
        message: 'etcdserver: mvcc: required revision has been compacted',
      });
      expect((await reader.range({ ...all, limit: 1n, revision: later })).kvs).toHaveLength(1);
    });

    it('lists members and asks a status, of which features are judged', async () => {
      const [member] = await reader.members();
      expect(member!.clientUrls).toEqual([etcd.url]);
      const status = await reader.status(proxy.endpoint);
      expect(status.version.startsWith(version)).toBe(true);
      expect(status.memberId).toBe(member!.id);
      expect(status.leader).toBe(member!.id);
      const checker = createFeatureChecker(systemClock);
      await checker.checkAll(reader, AbortSignal.timeout(30_000));
      expect(checker.supports('RequestWatchProgress')).toBe(version !== '3.4');
    });

    it('probes RangeStream', async () => {
      const { answer } = await probeRangeStream(reader, prefix);
      expect(answer).toBe(version === '3.7' ? 'supported' : 'notSupported');
    });

    if (version === '3.7') streamCases();
    else {
      it('has no RangeStream: Unimplemented at the first message', async () => {
        const error = await failureOf(streamed(reader, all));
        expect(error).toMatchObject({ code: 'unimplemented', method: 'rangeStream' });
      });
    }

    function streamCases(): void {
      it('streams all keys in disjoint chunks', async () => {
        const chunks = await streamed(reader, all);
        const keys = chunks.flatMap(({ kvs }) => kvs.map(({ key }) => Buffer.from(key).toString()));
        expect(keys).toHaveLength(keyCount);
        expect(keys).toEqual([...new Set(keys)].sort());
        const last = chunks.at(-1)!;
        expect(last).toMatchObject({ count: BigInt(keyCount), more: false });
        expect(last.revision).toBe(await etcd.writer.revision());
        expect(chunks.slice(0, -1).every(({ revision }) => revision === undefined)).toBe(true);
        expect(proxy.calls.at(-1)!.replyLengths).toEqual(chunks.map(({ bytes }) => bytes));
      });

      it('cancels a stream that is left early', async () => {
        for await (const chunk of reader.rangeStream(all)) {
          expect(chunk.kvs.length).toBeGreaterThan(0);
          break;
        }
        const cancel = 8;
        await waitFor(() => proxy.calls.at(-1)!.clientReset === cancel, { what: 'the reset' });
      });
    }

    it('watches events and progress, and ends on cancel', async () => {
      const revision = await etcd.writer.revision();
      const stream = reader.watch({ ...all, startRevision: revision + 1n, prevKv: true });
      const batches: WatchBatch[] = [];
      const done = (async () => {
        for await (const batch of stream) batches.push(batch);
      })();
      await etcd.writer.put('/registry/pods/web/p000000', 'new');
      const deleted = await etcd.writer.delete('/registry/pods/web/p000000');
      await waitFor(() => batches.flatMap(({ events }) => events).length === 2);
      const [put, gone] = batches.flatMap(({ events }) => events);
      expect([put!.type, gone!.type]).toEqual(['put', 'delete']);
      expect(Buffer.from(gone!.prevKv!.value).toString()).toBe('new');
      await waitFor(() => {
        stream.requestProgress();
        return batches.some(({ revision: at, events }) => events.length === 0 && at >= deleted);
      });
      stream.cancel();
      await done;
      await waitFor(() => proxy.calls.at(-1)!.endedAt);
      await etcd.writer.put('/registry/pods/web/p000000', 'again');
    });

    it('takes a large watch message in parts', async () => {
      const entries = Array.from({ length: 100 }, (_, i): [string, Uint8Array] => [
        `/registry/large/${i}`,
        new Uint8Array(14_000),
      ]);
      const revision = await etcd.writer.txn(entries);
      for (let i = 0; i < 3; i++) await etcd.writer.txn(entries);
      const large = utf8('/registry/large/');
      const request = { key: large, rangeEnd: prefixEnd(large), startRevision: revision };
      const events: bigint[] = [];
      for await (const batch of reader.watch({ ...request, prevKv: true, fragment: true })) {
        events.push(...batch.events.map(({ kv }) => kv.modRevision));
        if (events.length >= 400) break;
      }
      expect(events).toHaveLength(400);
      expect(proxy.calls.at(-1)!.replyLengths.length).toBeGreaterThan(1);
    });

    it('tells a watch from a compacted revision', async () => {
      const revision = await etcd.writer.revision();
      await etcd.writer.compact(revision);
      const stream = reader.watch({ ...all, startRevision: 1n });
      const error = await failureOf(
        (async () => {
          for await (const batch of stream) expect(batch).toBeUndefined();
        })(),
      );
      expect(error).toMatchObject({
        code: 'compacted',
        message: 'etcdserver: mvcc: required revision has been compacted',
      });
    });

    it('ends the call on the server when the signal aborts', async () => {
      const slow = await startFaultProxy(etcd.endpoint);
      const inFront = await startRecordingProxy(slow.endpoint);
      await withReader({ endpoints: [inFront.endpoint] }, async (own) => {
        await own.range({ key: prefix });
        slow.stall('toClient');
        const stop = new AbortController();
        const failed = failureOf(own.range(all, { signal: stop.signal }));
        await waitFor(() => inFront.calls.length === 2);
        stop.abort();
        expect((await failed).code).toBe('cancelled');
        await waitFor(() => inFront.calls[1]!.clientReset);
      });
      await inFront.close();
      await slow.close();
    });

    it('has sent nothing but reads', () => {
      const paths = new Set(proxy.calls.map(({ path }) => path));
      expect([...paths].sort()).toEqual([
        '/etcdserverpb.Cluster/MemberList',
        '/etcdserverpb.KV/Range',
        '/etcdserverpb.KV/RangeStream',
        '/etcdserverpb.Maintenance/Status',
        '/etcdserverpb.Watch/Watch',
      ]);
    });
  });

  describe.skipIf(etcdMissing(version))(`etcd ${version} with authentication`, () => {
    const user = { name: 'web', password: 'web-secret', readPrefix: '/registry/pods/' };
    const auth = { username: user.name, password: user.password };
    let etcd: RunningEtcd;
    let proxy: RecordingProxy;
    beforeAll(async () => {
      etcd = await startEtcd(version, {
        auth: { rootPassword: 'root-secret', users: [user], tokenTtl: 2 },
        extraArgs: ['--log-level=debug'],
      });
      await etcd.writer.put('/registry/pods/a', '1');
      proxy = await startRecordingProxy(etcd.endpoint);
    });
    afterAll(async () => {
      await proxy.close();
      await etcd.stop();
    });

    /**
     * Waits until etcd says that the token used last is gone. Asking etcd for something would not do,
     * since every use gives the token new time.
     */
    async function tokenEnded(): Promise<void> {
      const token = proxy.calls.findLast(({ headers }) => headers['token'])?.headers['token'];
      if (token === undefined) throw new Error('no call with a token');
      const isItsEnd = (line: string) =>
        line.includes('deleted a simple token') && line.includes(`"${String(token)}"`);
      await waitFor(() => etcd.logs().split('\n').some(isItsEnd), {
        timeoutMs: 60_000,
        intervalMs: 100,
        what: 'the end of the token',
      });
    }

    const authentications = () => proxy.methods().filter((name) => name === 'Authenticate').length;

    it('reads what the user may read, and says when it may not', async () => {
      await withReader({ endpoints: [etcd.endpoint], auth }, async (reader) => {
        expect((await reader.range(all)).kvs).toHaveLength(1);
        const denied = await failureOf(reader.range({ key: utf8('/registry/secrets/x') }));
        expect(denied.code).toBe('permissionDenied');
        expect((await reader.status(etcd.endpoint)).version.startsWith(version)).toBe(true);
      });
    });

    it('tells no user, and a wrong password, apart', async () => {
      const anonymous = { endpoints: [etcd.endpoint] };
      const nobody = await withReader(anonymous, (reader) => failureOf(reader.range(all)));
      expect(nobody.code).toBe('userEmpty');
      const wrong = { ...anonymous, auth: { ...auth, password: 'guess' } };
      const refused = await withReader(wrong, (reader) => failureOf(reader.range(all)));
      expect(refused.code).toBe('authentication');
      expect(JSON.stringify([refused, refused.message])).not.toContain('guess');
    });

    it('renews a token that has ended, for reads, streams and watches', async () => {
      await withReader({ endpoints: [proxy.endpoint], auth }, async (reader) => {
        await reader.range(all);
        await tokenEnded();
        expect((await reader.range(all)).kvs).toHaveLength(1);
        expect(authentications()).toBe(2);
        await tokenEnded();
        if (version === '3.7') expect(await streamed(reader, all)).not.toEqual([]);
        for await (const { events } of reader.watch({ ...all, startRevision: 1n })) {
          expect(events.length).toBeGreaterThan(0);
          break;
        }
        expect(authentications()).toBeGreaterThan(2);
      });
    });

    it('says that the password is wrong once it was changed, which ends the token too', async () => {
      await withReader({ endpoints: [proxy.endpoint], auth }, async (reader) => {
        await reader.range(all);
        const before = authentications();
        await etcd.writer.changePassword(user.name, 'another');
        const error = await failureOf(reader.range(all));
        expect(error).toMatchObject({ code: 'authentication', method: 'authenticate' });
        expect(authentications()).toBe(before + 1);
      });
    });

    it('has sent nothing but reads and authentications', () => {
      const known = ['Authenticate', 'Range', 'RangeStream', 'Watch'];
      expect(proxy.methods().filter((name) => !known.includes(name))).toEqual([]);
    });
  });
}

describe.skipIf(etcdMissing('3.6') || certificatesMissing())('etcd over TLS', () => {
  let files: Certificates;
  let etcd: RunningEtcd;
  beforeAll(async () => {
    files = makeCertificates();
    etcd = await startEtcd('3.6', { tls: { certificates: files, mode: 'mutual' } });
    await etcd.writer.put('/registry/pods/a', '1');
  });
  afterAll(async () => {
    await etcd.stop();
    files.remove();
  });

  it('shows a client certificate whose key is encrypted', async () => {
    const tls = {
      rootCertificate: readFileSync(files.ca),
      clientCertificate: readFileSync(files.clientCert),
      clientKey: readFileSync(files.encryptedClientKey),
      passphrase: files.passphrase,
    };
    const reply = await withReader({ endpoints: [etcd.url], tls }, (reader) => reader.range(all));
    expect(reply.kvs).toHaveLength(1);
  });

  it('says TLS when the certificate is missing, or the authority is another', async () => {
    for (const root of [files.ca, files.wrongCa]) {
      const tls = { rootCertificate: readFileSync(root) };
      const config = { endpoints: [etcd.url], tls };
      const error = await withReader(config, (reader) => failureOf(reader.range(all)));
      expect(error.code).toBe('tls');
    }
  });
});

describe.skipIf(etcdMissing('3.6'))('an etcd that goes away', () => {
  it('is unavailable while it is gone and read again once it is back', async () => {
    const etcd = await startEtcd('3.6');
    await etcd.writer.put('/registry/pods/a', '1');
    await withReader({ endpoints: [etcd.endpoint] }, async (reader) => {
      await reader.range(all);
      await etcd.kill();
      expect((await failureOf(reader.range(all))).code).toBe('unavailable');
      await etcd.restart();
      const reply = await waitFor(() => reader.range(all), { what: 'the first read' });
      expect(reply.kvs).toHaveLength(1);
    });
    await etcd.stop();
  });

  it('is left at its deadline while it hangs', async () => {
    const etcd = await startEtcd('3.6');
    await withReader({ endpoints: [etcd.endpoint] }, async (reader) => {
      await reader.range(all);
      await etcd.pause();
      const error = await failureOf(reader.range(all, { deadlineMs: 300 }));
      expect(error.code).toBe('deadline');
      etcd.resume();
      await reader.range(all);
    });
    await etcd.stop();
  });
});

describe.skipIf(etcdMissing('3.7'))("etcd's own gRPC proxy", () => {
  it('is read through, and named as what lacks RangeStream', async () => {
    const etcd = await startEtcd('3.7');
    await etcd.writer.put('/registry/pods/a', '1');
    const port = await freePort();
    const args = ['grpc-proxy', 'start', `--endpoints=${etcd.endpoint}`];
    const child = spawn(etcdBinary('3.7')!, [...args, `--listen-addr=127.0.0.1:${port}`], {
      stdio: 'ignore',
    });
    try {
      await withReader({ endpoints: [`127.0.0.1:${port}`] }, async (reader) => {
        const reply = await waitFor(() => reader.range(all), { what: 'the proxy' });
        expect(reply.kvs).toHaveLength(1);
        const answer = await probeRangeStream(reader, prefix);
        expect(answer).toMatchObject({ answer: 'notSupported', proxy: true });
      });
    } finally {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await etcd.stop();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
