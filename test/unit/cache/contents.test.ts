import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8, utf8Lossy } from '../../../server/common/bytes';
import { CachedItem } from '../../../server/cache/cachedItem';
import { Contents, type CacheView } from '../../../server/cache/contents';
import { objectOverhead, stateOverhead } from '../../../server/cache/footprint';
import { keyOf, orderEnd, orderOf } from '../../../server/cache/keyOrder';
import { StoreError } from '../../../server/store/errors';

const prefix = utf8('/pods/');

interface Options {
  readonly snapshotting?: boolean;
  readonly limitBytes?: number;
  readonly now?: () => number;
}

function contentsOf({ snapshotting = true, limitBytes = Infinity, now = () => 0 }: Options = {}) {
  const reached: bigint[] = [];
  const contents = new Contents<string>({
    snapshotting,
    limitBytes,
    clock: { now, monotonic: now },
    onRevision: (revision) => reached.push(revision),
  });
  return { contents, reached };
}

const item = (name: string, revision: bigint, size = 10): CachedItem<string> =>
  new CachedItem(orderOf(utf8(`/pods/${name}`)), `${name}@${revision}`, revision, size);

const orderOfName = (name: string): string => orderOf(utf8(`/pods/${name}`));

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Weak references live on until the turn is over that made or read them. */
async function collectGarbage(): Promise<void> {
  await setImmediate();
  gc();
}

const listed = (view: CacheView<string> | undefined): string[] | undefined =>
  view?.range(orderOf(prefix), orderEnd(prefix)).map(({ object }) => object);

describe('keys', () => {
  it('keep their bytes and etcd’s order as texts', () => {
    const keys = fc.array(fc.uint8Array({ maxLength: 6 }), { maxLength: 20 });
    fc.assert(
      fc.property(keys, (all) => {
        const byText = [...all].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
        const byBytes = [...all].sort((a, b) => Buffer.compare(a, b));
        expect(byText.map((key) => [...key])).toEqual(byBytes.map((key) => [...key]));
        for (const key of all) expect(keyOf(orderOf(key))).toEqual(new Uint8Array(key));
      }),
    );
  });
});

