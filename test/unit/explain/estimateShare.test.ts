import { describe, expect, it } from 'vitest';
import { meanOf, shareOf, wilson, worthOf } from '../../../server/explain/estimateShare';

describe("Wilson's interval", () => {
  // Newcombe (1998), Statistics in Medicine 17, Table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i is %f to %f', (matched, objects, low, high) => {
    const found = wilson(matched, objects);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  it('of nothing is anything', () => {
    expect(wilson(0, 0)).toMatchObject({ low: 0, high: 1 });
  });
});

/** A generator that gives the same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

it('holds the true share in about 95 of 100 samples that were taken one by one', () => {
  const random = numbers(1);
  let held = 0;
  for (let run = 0; run < 2000; run++) {
    const places = Array.from({ length: 9 }, () => ({
      objects: 100,
      matched: Array.from({ length: 100 }, random).filter((value) => value < 0.05).length,
    }));
    const { low, high } = shareOf(places).share;
    if (low <= 0.05 && 0.05 <= high) held++;
  }
  expect(held).toBeGreaterThan(1860);
});

it('holds it also where neighbours are alike, and tells a wider range then', () => {
  const random = numbers(2);
  let held = 0;
  for (let run = 0; run < 2000; run++) {
    // A place has none, some or many of them: 10 % in all.
    const places = Array.from({ length: 9 }, () => {
      const share = random() < 0.5 ? 0.02 : 0.18;
      const found = Array.from({ length: 100 }, random).filter((value) => value < share);
      return { objects: 100, matched: found.length };
    });
    const { low, high } = shareOf(places).share;
    if (low <= 0.1 && 0.1 <= high) held++;
  }
  expect(held).toBeGreaterThan(1860);
});

it('takes a sample of places that differ for a smaller one', () => {
  const alike = Array.from({ length: 5 }, () => ({ objects: 100, matched: 10 }));
  expect(worthOf(alike)).toBe(500);
  const [first, ...others] = alike.map((place) => ({ ...place, matched: 0 }));
  expect(worthOf([{ ...first!, matched: 50 }, ...others])).toBeLessThan(5);
});

it('tells how far the mean size may be off, by how far the places differ', () => {
  const alike = [
    { objects: 10, bytes: 1000 },
    { objects: 10, bytes: 1000 },
  ];
  expect(meanOf(alike)).toEqual({ likely: 100, low: 100, high: 100 });
  const { likely, low, high } = meanOf([alike[0]!, { objects: 10, bytes: 3000 }]);
  expect(likely).toBe(200);
  expect(low).toBe(0);
  expect(high).toBeGreaterThan(300);
});
