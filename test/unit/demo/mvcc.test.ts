import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes, toHex, utf8 } from '../../../server/common/bytes';
import { MvccStore, rangeEndOf } from '../../../server/demo/mvcc';
import type { RangeQuery } from '../../../server/demo/mvcc';

const compactedText = 'etcdserver: mvcc: required revision has been compacted';
const futureText = 'etcdserver: mvcc: required revision is a future revision';

interface Row {
  readonly value: string;
  readonly created: number;
  readonly version: number;
}

/** Each revision's whole content, by hexadecimal key: slow, and too simple to be wrong. */
class Model {
  readonly states: ReadonlyMap<string, Row>[] = [new Map<string, Row>(), new Map<string, Row>()];
  compacted = -1;

  get revision(): number {
    return this.states.length - 1;
  }

  change(puts: readonly Uint8Array[], deleted: readonly Uint8Array[], value: string): void {
    const before = this.states.at(-1)!;
    const next = new Map(before);
    for (const key of deleted) next.delete(toHex(key));
    for (const key of puts) {
      const old = next.get(toHex(key));
      next.set(toHex(key), {
        value,
        created: old?.created ?? this.revision + 1,
        version: (old?.version ?? 0) + 1,
      });
    }
    const isDeleting = deleted.some((key) => before.has(toHex(key)));
    if (puts.length > 0 || isDeleting) this.states.push(next);
  }

  /** Rows in byte order within [from, end). */
  read(revision: number, from: Uint8Array, end: Uint8Array | undefined) {
    const state = this.states[revision]!;
    return [...state]
      .map(([key, row]) => ({ key: new Uint8Array(Buffer.from(key, 'hex')), ...row }))
      .filter(({ key }) =>
        end === undefined
          ? compareBytes(key, from) === 0
          : compareBytes(key, from) >= 0 && (end.length === 0 || compareBytes(key, end) < 0),
      )
      .sort((a, b) => compareBytes(a.key, b.key))
      .map(({ key, value, created, version }) => ({ key: toHex(key), value, created, version }));
  }
}