describe('contents', () => {
  const names = ['a', 'b', 'b/c', 'c', 'd', 'é', 'z'];
  const change = fc.record({
    name: fc.oneof(fc.constantFrom(...names), fc.integer({ max: 3000, min: 0 }).map(String)),
    put: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    /** Revisions that other resources took. */
    gap: fc.integer({ min: 0, max: 2 }),
  });

  it('are at each revision what a model of them is, and stay so in snapshots', () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...names)), changes, (first, all) => {
        const { contents, reached } = contentsOf();
        const model = new Map<string, string>();
        const history: { revision: bigint; objects: string[] }[] = [];
        const remember = (revision: bigint): void => {
          const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
          history.push({ revision, objects: sorted.map(([, object]) => object) });
        };
        for (const name of first) {
          contents.fill(item(name, 1n));
          model.set(orderOfName(name), `${name}@1`);
        }
        let revision = 10n;
        contents.filled(revision);
        remember(revision);
        for (const { name, put, gap } of all) {
          revision += 1n + BigInt(gap);
          if (put) {
            contents.put(item(name, revision), revision);
            model.set(orderOfName(name), `${name}@${revision}`);
          } else {
            contents.delete(orderOfName(name), revision);
            model.delete(orderOfName(name));
          }
          remember(revision);
          expect(listed(contents.latest)).toEqual(history.at(-1)?.objects);
          expect(contents.objects).toBe(model.size);
        }
        expect(reached).toEqual(history.map((state) => state.revision));
        // Events come at one time, so that the window only grows and every state is held.
        for (const { revision, objects } of history) {
          expect(listed(contents.at(revision))).toEqual(objects);
        }
        expect(contents.at(9n)).toBeUndefined();
        expect(listed(contents.at(revision + 100n))).toEqual(history.at(-1)?.objects);
        for (let i = 1; i < history.length; i++) {
          const between = (history[i]?.revision ?? 0n) - 1n;
          expect(listed(contents.at(between))).toEqual(history[i - 1]?.objects);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('count what they hold, and nothing once it is dropped', () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(changes, fc.integer({ min: 0, max: 2000 }), (all, pauseMs) => {
        let time = 0;
        const { contents } = contentsOf({ now: () => time });
        contents.filled(1n);
        let revision = 1n;
        for (const { name, put } of all) {
          revision++;
          time += pauseMs;
          if (put) contents.put(item(name, revision), revision);
          else contents.delete(orderOfName(name), revision);
        }
        expect(contents.bytes).toBe(heldBytes(contents, revision));
        contents.compact(revision + 1n);
        expect(contents.bytes).toBe(weight(listedItems(contents.latest)));
        contents.drop();
        expect(contents.bytes).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  const listedItems = (view: CacheView<string>) => view.range('', '\u{ff}');
  const weight = (items: Iterable<CachedItem<string>>): number =>
    [...items].reduce((sum, { order, size }) => sum + order.length + size + objectOverhead, 0);

  /** Each object once that any state holds. */
  function heldBytes(contents: Contents<string>, last: bigint): number {
    const held = new Set(listedItems(contents.latest));
    for (let revision = 1n; revision <= last; revision++) {
      const view = contents.at(revision);
      if (view !== undefined) for (const each of listedItems(view)) held.add(each);
    }
    return weight(held) + contents.states.snapshots * stateOverhead;
  }

  it('hold no earlier states without snapshots', () => {
    const { contents } = contentsOf({ snapshotting: false });
    contents.fill(item('a', 1n));
    contents.filled(5n);
    contents.put(item('a', 6n), 6n);
    expect(listed(contents.latest)).toEqual(['a@6']);
    expect([contents.at(6n), contents.hasSnapshotFor(6n)]).toEqual([undefined, false]);
    expect(contents.bytes).toBe('/pods/a'.length + 10 + objectOverhead);
  });

  it('forget states before the oldest event of a full window', () => {
    const hour = 3_600_000;
    let time = 0;
    const { contents } = contentsOf({ now: () => time });
    contents.filled(1n);
    // Slower than the window asks for, so that it stays as small as it is.
    for (let revision = 2n; revision <= 251n; revision++) {
      time += hour;
      contents.put(item('a', revision), revision);
    }
    // Room for 100 events: those of 152 to 251.
    expect(contents.states).toEqual({
      snapshots: 100,
      oldestSnapshot: 152n,
      events: 100,
      windowCapacity: 100,
    });
    expect(contents.at(151n)).toBeUndefined();
    expect(listed(contents.at(152n))).toEqual(['a@152']);
  });

  it('let go of the objects of states that they forget, and of none that is held', async () => {
    const hour = 3_600_000;
    let time = 0;
    const { contents } = contentsOf({ now: () => time });
    contents.filled(1n);
    const objects: WeakRef<object>[] = [];
    for (let revision = 2n; revision <= 251n; revision++) {
      time += hour;
      const put = item('a', revision);
      objects.push(new WeakRef(put));
      contents.put(put, revision);
    }
    await collectGarbage();
    // The 100 states that the window allows have one each.
    const held = objects.map((object) => object.deref() !== undefined);
    expect(held).toEqual(objects.map((_, i) => i >= 150));
    expect(contents.states.snapshots).toBe(100);
  });

  it('forget what etcd has compacted, and list the current state without a snapshot', () => {
    const { contents } = contentsOf();
    contents.filled(1n);
    contents.put(item('a', 2n), 2n);
    contents.put(item('b', 3n), 3n);
    contents.compact(3n);
    expect(contents.at(2n)).toBeUndefined();
    expect(listed(contents.at(3n))).toEqual(['a@2', 'b@3']);
    contents.compact(9n);
    expect(contents.hasSnapshotFor(9n)).toBe(false);
    expect(listed(contents.latest)).toEqual(['a@2', 'b@3']);
    contents.put(item('c', 10n), 10n);
    expect(listed(contents.at(10n))).toEqual(['a@2', 'b@3', 'c@10']);
  });

  it('remember which revisions they held until they are filled anew', () => {
    const { contents } = contentsOf();
    contents.fill(item('a', 2n));
    contents.filled(4n);
    contents.put(item('b', 6n), 6n);
    contents.drop();
    expect([3n, 4n, 9n].map((revision) => contents.hasSnapshotFor(revision))).toEqual([
      ...[false, true, true],
    ]);
    expect([contents.revision, contents.objects]).toEqual([6n, 0]);
    contents.filled(20n);
    expect(contents.hasSnapshotFor(19n)).toBe(false);
  });

  it('stop at their limit with the numbers, in the fill and after it', () => {
    const one = '/pods/a'.length + 10 + objectOverhead;
    const failing = (work: () => void): StoreError => {
      try {
        work();
      } catch (error) {
        if (error instanceof StoreError) return error;
      }
      return expect.unreachable('nothing failed');
    };
    const full = contentsOf({ limitBytes: one });
    full.contents.fill(item('a', 1n));
    const inFill = failing(() => {
      full.contents.fill(item('b', 1n));
    });
    expect([inFill.code, inFill.message]).toEqual([
      'cacheFull',
      `the watch cache stopped: 2 objects take about ${2 * one} bytes, more than its limit of ${one}`,
    ]);
    const limit = 2 * one + 2 * stateOverhead - 1;
    const later = contentsOf({ limitBytes: limit });
    later.contents.fill(item('a', 1n));
    later.contents.filled(2n);
    expect(
      failing(() => {
        later.contents.put(item('a', 3n), 3n);
      }).message,
    ).toBe(
      `the watch cache stopped: 1 object and 1 earlier state take about ${limit + 1} bytes, more than its limit of ${limit}`,
    );
  });

  it('give keys in memory of their own', () => {
    const { key } = item('é', 1n);
    expect(utf8Lossy(key)).toBe('/pods/é');
    expect(key.buffer.byteLength).toBe(key.length);
  });
});
