/** The share of keys that a selector selects, from a sample of them: how sure it is. */
import type { Figure } from './estimateModel';

/** Of 100 ranges that are told, about 95 hold the true figure. */
const Z95 = 1.959964;

/** Student's t for the same, by how many places beyond the first tell how far they differ. */
const T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
const t95 = (degrees: number): number => T95[degrees - 1] ?? Z95 + 2.4 / degrees;

/** One place of a sample: objects read there, and how many of them the selector selects. */
export interface SampledPlace {
  readonly objects: number;
  readonly matched: number;
}

/** Wilson's interval of a share of `matched` in `objects`; neither needs to be whole. */
export function wilson(matched: number, objects: number): Figure {
  if (objects <= 0) return { likely: 0, low: 0, high: 1 };
  const share = Math.min(1, matched / objects);
  const z2 = Z95 * Z95;
  const middle = (share + z2 / (2 * objects)) / (1 + z2 / objects);
  const spread = (share * (1 - share)) / objects + z2 / (4 * objects * objects);
  const half = (Z95 * Math.sqrt(spread)) / (1 + z2 / objects);
  return { likely: share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * Objects that the sample is worth. Neighbours are much alike, so that a sample of a few places tells
 * less than one of as many objects taken one by one: how much less is told by how far the places differ.
 */
export function worthOf(places: readonly SampledPlace[]): number {
  const objects = sum(places, (place) => place.objects);
  const share = sum(places, (place) => place.matched) / Math.max(1, objects);
  const usual = share * (1 - share);
  if (places.length < 2 || usual === 0) return objects;
  const between = sum(places, (place) => (place.matched - share * place.objects) ** 2);
  const variance = (between / objects ** 2) * (places.length / (places.length - 1));
  const surety = (Z95 / t95(places.length - 1)) ** 2;
  const worth = variance === 0 ? objects : (usual / variance) * surety;
  return Math.min(objects, Math.max(1, worth));
}

/** Beyond it the places differ more than chance would have it: what is selected stands in clumps. */
const CLUMPED = 3;

export interface SampledShare {
  readonly share: Figure;
  readonly clustered: false | 'perhaps';
  readonly alike: number;
}

/** A sample in which nothing is selected is worth its places: of what stands in clumps it tells no more. */
export function shareOf(places: readonly SampledPlace[]): SampledShare {
  const objects = sum(places, (place) => place.objects);
  const matched = sum(places, (place) => place.matched);
  const worth = matched === 0 ? Math.min(objects, places.length) : worthOf(places);
  const share = matched / Math.max(1, objects);
  const alike = objects / Math.max(1, worth);
  return {
    share: { ...wilson(share * worth, worth), likely: share },
    clustered: alike > CLUMPED ? 'perhaps' : false,
    alike,
  };
}

/** A range in which the share of `scanned` keys lies, by that of all: chance places them as well. */
export function shareAmong({ likely, low, high }: Figure, scanned: number): Figure {
  const spread = (of: number) => wilson(of * scanned, scanned);
  if (low === high) return { likely, low, high };
  const [a, b] = [spread(likely), { low: likely - low, high: high - likely }];
  return {
    likely,
    low: Math.max(0, likely - Math.hypot(likely - a.low, b.low)),
    high: Math.min(1, likely + Math.hypot(a.high - likely, b.high)),
  };
}

/**
 * The same where the share of all `keys` is certain: of all it is that, of a part it is as chance places
 * them, the less so the larger the part is.
 */
export function countedAmong(share: number, scanned: number, keys: number): Figure {
  const { low, high } = wilson(share * scanned, scanned);
  const isOpen = share > 0 && share < 1 && scanned < keys;
  const left = isOpen ? Math.sqrt(1 - scanned / keys) : 0;
  return { likely: share, low: share - (share - low) * left, high: share + (high - share) * left };
}

/** Mean size of an object with its key, with the range of it that the places allow. */
export function meanOf(
  places: readonly { readonly objects: number; readonly bytes: number }[],
): Figure {
  const objects = sum(places, (place) => place.objects);
  const mean = sum(places, (place) => place.bytes) / Math.max(1, objects);
  if (places.length < 2) return { likely: mean, low: mean, high: mean };
  const between = sum(places, (place) => (place.bytes - mean * place.objects) ** 2);
  const error = Math.sqrt((between / objects ** 2) * (places.length / (places.length - 1)));
  const half = t95(places.length - 1) * error;
  return { likely: mean, low: Math.max(0, mean - half), high: mean + half };
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((so, one) => so + of(one), 0);
}