const key = fc.uint8Array({ minLength: 1, maxLength: 3, max: 3 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      put: fc.uniqueArray(key, { selector: toHex, minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      del: key,
      end: fc.option(fc.oneof(key, fc.constant(Uint8Array.of(0))), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ compact: fc.double({ min: 0, max: 1.1, noNaN: true }) }) },
);

function readAll(
  store: MvccStore,
  revision: number,
  from: Uint8Array,
  end: Uint8Array | undefined,
) {
  const { kvs } = store.range({ key: from, end, revision: BigInt(revision), limit: 0n });
  return kvs.map((kv) => ({
    key: toHex(kv.key),
    value: Buffer.from(kv.value).toString(),
    created: Number(kv.createRevision),
    version: Number(kv.version),
  }));
}

/** Alone, and beyond each limit. */
function expectCounts(
  store: MvccStore,
  range: Pick<RangeQuery, 'key' | 'end' | 'revision'>,
  count: number,
): void {
  const alone = store.range({ ...range, limit: 1n, countOnly: true });
  expect([alone.count, alone.kvs.length]).toEqual([count, 0]);
  for (const limit of [1n, 2n, 1000n]) {
    const { kvs, count: counted } = store.range({ ...range, limit, countAll: true });
    expect([counted, kvs.length]).toEqual([count, Math.min(count, Number(limit))]);
  }
}

describe('the multi-version store', () => {
  it('agrees with a naive model at every revision', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), key, key, (steps, from, to) => {
        const store = new MvccStore();
        const model = new Model();
        for (const [i, one] of steps.entries()) {
          if ('put' in one) {
            store.write((txn) => one.put.map((name) => txn.put(name, utf8(String(i)))));
            model.change(one.put, [], String(i));
          } else if ('del' in one) {
            const end = one.end && rangeEndOf(one.end);
            const gone = model
              .read(model.revision, one.del, end)
              .map((row) => Buffer.from(row.key, 'hex'));
            expect(store.delete(one.del, end)).toBe(gone.length);
            model.change([], gone, '');
          } else {
            const at = Math.round(one.compact * model.revision);
            if (at <= model.compacted)
              expect(() => {
                store.compact(BigInt(at));
              }).toThrow(compactedText);
            else if (at > model.revision)
              expect(() => {
                store.compact(BigInt(at));
              }).toThrow(futureText);
            else {
              store.compact(BigInt(at));
              model.compacted = at;
            }
          }
          expect(store.revision).toBe(BigInt(model.revision));
        }
        const whole = { from: Uint8Array.of(0), end: new Uint8Array(0) };
        for (let revision = 1; revision <= model.revision; revision++) {
          for (const part of [whole, { from, end: to }, { from, end: undefined }]) {
            const read = () => readAll(store, revision, part.from, part.end);
            if (revision < model.compacted) expect(read).toThrow(compactedText);
            else {
              const rows = model.read(revision, part.from, part.end);
              expect(read()).toEqual(rows);
              expectCounts(
                store,
                { ...part, key: part.from, revision: BigInt(revision) },
                rows.length,
              );
            }
          }
        }
        expect(() => readAll(store, model.revision + 1, from, to)).toThrow(futureText);
      }),
      { numRuns: 300 },
    );
  });

  it('starts at revision 1, so that the first write makes revision 2', () => {
    const store = new MvccStore();
    expect(store.revision).toBe(1n);
    expect(store.put(utf8('a'), utf8('1'))).toBe(2n);
    expect(store.delete(utf8('absent'))).toBe(0);
    expect(store.revision).toBe(2n);
  });

  it('counts the whole range beyond the limit when told to', () => {
    const store = new MvccStore();
    for (const name of ['a', 'b', 'c', 'd']) store.put(utf8(name), utf8(''));
    const query = { key: utf8('a'), end: utf8('d'), revision: 0n, limit: 1n };
    expect(store.range({ ...query, countAll: true })).toMatchObject({ count: 3 });
    expect(store.range({ ...query, countOnly: true })).toMatchObject({ count: 3, kvs: [] });
    expect(store.range(query).kvs).toHaveLength(1);
  });

  it('counts at an old revision what few and what many changes have left of it', () => {
    const store = new MvccStore();
    const name = (i: number) => utf8(`k/${String(i).padStart(4, '0')}`);
    store.bulkLoad(Array.from({ length: 1000 }, (_, i) => ({ key: name(i), value: utf8('') })));
    const loaded = store.revision;
    const range = { key: utf8('k/'), end: utf8('k0') };
    store.delete(name(10), name(20));
    store.put(name(5), utf8('again'));
    store.put(name(12), utf8('back'));
    store.put(utf8('k/new'), utf8(''));
    store.put(utf8('elsewhere'), utf8(''));
    expectCounts(store, { ...range, revision: loaded }, 1000);
    expectCounts(store, { ...range, revision: loaded + 1n }, 990);
    expectCounts(store, { ...range, revision: 0n }, 992);
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 1000; i++) store.put(name(i), utf8('more'));
    expectCounts(store, { ...range, revision: loaded }, 1000);
    expectCounts(store, { ...range, revision: 11n }, 10);
    expectCounts(store, { ...range, revision: 0n }, 1001);
  });

  it('still reads at exactly the compacted revision', () => {
    const store = new MvccStore();
    for (const value of ['1', '2', '3']) store.put(utf8('a'), utf8(value));
    store.compact(3n);
    expect(readAll(store, 3, utf8('a'), undefined)).toMatchObject([{ value: '2', version: 2 }]);
    expect(() => readAll(store, 2, utf8('a'), undefined)).toThrow(compactedText);
    expect([...store.changesFrom(0n)].map(({ kv }) => kv.modRevision)).toEqual([3n, 4n]);
  });

  it('copies what it stores, whatever becomes of the message it came in', () => {
    const store = new MvccStore();
    const message = Buffer.from('keyvalue');
    store.put(message.subarray(0, 3), message.subarray(3));
    message.fill(0);
    expect(readAll(store, 2, utf8('key'), undefined)).toMatchObject([{ value: 'value' }]);
  });

  it('gives each object of a bulk load its own revision, known keys included', () => {
    const object = (name: string) => ({ key: utf8(name), value: utf8(name) });
    const store = new MvccStore();
    store.bulkLoad(['c', 'a', 'b'].map(object));
    expect(
      readAll(store, 3, Uint8Array.of(0), new Uint8Array(0)).map((row) => row.created),
    ).toEqual([3, 2]);
    store.bulkLoad(['d', 'a', 'd'].map(object));
    const rows = readAll(store, 7, Uint8Array.of(0), new Uint8Array(0));
    expect(rows.map((row) => row.version)).toEqual([2, 1, 1, 2]);
    expect(store.revision).toBe(7n);
  });

  it('knows the size of what it holds', () => {
    const store = new MvccStore();
    store.put(utf8('key'), utf8('12345'));
    store.put(utf8('key'), utf8('1'));
    expect(store.size).toBe(3 + 5 + 3 + 1);
    store.compact(3n);
    expect(store.size).toBe(3 + 1);
  });
});
