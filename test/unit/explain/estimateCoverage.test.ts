/** Ranges told from a sample hold what a list takes: about 95 of 100, on thousands of clusters made by chance. */
import { expect, it } from 'vitest';
import { pagesReading } from '../../../server/explain/estimateCost';
import { doubling, readPages } from '../../../server/explain/estimatePages';
import { at } from '../../../server/explain/estimatePlacement';
import { measuredKeys } from '../../../server/explain/estimateSample';

const KEYS = 20_000;
const PLACES = 9;
const EACH = 55;
const RUNS = 400;

/** A generator that gives the same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Keys, counted from 1, that match: each by chance, or all of a stretch of `clump` keys by chance. */
function matchesOf(random: () => number, share: number, clump: number): number[] {
  const places: number[] = [];
  for (let from = 1; from <= KEYS; from += clump) {
    if (random() >= share) continue;
    for (let key = from; key < from + clump && key <= KEYS; key++) places.push(key);
  }
  return places;
}

function sampleOf(places: readonly number[], random: () => number) {
  const offset = Math.floor(random() * 100);
  const taken = Array.from({ length: PLACES }, (_, i) => {
    const from = offset + Math.floor((i * KEYS) / PLACES);
    const matched = places.filter((key) => key > from && key <= from + EACH).length;
    return { objects: EACH, matched, bytes: EACH * 1000 };
  });
  const cost = { requests: PLACES, keys: PLACES * EACH, bytes: PLACES * EACH * 1000 };
  return measuredKeys({ keys: KEYS, places: taken, unreadable: 0, cost });
}

it.each([
  [0.2, 100, 1],
  [0.03, 100, 1],
  [0.03, 500, 1],
  [0.01, 20, 1],
  [0.01, 100, 1],
  [0.002, 20, 1],
  [0.05, 100, 10],
  [0.05, 100, 100],
  [0.2, 200, 500],
])('of %f that match, a limit of %i and clumps of %i', (share, limit, clump) => {
  const random = numbers(share * 1e6 + limit + clump);
  let held = 0;
  for (let run = 0; run < RUNS; run++) {
    const places = matchesOf(random, share, clump);
    const { cost } = pagesReading(sampleOf(places, random), limit, doubling);
    const taken = readPages({ keys: KEYS, placement: at(places), limit }, doubling);
    const within = (figure: { low: number; high: number }, value: number): boolean =>
      figure.low <= value && value <= figure.high;
    if (within(cost.requests, taken.requests) && within(cost.examined, taken.examined)) held++;
  }
  expect(held / RUNS).toBeGreaterThan(0.93);
});
