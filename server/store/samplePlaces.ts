/**
 * Keys that divide a range into parts with about as many keys each. etcd finds no key by its number,
 * but it counts: one key read from anywhere tells how many follow. So the range is divided where keys
 * could stand, and again where most of them do.
 */
import { compareBytes } from '../common/bytes';

export interface RankedKey {
  readonly key: Uint8Array;
  /** Keys of the range before it. */
  readonly rank: number;
}

/** The first key at or behind this one; undefined where none follows. */
export type Ranker = (key: Uint8Array) => Promise<RankedKey | undefined>;

export interface PlacesWanted {
  /** The first key of the range. */
  readonly first: Uint8Array;
  /** Where the range ends. */
  readonly end: Uint8Array;
  readonly total: number;
  readonly places: number;
  /** Reads that may be made for it. */
  readonly reads: number;
}

/** Keys between two bounds: from `rank` on to before `nextRank`. */
export interface Part {
  readonly key: Uint8Array;
  readonly rank: number;
  readonly next: Uint8Array;
  readonly nextRank: number;
  /** Bytes of its first key with which all of them may still begin. */
  readonly shared: number;
}

/** In their order, beginning with the first key; fewer where the reads do not suffice. */
export async function evenPlaces(wanted: PlacesWanted, ranker: Ranker): Promise<RankedKey[]> {
  const { first, end, total, places } = wanted;
  const most = Math.max(1, total / places);
  let parts: Part[] = [{ key: first, rank: 0, next: end, nextRank: total, shared: first.length }];
  for (let reads = wanted.reads; reads > 0; reads--) {
    const widest = parts.reduce((a, b) => (widthOf(b) > widthOf(a) ? b : a));
    if (widthOf(widest) <= most) break;
    const at = cutOf(widest);
    if (at === undefined) break;
    const cut = cutAt(widest, at, await ranker(at));
    parts = parts.flatMap((part) => (part === widest ? cut : [part]));
  }
  return nearest(parts, total, places);
}

const widthOf = ({ rank, nextRank }: Part): number => nextRank - rank;

function cutAt(part: Part, at: Uint8Array, found: RankedKey | undefined): Part[] {
  // Keys may be written meanwhile: what lies outside is taken for the end.
  if (found === undefined || found.rank >= part.nextRank || found.rank <= part.rank) {
    return [{ ...part, next: at }];
  }
  const { key, rank } = found;
  return [
    { ...part, next: at, nextRank: rank },
    { ...part, key, rank, shared: commonLength(part.key, key) },
  ];
}

/** Of the places found those next to even ones, each once. */
function nearest(parts: readonly Part[], total: number, places: number): RankedKey[] {
  const chosen = new Set<Part>();
  for (let i = 0; i < places; i++) {
    const wanted = (total * i) / places;
    const best = parts.reduce((a, b) =>
      Math.abs(b.rank - wanted) < Math.abs(a.rank - wanted) ? b : a,
    );
    chosen.add(best);
  }
  return parts.filter((part) => chosen.has(part)).map(({ key, rank }) => ({ key, rank }));
}

/** Names of objects have no character behind `z`. */
const BEHIND_NAMES = 0x7b;
const BEHIND_DIGITS = 0x3a;

/**
 * A key inside of the part to cut it at; undefined where none is found. Names begin alike for long: so
 * first it is found out with how many bytes they do, by halving those, and then the byte behind them
 * is halved.
 */
export function cutOf({ key, next, shared }: Part): Uint8Array | undefined {
  let depth = commonLength(key, next);
  let alike = shared;
  if (next.length === depth + 1 && next[depth] === (key[depth] ?? 0) + 1 && depth < key.length) {
    // All that lie between these two begin with one byte more, and perhaps with many.
    if (alike <= depth) alike = key.length;
    depth++;
  }
  const deeper = Math.ceil((depth + alike) / 2);
  const cuts = [
    deeper > depth ? withByte(key, deeper, BEHIND_NAMES) : undefined,
    withByte(key, depth, between(key[depth] ?? 0, next[depth] ?? BEHIND_NAMES)),
    withByte(key, key.length, between(0, BEHIND_NAMES)),
  ];
  return cuts.find((cut) => cut !== undefined && isInside(cut, key, next));
}

/** Half way; where digits begin, among the digits. */
function between(low: number, high: number): number {
  const digits = low >= 0x30 && low < 0x39 && high > BEHIND_DIGITS;
  return (low + (digits ? BEHIND_DIGITS : Math.min(high, BEHIND_NAMES))) >> 1;
}

const isInside = (key: Uint8Array, low: Uint8Array, high: Uint8Array): boolean =>
  compareBytes(low, key) < 0 && compareBytes(key, high) < 0;

function commonLength(a: Uint8Array, b: Uint8Array): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function withByte(key: Uint8Array, length: number, byte: number): Uint8Array {
  const made = new Uint8Array(length + 1);
  made.set(key.subarray(0, length));
  made[length] = byte;
  return made;
}
