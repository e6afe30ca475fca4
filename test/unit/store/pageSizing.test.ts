import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdaptivePages } from '../../../server/store/adaptivePages';
import type { ListHooks, ListResult } from '../../../server/store/interfaces';
import { nextPageSize } from '../../../server/store/pageSize';
import { scriptedError, scriptedEtcd, scriptedValue } from '../../support/scriptedEtcd';
import { listOptions, testStore } from '../../support/testStore';
import type { TestObject } from '../../support/testObjects';

const cap = 10_000;

/** What a list takes whose pages are sized so, of keys of which those that match are told. */
interface Taken {
  readonly pages: readonly number[];
  readonly fetched: number;
  readonly examined: number;
  readonly matched: number;
}

type Next = (size: number, seen: { keys: number; matched: number }) => number;

function takenBy(next: Next, matches: readonly boolean[], limit: number): Taken {
  const pages: number[] = [];
  let [size, fetched, examined, matched] = [limit, 0, 0, 0];
  for (;;) {
    pages.push(size);
    fetched = Math.min(matches.length, fetched + size);
    while (examined < fetched && matched < limit) if (matches[examined++] === true) matched++;
    if (matched >= limit || fetched >= matches.length) return { pages, fetched, examined, matched };
    size = next(size, { keys: examined, matched });
  }
}

const byDoubling = (matches: readonly boolean[], limit: number): Taken =>
  takenBy((size) => Number(nextPageSize(BigInt(size))), matches, limit);

function byAdapting(matches: readonly boolean[], limit: number): Taken {
  const pages = new AdaptivePages(limit);
  return takenBy((_, seen) => pages.next(seen), matches, limit);
}

const every = (gap: number, keys = 100_000): boolean[] =>
  Array.from({ length: keys }, (_, i) => i % gap === 0);

/** Runs of keys that all match or all do not: from one spread to the worst of clusters. */
const clustered = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 6000 }), fc.boolean()), { minLength: 1, maxLength: 30 })
  .map((runs) => runs.flatMap(([length, matches]) => Array<boolean>(length).fill(matches)));
const spread = fc
  .record({ gap: fc.integer({ min: 1, max: 400 }), keys: fc.integer({ min: 1, max: 60_000 }) })
  .map(({ gap, keys }) => every(gap, keys));
const random = fc
  .record({
    seed: fc.integer({ min: 1, max: 2 ** 30 }),
    share: fc.double({ min: 0.0005, max: 1, noNaN: true }),
    keys: fc.integer({ min: 1, max: 40_000 }),
  })
  .map(({ seed, share, keys }) => {
    let state = seed;
    return Array.from({ length: keys }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state / 0x7fffffff < share;
    });
  });
const limits = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.constantFrom(100, 500, 5000, cap - 1),
  fc.integer({ min: 1, max: cap - 1 }),
);

