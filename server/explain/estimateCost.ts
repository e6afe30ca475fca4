/** What one way of reading costs, as figures with their range. */
import type { Cost, EstimateRow, Figure, Matches, StoredKeys } from './estimateModel';
import {
  readPages,
  readToEnd,
  type KeyRange,
  type ListsRead,
  type Pager,
  type PagesRead,
} from './estimatePages';
import { ALL, at, even, NONE, together, type Placement } from './estimatePlacement';
import { countedAmong, shareAmong } from './estimateShare';
import { readStream, type StreamRead } from './estimateStream';

export type Reading = Pick<EstimateRow, 'cost' | 'pages' | 'isPartial'>;

/** Where the selected objects likely stand, and where they would make the list cheapest and dearest. */
interface Placements {
  readonly likely: Placement;
  readonly best: Placement;
  readonly worst: Placement;
}

export const exactly = (value: number): Figure => ({ likely: value, low: value, high: value });

/** From pages of etcd; a limit of 0 is none. */
export function pagesReading(stored: StoredKeys, limit: number, pager: Pager): Reading {
  return readingOf(stored, limit, (range) => readPages(range, pager));
}

/** All LIST requests of a client that follows its tokens. */
export function toEndReading(stored: StoredKeys, limit: number, pager: Pager): Reading {
  const read = (range: KeyRange) => readToEnd(range, pager);
  return readingOf(stored, limit, read, placementsBetween(stored, limit));
}

/** Shares that are tried between the least and the most. */
const BETWEEN = 24;

/** What is read again after each list hangs on where the list was full: neither end has the most of it. */
function placementsBetween({ matches, keys }: StoredKeys, limit: number): Placement[] {
  if (matches.kind !== 'share' || matches.clustered === true) return [];
  const { low, high } = rangeOf(matches, keys, limit);
  if (low === high) return [];
  const least = Math.max(low, 1 / keys);
  return Array.from({ length: BETWEEN }, (_, i) =>
    even(least * (Math.max(high, least) / least) ** (i / (BETWEEN - 1))),
  );
}

export function streamReading(stored: StoredKeys, limit: number): Reading {
  const sizes = stored.bytesPerKey;
  const reading = readingOf(stored, limit, (range) => readStream(range, sizes?.likely));
  if (sizes === undefined) return reading;
  const ends = [sizes.low, sizes.high].map((size) =>
    readingOf(stored, limit, (range) => readStream(range, size)),
  );
  const chunks = [reading, ...ends].map(({ cost }) => cost.chunks?.likely ?? 0);
  return { ...reading, cost: { ...reading.cost, chunks: spanOf(chunks) } };
}

/** One key, which may not be there. */
export function keyReading({ bytesPerKey }: StoredKeys): Reading {
  return keysReading(bytesPerKey, { likely: 1, low: 0, high: 1 });
}

/** One key of an object that is there. */
export function objectReading({ bytesPerKey }: StoredKeys): Reading {
  return keysReading(bytesPerKey, exactly(1));
}

function keysReading(bytesPerKey: Figure | undefined, one: Figure): Reading {
  const read = { requests: exactly(1), keys: one, examined: one, returned: one };
  return { cost: { ...read, ...sizesOf(bytesPerKey, one, one, one) }, pages: [], isPartial: false };
}

/** From memory: etcd is asked for its revision at most. Of a limit of 0 all that match are answered. */
export function cacheReading(stored: StoredKeys, limit: number, asksRevision: boolean): Reading {
  const { returned } = readingOf(stored, 0, (range) => readPages(range, ONCE)).cost;
  const capped = limit > 0 ? mapped(returned, (count) => Math.min(limit, count)) : returned;
  const none = exactly(0);
  const read = {
    requests: exactly(asksRevision ? 1 : 0),
    keys: none,
    examined: none,
    returned: capped,
  };
  const sizes = sizesOf(stored.bytesPerKey, none, none, capped);
  return { cost: { ...read, ...sizes }, pages: [], isPartial: false };
}

/** A list without a limit asks no pager. */
const ONCE: Pager = { next: ({ asked }) => asked, isSettled: () => true };

