/**
 * A watch cache over a real etcd that is killed in the middle of writes: it is what etcd holds, in the end
 * and at the revisions in between. `WATCH_WRITES` and `WATCH_KILLS` make it longer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { utf8Lossy } from '../../server/common/bytes';
import { connect } from '../../server/etcd/connect';
import type { ListResult } from '../../server/store/interfaces';
import { cacheRig } from '../support/cacheRig';
import { etcdMissing, etcdVersions, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { encodeTestObject, type TestObject } from '../support/testObjects';
import { listOptions, testStore } from '../support/testStore';
import { waitFor } from '../support/waitFor';
import { watchSettings } from './watchSettings';

const { writes, kills } = watchSettings();
const keys = 500;
/** Writes on their way at a time. */
const writers = 8;
const timeoutMs = 120_000 + writes * 20 + kills * 20_000;

async function write({ writer }: RunningEtcd, i: number): Promise<void> {
  const name = String((i * 31) % keys).padStart(4, '0');
  const key = `/registry/pods/web/${name}`;
  if (i % 7 === 6) await writer.delete(key);
  else await writer.put(key, encodeTestObject({ namespace: 'web', name: `${name}.${i}` }));
}

/** Writes until all is written; a write that fails may have come through, and is followed by the next. */
async function writeAll(etcd: RunningEtcd, written: { count: number }): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < writes) {
      const i = next++;
      await waitFor(() => write(etcd, i).then(() => true), { timeoutMs: 60_000 });
      written.count++;
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
}

/** Kills at even shares of the writes. */
async function killOften(etcd: RunningEtcd, written: { readonly count: number }): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const share = Math.floor((writes * kill) / (kills + 1));
    await waitFor(() => written.count >= share, { timeoutMs, intervalMs: 5 });
    await etcd.kill();
    await etcd.restart();
  }
}

const rowsOf = ({ items }: ListResult<TestObject>): string[] =>
  items.map(({ key, modRevision, object }) => `${utf8Lossy(key)} ${modRevision} ${object.name}`);

describe.each(etcdVersions)('a watch cache over etcd %s', (version) => {
  it.skipIf(etcdMissing(version))(
    `is what etcd holds through ${String(writes)} writes and ${String(kills)} kills`,
    { timeout: timeoutMs },
    async () => {
      const etcd = await startEtcd(version, { extraArgs: ['--unsafe-no-fsync'] });
      onTestFinished(() => etcd.stop());
      const reader = connect({ endpoints: [etcd.endpoint] });
      onTestFinished(() => {
        reader.close();
      });
      const { cache } = cacheRig({ etcd: reader, stream: true, limitBytes: 1024 ** 3 });
      await cache.start();
      onTestFinished(() => cache.stop());
      const direct = testStore({ etcd: reader, resourcePrefix: '/pods' });
      const exact = (revision: bigint) =>
        listOptions({ resourceVersion: String(revision), resourceVersionMatch: 'Exact' });

      /** Revisions that lists came with while etcd was written to, with what they held. */
      const seen: { readonly revision: bigint; readonly rows: string[] }[] = [];
      const began = performance.now();
      const written = { count: 0 };
      const done = new AbortController();
      const reading = (async () => {
        while (!done.signal.aborted) {
          const result = await cache.getList(listOptions({ resourceVersion: '0' }));
          const last = seen.at(-1)?.revision ?? 0n;
          expect(result.resourceVersion).toBeGreaterThanOrEqual(last);
          seen.push({ revision: result.resourceVersion, rows: rowsOf(result) });
          await delay(50);
        }
      })();
      await Promise.all([writeAll(etcd, written), killOften(etcd, written)]);
      const put = (): Promise<bigint> =>
        etcd.writer.put('/registry/pods/web/last', encodeTestObject({ name: 'last' }));
      const last = await waitFor(put, { timeoutMs: 60_000 });
      done.abort();
      await reading;
      await waitFor(() => cache.status().revision >= last, { timeoutMs: 60_000 });
      const seconds = (performance.now() - began) / 1000;

      const end = await cache.getList(listOptions({ resourceVersion: '0' }));
      expect(rowsOf(end)).toEqual(rowsOf(await direct.getList(exact(end.resourceVersion))));
      const step = Math.max(1, Math.floor(seen.length / 50));
      let compared = 0;
      for (let i = 0; i < seen.length; i += step) {
        const { revision, rows } = seen[i] ?? { revision: 0n, rows: [] };
        const theirs = rowsOf(await direct.getList(exact(revision)));
        expect(rows).toEqual(theirs);
        const again = await cache.getList(exact(revision));
        expect(rowsOf(again)).toEqual(theirs);
        compared++;
      }
      expect(compared).toBeGreaterThan(3);
      expect(cache.status()).toMatchObject({ state: 'ready' });
      const { snapshots, windowCapacity, bytes } = cache.status();
      console.log(
        `etcd ${version}: ${String(written.count)} writes, ${String(kills)} kills, ${seconds.toFixed(1)} s, ` +
          `${String(Math.round(written.count / seconds))} writes/s; ${String(seen.length)} lists meanwhile, ` +
          `${String(compared)} of them compared; ${String(snapshots)} states in a window of ` +
          `${String(windowCapacity)}, ${String(Math.round(bytes / 1e6))} MB counted`,
      );
    },
  );
});