describe('adaptive pages', () => {
  it('take at most one request more than doubling, wherever the matches stand', () => {
    fc.assert(
      fc.property(fc.oneof(clustered, spread, random), limits, (matches, limit) => {
        const ours = byAdapting(matches, limit);
        const theirs = byDoubling(matches, limit);
        expect(ours.pages.length).toBeLessThanOrEqual(theirs.pages.length + 1);
        expect(ours.examined).toBe(theirs.examined);
        expect(ours.matched).toBe(theirs.matched);
      }),
      { numRuns: 300 },
    );
  });

  it('begin with the limit, stay within 10,000 keys, and fetch less than five times what they examine', () => {
    fc.assert(
      fc.property(fc.oneof(clustered, spread, random), limits, (matches, limit) => {
        const { pages, fetched, examined } = byAdapting(matches, limit);
        expect(pages[0]).toBe(limit);
        for (const size of pages) {
          expect(Number.isInteger(size)).toBe(true);
          expect(size).toBeGreaterThan(0);
          expect(size).toBeLessThanOrEqual(cap);
        }
        expect(fetched).toBeLessThanOrEqual(5 * examined);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [2, 100, 2, 2],
    [10, 100, 4, 3],
    [100, 100, 7, 4],
    [1000, 100, 16, 13],
    [10, 500, 4, 3],
    [1000, 500, 14, 12],
  ])(
    'of even matches, one key in %i at limit %i: %i requests double, %i adapt',
    (gap, limit, doubled, adapted) => {
      const [theirs, ours] = [byDoubling(every(gap), limit), byAdapting(every(gap), limit)];
      expect(theirs.pages).toHaveLength(doubled);
      expect(ours.pages).toHaveLength(adapted);
      expect(ours.fetched).toBeLessThanOrEqual(theirs.fetched);
    },
  );

  it('leap no further than four times what was seen while nothing has matched', () => {
    expect(byAdapting(Array<boolean>(30_000).fill(false), 100).pages).toEqual([
      100, 400, 2000, 10_000, 10_000, 10_000,
    ]);
  });

  it('double where the last page shows clusters', () => {
    const pages = new AdaptivePages(100);
    expect(pages.next({ keys: 100, matched: 0 })).toBe(400);
    // Half of the second page after nothing in the first: no even spread, so the third page is doubling's.
    expect(pages.next({ keys: 500, matched: 50 })).toBe(400);
  });
});

const keys = Array.from(
  { length: 3000 },
  (_, i) => `/registry/pods/ns/pod-${String(i).padStart(5, '0')}`,
);

/** Answers pages of these keys; a list counts what it asked for. */
function readerOf(matches: readonly boolean[]) {
  const limitsAsked: number[] = [];
  const all = keys.slice(0, matches.length);
  const { reader } = scriptedEtcd({
    range: ({ key, limit = 0n }) => {
      const start = new TextDecoder().decode(key);
      const from = all.findIndex((one) => one >= start);
      const rest = from < 0 ? [] : all.slice(from);
      limitsAsked.push(Number(limit));
      const kvs = rest
        .slice(0, limit > 0n ? Number(limit) : undefined)
        .map((one) => scriptedValue(one, new Map(matches[keys.indexOf(one)] ? [['a', 'b']] : [])));
      const more = kvs.length < rest.length;
      const base = { revision: 7n, bytes: 10 * kvs.length, endpoint: 'script:1' };
      return Promise.resolve({ ...base, kvs, count: BigInt(rest.length), more });
    },
    streams: [[scriptedError('unimplemented')]],
  });
  return { reader, limitsAsked };
}

async function listed(matches: readonly boolean[], limit: bigint, hooks: ListHooks<TestObject>) {
  const { reader, limitsAsked } = readerOf(matches);
  const options = listOptions({ key: '/pods/ns', limit, labelSelector: 'a=b' });
  const result = await testStore({ etcd: reader }).getList(options, hooks);
  return { result, limitsAsked };
}

const answerOf = ({ items, continueToken, resourceVersion }: ListResult<TestObject>) => ({
  items: items.map(({ object }) => object.name),
  continueToken,
  resourceVersion,
});

describe('the sizing of pages', () => {
  it('changes requests and nothing of the answer', async () => {
    const small = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.boolean()), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(small, fc.integer({ min: 1, max: 60 }), async (runs, limit) => {
        const matches = runs.flatMap(([length, matched]) => Array<boolean>(length).fill(matched));
        const doubled = await listed(matches, BigInt(limit), {});
        for (const pageSizing of ['fixed', 'adaptive'] as const) {
          const other = await listed(matches, BigInt(limit), { pageSizing });
          expect(answerOf(other.result)).toEqual(answerOf(doubled.result));
        }
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    [undefined, [10, 20, 40, 80, 160, 320]],
    ['doubling', [10, 20, 40, 80, 160, 320]],
    // The tenth match is the 361st key.
    ['fixed', Array<number>(37).fill(10)],
    // Seven of 250 keys matched: three more at 7.5 of 251, and twice that estimate's spread.
    ['adaptive', [10, 40, 200, 236]],
  ] as const)('%s', async (pageSizing, asked) => {
    const hooks = pageSizing === undefined ? {} : { pageSizing };
    const { limitsAsked, result } = await listed(every(40, 2000), 10n, hooks);
    expect(result.items).toHaveLength(10);
    expect(limitsAsked).toEqual(asked);
  });

  it('leaves a limit of 10,000 and more as it is', async () => {
    for (const pageSizing of ['doubling', 'adaptive'] as const) {
      const { limitsAsked } = await listed(every(2, 3000), 20_000n, { pageSizing });
      expect(limitsAsked).toEqual([20_000]);
    }
  });
});
