/**
 * A feed over a real etcd that is killed in the middle of writes: what it tells is etcd's history, each
 * change once. `WATCH_WRITES` and `WATCH_KILLS` make it longer.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../server/etcd/connect';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { etcdMissing, etcdVersions, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { FoldedState } from '../support/foldedState';
import { testFeeds } from '../support/testFeed';
import { waitFor } from '../support/waitFor';
import { watchSettings } from './watchSettings';

const { writes, kills } = watchSettings();
const keys = 500;
/** Writes on their way at a time. */
const writers = 8;
const prefix = '/registry/pods/';
const timeoutMs = 120_000 + writes * 20 + kills * 20_000;

/** Deletes, puts, and several puts at one revision, as the number says. */
async function write({ writer }: RunningEtcd, i: number): Promise<void> {
  const key = (n: number): string => `${prefix}${String(n % keys).padStart(4, '0')}`;
  const value = `value ${String(i)}`.padEnd(100 + (i % 400), '.');
  if (i % 7 === 6) await writer.delete(key(i * 31));
  else if (i % 11 === 10) {
    await writer.txn([key(i * 31), key(i * 31 + 1), key(i * 31 + 2)].map((one) => [one, value]));
  } else await writer.put(key(i * 31), value);
}

interface Written {
  count: number;
}

/** Writes until all is written; a write that fails may have come through, and is followed by the next. */
async function writeAll(etcd: RunningEtcd, written: Written): Promise<void> {
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
async function killOften(etcd: RunningEtcd, written: Written): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const share = Math.floor((writes * kill) / (kills + 1));
    await waitFor(() => written.count >= share, { timeoutMs, intervalMs: 5 });
    await etcd.kill();
    await etcd.restart();
  }
}

/** Every change of a history that was never compacted, read again in one go. */
async function history(reader: EtcdReader, after: bigint, until: bigint): Promise<string[]> {
  const state = new FoldedState(after);
  for await (const event of testFeeds({ etcd: reader }).open({ afterRevision: after })) {
    state.fold(event);
    if (state.revision >= until && state.changes.at(-1)?.endsWith(` ${String(until)}`)) break;
  }
  return state.changes;
}

describe.each(etcdVersions)('a feed over etcd %s', (version) => {
  it.skipIf(etcdMissing(version))(
    `tells its history through ${String(writes)} writes and ${String(kills)} kills`,
    { timeout: timeoutMs },
    async () => {
      const etcd = await startEtcd(version);
      onTestFinished(() => etcd.stop());
      const reader = connect({ endpoints: [etcd.endpoint] });
      onTestFinished(() => {
        reader.close();
      });
      const state = new FoldedState();
      const stop = new AbortController();
      let [broke, resumed, start] = [0, 0, 0n];
      let failure: unknown;
      const feed = testFeeds({ etcd: reader }).open({
        signal: stop.signal,
        onInterrupted: () => broke++,
        onResumed: () => resumed++,
      });
      const done = (async () => {
        for await (const event of feed) {
          state.fold(event);
          if (event.type === 'syncEnd') start = event.revision;
        }
      })().catch((error: unknown) => {
        failure = error;
      });
      await waitFor(() => state.isSynced);

      const began = performance.now();
      const written = { count: 0 };
      await Promise.all([writeAll(etcd, written), killOften(etcd, written)]);
      const last = await waitFor(() => etcd.writer.put(`${prefix}last`, 'last'), {
        timeoutMs: 60_000,
      });
      await waitFor(() => failure !== undefined || state.revision >= last, {
        timeoutMs: 60_000,
        what: 'the last write',
      });
      const seconds = (performance.now() - began) / 1000;
      stop.abort();
      await done;

      expect(failure).toMatchObject({ code: 'cancelled' });
      expect(await state.differences(reader, prefix)).toEqual([]);
      expect(state.changes).toEqual(await history(reader, start, last));
      expect(resumed).toBeGreaterThanOrEqual(kills);
      const rate = Math.round(written.count / seconds);
      console.log(
        `etcd ${version}: ${String(written.count)} writes, ${String(kills)} kills, ` +
          `${String(state.changes.length)} changes told, the watch resumed ${String(resumed)} times after ` +
          `${String(broke)} failures, ${seconds.toFixed(1)} s, ${String(rate)} writes/s`,
      );
    },
  );
});