type AnyRead = PagesRead & Partial<Pick<ListsRead, 'lists'> & Pick<StreamRead, 'chunks'>>;

function readingOf(
  stored: StoredKeys,
  limit: number,
  read: (range: KeyRange) => AnyRead,
  others: readonly Placement[] = [],
): Reading {
  const { keys, matches, bytesPerKey } = stored;
  const { likely, best, worst } = placementsOf(matches, keys, limit);
  const reads = [likely, best, worst, ...others].map((placement) =>
    read({ keys, placement, limit }),
  );
  const [first] = reads;
  const figure = (of: (one: AnyRead) => number): Figure => spanOf(reads.map(of));
  const optional = (name: 'chunks' | 'lists') =>
    first?.[name] === undefined ? {} : { [name]: figure((one) => one[name] ?? 0) };
  const fetched = figure((one) => one.fetched);
  const returned = figure((one) => one.returned);
  const largest = figure((one) => one.largest);
  return {
    cost: {
      requests: figure((one) => one.requests),
      keys: fetched,
      examined: figure((one) => one.examined),
      returned,
      ...sizesOf(bytesPerKey, fetched, largest, returned),
      ...optional('chunks'),
      ...optional('lists'),
    },
    pages: first?.pages ?? [],
    isPartial: reads.some(({ isPartial }) => isPartial),
  };
}

function sizesOf(
  bytesPerKey: Figure | undefined,
  keys: Figure,
  largest: Figure,
  returned: Figure,
): Pick<Cost, 'bytes' | 'largestReply' | 'held'> {
  if (bytesPerKey === undefined) return {};
  const bytes = (count: Figure): Figure => ({
    likely: Math.round(count.likely * bytesPerKey.likely),
    low: Math.floor(count.low * bytesPerKey.low),
    high: Math.ceil(count.high * bytesPerKey.high),
  });
  const [reply, objects] = [bytes(largest), bytes(returned)];
  const held = {
    likely: reply.likely + objects.likely,
    low: reply.low + objects.low,
    high: reply.high + objects.high,
  };
  return { bytes: bytes(keys), largestReply: reply, held };
}

function placementsOf(matches: Matches, keys: number, limit: number): Placements {
  switch (matches.kind) {
    case 'all':
      return { likely: ALL, best: ALL, worst: ALL };
    case 'unknown':
      return { likely: NONE, best: ALL, worst: NONE };
    case 'known': {
      const known = at(matches.at);
      return { likely: known, best: known, worst: known };
    }
    case 'share':
      return shared(matches, keys, limit);
  }
}

function shared(matches: Share, keys: number, limit: number): Placements {
  const { share, clustered } = matches;
  if (clustered === true) return sideBySide(share, keys);
  const { likely, low, high } = rangeOf(matches, keys, limit);
  if (low === high) {
    // A share that is given leaves no doubt, nor does one of which all keys are read.
    const one = even(likely);
    return { likely: one, best: one, worst: one };
  }
  if (clustered === 'perhaps') return { ...sideBySide(share, keys), likely: even(share.likely) };
  return { likely: even(likely), best: even(high, 'first'), worst: even(low) };
}

type Share = Extract<Matches, { kind: 'share' }>;

/** The share of those keys that the list looks at until it is full. */
function rangeOf({ share, alike = 1, counted }: Share, keys: number, limit: number): Figure {
  const scanned = limit > 0 ? Math.min(keys, limit / Math.max(share.likely, 1 / keys)) : keys;
  if (counted === true) return countedAmong(share.likely, scanned, keys);
  return shareAmong(share, Math.max(1, scanned / alike));
}

function sideBySide({ likely, low, high }: Figure, keys: number): Placements {
  const count = (share: number): number => Math.round(share * keys);
  const free = keys - count(likely);
  return {
    likely: together(Math.floor(free / 2), count(likely)),
    best: together(0, count(high)),
    worst: together(keys - count(low), count(low)),
  };
}

function spanOf([likely = 0, ...others]: readonly number[]): Figure {
  return { likely, low: Math.min(likely, ...others), high: Math.max(likely, ...others) };
}

function mapped({ likely, low, high }: Figure, change: (value: number) => number): Figure {
  return { likely: change(likely), low: change(low), high: change(high) };
}
