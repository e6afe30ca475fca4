import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  doubling,
  naive,
  readPages,
  readToEnd,
  MOST_PAGES,
  type KeyRange,
  type Pager,
} from '../../../server/explain/estimatePages';
import { ALL, at, even, NONE, together } from '../../../server/explain/estimatePlacement';
import { chunksOf, readStream } from '../../../server/explain/estimateStream';

const range = (share: number, limit: number, keys = 1_000_000): KeyRange => ({
  keys,
  placement: even(share),
  limit,
});

describe('a list of at most 100 objects reads', () => {
  it('7 pages of 12,700 keys where 1 % match, and 100 naive ones', () => {
    const read = readPages(range(0.01, 100), doubling);
    expect(read.pages.map(({ asked }) => asked)).toEqual([100, 200, 400, 800, 1600, 3200, 6400]);
    expect(read).toMatchObject({ requests: 7, fetched: 12_700, examined: 10_000, returned: 100 });
    expect(readPages(range(0.01, 100), naive).requests).toBe(100);
  });

  it('16 pages where 0.1 % match: seven that grow and nine of 10,000; 1,000 or 991 naive ones', () => {
    const read = readPages(range(0.001, 100), doubling);
    expect(read.requests).toBe(16);
    expect(read.pages.slice(7).map(({ asked }) => asked)).toEqual(Array(9).fill(10_000));
    expect(readPages(range(0.001, 100), naive).requests).toBe(1000);
    const first = { ...range(0.001, 100), placement: even(0.001, 'first') };
    expect(readPages(first, naive).requests).toBe(991);
    const one = { ...range(0.01, 100), placement: even(0.01, 'first') };
    expect(readPages(one, naive).requests).toBe(100);
    expect(readPages(one, doubling).examined).toBe(9901);
  });

  it('one page where all match, and all keys where none does', () => {
    const all = readPages({ keys: 1000, placement: ALL, limit: 100 }, doubling);
    expect(all).toMatchObject({ requests: 1, fetched: 100, more: true });
    const none = readPages({ keys: 1000, placement: NONE, limit: 100 }, doubling);
    expect(none).toMatchObject({ requests: 4, fetched: 1000, returned: 0, more: false });
  });

  it('one empty page of no keys', () => {
    const read = readPages({ keys: 0, placement: ALL, limit: 100 }, doubling);
    expect(read).toMatchObject({ requests: 1, fetched: 0, more: false });
  });
});

it('keeps a limit beyond 10,000, and grows to 10,000 below it', () => {
  const sizes = (limit: number) =>
    readPages({ keys: 100_000, placement: NONE, limit }, doubling).pages.map(({ asked }) => asked);
  expect(sizes(25_000)).toEqual([25_000, 25_000, 25_000, 25_000]);
  expect(sizes(7000).slice(0, 3)).toEqual([7000, 10_000, 10_000]);
});

it('reckons very many pages without following each', () => {
  const read = readPages(range(1e-9, 10, 1e12), naive);
  expect(read.pages).toHaveLength(MOST_PAGES);
  expect(read).toMatchObject({ requests: 1e9, fetched: 1e10, isPartial: false });
  const ended = readPages({ keys: 1e12 + 5, placement: NONE, limit: 10 }, naive);
  expect(ended).toMatchObject({ requests: 1e11 + 1, fetched: 1e12 + 5, largest: 10 });
});

it('says where it does not follow an own pager to the end', () => {
  const restless: Pager = { next: ({ asked }) => (asked === 1 ? 2 : 1), isSettled: () => false };
  const read = readPages({ keys: 1e9, placement: NONE, limit: 1 }, restless);
  expect(read.isPartial).toBe(true);
});

it('follows tokens from the last key examined, so that the rest of a page is read again', () => {
  const read = readToEnd({ keys: 1000, placement: even(0.1), limit: 50 }, doubling);
  // 50, 100, 200, 400 keys for the first 500; then the same again.
  expect(read).toMatchObject({ lists: 2, requests: 8, fetched: 1250, returned: 100 });
  const all = readToEnd({ keys: 1000, placement: ALL, limit: 300 }, doubling);
  expect(all).toMatchObject({ lists: 4, requests: 4, fetched: 1000, returned: 1000 });
});

/** The engine's loop, key by key. */
function slow(keys: readonly boolean[], limit: number, pager: Pager) {
  let [at, found, requests, size] = [0, 0, 0, limit];
  let fetched = 0;
  for (;;) {
    const page = keys.slice(at, at + size);
    requests++;
    fetched += page.length;
    let examined = 0;
    for (const isSelected of page) {
      if (found >= limit) break;
      examined++;
      if (isSelected) found++;
    }
    const start = at;
    at += examined;
    const hasMore = start + page.length < keys.length;
    if (found >= limit || !hasMore) {
      return { requests, fetched, examined: at, returned: found, more: at < keys.length };
    }
    const matched = page.filter(Boolean).length;
    size = pager.next({ asked: size, keys: page.length, matched }, { keys: at, matched: found });
  }
}

it('reads what a loop over the keys would read, wherever the selected ones stand', () => {
  const kept = fc.array(fc.boolean(), { maxLength: 400 });
  fc.assert(
    fc.property(kept, fc.integer({ min: 1, max: 60 }), fc.boolean(), (keys, limit, grows) => {
      const places = keys.flatMap((isSelected, i) => (isSelected ? [i + 1] : []));
      const pager = grows ? doubling : naive;
      const read = readPages({ keys: keys.length, placement: at(places), limit }, pager);
      expect(read).toMatchObject(slow(keys, limit, pager));
      expect(read.pages.reduce((sum, page) => sum + page.matched, 0)).toBe(read.returned);
    }),
  );
});

it('places as many as it says', () => {
  const placements = [even(0.03), even(0.03, 'first'), even(1 / 3), together(17, 40), ALL];
  for (const placement of placements) {
    for (let n = 1; n <= 40; n++) {
      const key = placement.nth(n);
      expect([placement.among(key), placement.among(key - 1)]).toEqual([n, n - 1]);
    }
  }
});

describe('a stream', () => {
  it('begins with 10 keys and doubles until a chunk is half of 1.5 MiB', () => {
    const { sizes, count } = chunksOf(5000, 2048);
    expect(sizes.slice(0, 7)).toEqual([10, 20, 40, 80, 160, 320, 640]);
    expect(sizes.slice(7)).toEqual([640, 640, 640, 640, 640, 530]);
    expect(count).toBe(13);
  });

  it('halves its chunks where they are beyond 3 MiB', () => {
    expect(chunksOf(30, 1024 * 1024).sizes.slice(0, 4)).toEqual([10, 5, 2, 2]);
  });

  it('is one request of the limit, or of all keys', () => {
    const read = readStream({ keys: 5000, placement: ALL, limit: 100 }, 2048);
    expect(read).toMatchObject({ requests: 1, fetched: 100, chunks: 4, more: true });
    expect(readStream({ keys: 5000, placement: ALL, limit: 0 }, undefined).chunks).toBeUndefined();
    expect(chunksOf(0, 2048).count).toBe(1);
  });
});
