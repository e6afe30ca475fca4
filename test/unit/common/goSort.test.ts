import { describe, expect, it } from 'vitest';
import { goSort } from '../../../server/common/goSort';

interface Item {
  readonly key: number;
  readonly index: number;
}

function items(keys: readonly number[]): Item[] {
  return keys.map((key, index) => ({ key, index }));
}

/** A number for the order that the sort leaves; the expected ones were computed by Go 1.26. */
function orderHash(keys: readonly number[]): number {
  const sorted = items(keys);
  goSort(sorted, (a, b) => a.key < b.key);
  return sorted.reduce((hash, { index }) => (Math.imul(hash, 31) + index) >>> 0, 0);
}

function randomKeys(count: number, distinct: number): number[] {
  let state = count * 1000 + distinct;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % distinct;
  });
}

/** Keys made while sorting so that every pivot is a bad one: they drive the sort to heap sort. */
function killerKeys(count: number): number[] {
  const undecided = count - 1;
  const keys = Array.from({ length: count }, () => undecided);
  let [candidate, solid] = [0, 0];
  const order = keys.map((_, i) => i);
  goSort(order, (x, y) => {
    if (keys[x] === undecided && keys[y] === undecided) {
      keys[x === candidate ? x : y] = solid++;
    }
    if (keys[x] === undecided) candidate = x;
    else if (keys[y] === undecided) candidate = y;
    return keys[x]! < keys[y]!;
  });
  return keys;
}

const pattern: readonly ((i: number, count: number) => number)[] = [
  (i) => i,
  (i, count) => count - i,
  (i) => i % 3,
  (i, count) => (i < count / 2 ? i : count - i),
];

describe('goSort', () => {
  it.each([
    [12, 2, 1433724302],
    [12, 7, 2024099804],
    [12, 100, 3629013178],
    [13, 2, 1898874390],
    [13, 7, 228824692],
    [13, 100, 2358991768],
    [49, 2, 1631229758],
    [49, 7, 3382112288],
    [50, 2, 1257973133],
    [50, 7, 3510000523],
    [50, 100, 1692939381],
    [51, 2, 2495161825],
    [51, 7, 603090153],
    [200, 2, 436730946],
    [200, 7, 1635466654],
    [1000, 2, 953953054],
    [1000, 7, 2627859606],
    [1000, 100, 237308090],
    [5000, 2, 3703212790],
    [5000, 7, 2341149988],
    [5000, 100, 741253488],
  ])('leaves %i elements with %i keys in the order that Go does', (count, distinct, hash) => {
    expect(orderHash(randomKeys(count, distinct))).toBe(hash);
  });

  it.each([
    [60, 0, 3911896094],
    [60, 1, 951879970],
    [60, 2, 2585462526],
    [60, 3, 3985004828],
    [500, 0, 723408122],
    [500, 1, 1083874502],
    [500, 2, 2449973692],
    [500, 3, 211167272],
  ])('leaves %i elements of pattern %i in the order that Go does', (count, which, hash) => {
    const key = pattern[which]!;
    expect(orderHash(Array.from({ length: count }, (_, i) => key(i, count)))).toBe(hash);
  });

  it.each([
    [100, 344776434],
    [1000, 3891351516],
  ])('falls back to heap sort on %i hostile elements as Go does', (count, hash) => {
    expect(orderHash(killerKeys(count).map((key) => Math.floor(key / 2)))).toBe(hash);
  });

  it('is stable up to twelve elements', () => {
    const sorted = items([2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
    goSort(sorted, (a, b) => a.key < b.key);
    expect(sorted.map(({ index }) => index)).toEqual([1, 3, 5, 7, 9, 11, 0, 2, 4, 6, 8, 10]);
  });

  it('sorts a hundred thousand hostile elements in time', () => {
    const sorted = items(killerKeys(100_000));
    goSort(sorted, (a, b) => a.key < b.key);
    expect(sorted.every(({ key }, i) => i === 0 || sorted[i - 1]!.key <= key)).toBe(true);
  });
});
