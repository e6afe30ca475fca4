/**
 * Which pages a list reads from etcd (rules P1 to P7): for a range of keys with a known placement of
 * those that are selected, the same as the engine reads, page by page.
 */
import { nextPageSize } from '../store/pageSize';
import type { Placement } from './estimatePlacement';

export interface KeyRange {
  readonly keys: number;
  readonly placement: Placement;
  /** Objects wanted at most; 0 is no limit. */
  readonly limit: number;
}

export interface PageRead {
  /** Keys asked for; 0 for all. */
  readonly asked: number;
  /** Keys that came. */
  readonly keys: number;
  /** Taken of them: a list that is full leaves the rest of its last page. */
  readonly matched: number;
}

/** Chooses how large the next page is. */
export interface Pager {
  /** Asked only while the list is neither full nor at the end. */
  next(page: PageRead, soFar: { readonly keys: number; readonly matched: number }): number;
  /** From a page of this size on all have the same, whatever matches. */
  isSettled(size: number): boolean;
}

const doubled = (size: number): number => Number(nextPageSize(BigInt(size)));

/** Upstream's: twice as large each time, up to 10,000. */
export const doubling: Pager = {
  next: ({ asked }) => doubled(asked),
  isSettled: (size) => doubled(size) === size,
};

/** Fixed pages of the client's limit. */
export const naive: Pager = { next: ({ asked }) => asked, isSettled: () => true };

export interface PagesRead {
  /** The first of them, at most `MOST_PAGES`. */
  readonly pages: readonly PageRead[];
  readonly requests: number;
  /** Keys that came. */
  readonly fetched: number;
  readonly examined: number;
  readonly returned: number;
  /** Keys of the largest page. */
  readonly largest: number;
  /** Keys follow behind the last one examined, so that there is a continue token. */
  readonly more: boolean;
  /** It takes more pages than are followed here: all figures are at least so high. */
  readonly isPartial: boolean;
}

export const MOST_PAGES = 2000;
/** Pages and lists that are followed one by one. */
const MOST_STEPS = 200_000;

/** One LIST from behind its first `from` keys. */
export function readPages(range: KeyRange, pager: Pager, from = 0): PagesRead {
  const { keys: total, placement, limit } = range;
  if (limit <= 0) return oneRead(range, from);
  const before = placement.among(from);
  const full = placement.nth(before + limit);
  const until = Math.min(full, total);
  const pages: PageRead[] = [];
  let [requests, at, size, largest] = [0, from, limit, 0];
  let isPartial = false;
  for (;;) {
    const end = Math.min(at + size, total);
    const matched = placement.among(Math.min(end, until)) - placement.among(at);
    const page = { asked: size, keys: end - at, matched };
    if (pages.length < MOST_PAGES) pages.push(page);
    requests++;
    at = end;
    largest = Math.max(largest, page.keys);
    if (at >= until) break;
    size = pager.next(page, { keys: at - from, matched: placement.among(at) - before });
    if (pages.length === MOST_PAGES && pager.isSettled(size)) {
      const rest = Math.ceil((until - at) / size);
      largest = Math.max(largest, Math.min(size, total - at));
      requests += rest;
      at = Math.min(at + rest * size, total);
      break;
    }
    if (requests >= MOST_STEPS) {
      isPartial = true;
      break;
    }
  }
  const examined = Math.min(at, until);
  return {
    pages,
    requests,
    fetched: at - from,
    examined: examined - from,
    returned: placement.among(examined) - before,
    largest,
    more: examined < total,
    isPartial,
  };
}

function oneRead({ keys: total, placement }: KeyRange, from: number): PagesRead {
  const keys = total - from;
  const returned = placement.among(total) - placement.among(from);
  return {
    pages: [{ asked: 0, keys, matched: returned }],
    requests: 1,
    fetched: keys,
    examined: keys,
    returned,
    largest: keys,
    more: false,
    isPartial: false,
  };
}

export interface ListsRead extends PagesRead {
  /** LIST requests of the client. */
  readonly lists: number;
}

/** The LIST and those after it, each with the continue token of the one before, to the end. */
export function readToEnd(range: KeyRange, pager: Pager): ListsRead {
  let sum: ListsRead | undefined;
  let [from, steps] = [0, 0];
  do {
    const list = readPages(range, pager, from);
    sum = sum === undefined ? { ...list, lists: 1 } : joined(sum, list);
    from += list.examined;
    steps += list.pages.length;
    if (steps >= MOST_STEPS) return { ...sum, isPartial: sum.isPartial || sum.more };
  } while (sum.more);
  return sum;
}

function joined(sum: ListsRead, list: PagesRead): ListsRead {
  const room = MOST_PAGES - sum.pages.length;
  return {
    pages: room > 0 ? [...sum.pages, ...list.pages.slice(0, room)] : sum.pages,
    requests: sum.requests + list.requests,
    fetched: sum.fetched + list.fetched,
    examined: sum.examined + list.examined,
    returned: sum.returned + list.returned,
    largest: Math.max(sum.largest, list.largest),
    more: list.more,
    isPartial: sum.isPartial || list.isPartial,
    lists: sum.lists + 1,
  };
}
