/** Where in the order of keys the objects stand that a list selects. Keys are counted from 1. */
export interface Placement {
  /** The key at which the n-th of them stands; Infinity where there are fewer. */
  nth(n: number): number;
  /** How many are among the first `keys`. */
  among(keys: number): number;
}

/** Every key, as of a list without a selector. */
export const ALL: Placement = { nth: (n) => n, among: (keys) => keys };

export const NONE: Placement = { nth: () => Infinity, among: () => 0 };

/** A double may miss a whole number by so much of it. */
const TOLERANCE = 1e-12;

const up = (value: number): number => Math.ceil(value * (1 - TOLERANCE));
const down = (value: number): number => Math.floor(value * (1 + TOLERANCE));

/**
 * One in each block of `1 / rate` keys, as its last or its first one: between these two lie all
 * placements that are as even as they can be.
 */
export function even(rate: number, at: 'last' | 'first' = 'last'): Placement {
  if (rate <= 0) return NONE;
  if (rate >= 1) return ALL;
  return at === 'last'
    ? { nth: (n) => up(n / rate), among: (keys) => down(keys * rate) }
    : { nth: (n) => down((n - 1) / rate) + 1, among: (keys) => up(keys * rate) };
}

/** Side by side: `count` of them behind the first `before` keys. */
export function together(before: number, count: number): Placement {
  return {
    nth: (n) => (n <= count ? before + n : Infinity),
    among: (keys) => Math.min(count, Math.max(0, keys - before)),
  };
}

/** At these keys, in ascending order, which are all. */
export function at(keys: readonly number[]): Placement {
  return {
    nth: (n) => keys[n - 1] ?? Infinity,
    among: (last) => countUpTo(keys, last),
  };
}

/** How many of ascending numbers are at most `most`. */
function countUpTo(ascending: readonly number[], most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
