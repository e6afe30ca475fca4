/**
 * Ours, not upstream's: sizes each page by the share of keys that matched so far. For comparison; no
 * list is read so unless it is asked to be.
 */
import { maxPageSize } from './pageSize';

/** Keys looked at, and those among them that were selected. */
export interface Seen {
  readonly keys: number;
  readonly matched: number;
}

/** A page is at most so many times all keys seen before it: few keys say little about many. */
const growth = 4;
/** Standard deviations that a page is larger than what is expected to fill the list. */
const margin = 2;
/** Standard deviations by which two shares differ that are not of one even spread. */
const doubt = 3;
const cap = Number(maxPageSize);

/**
 * Keys that probably hold so many more matches. The share is taken as half a match and a key more than
 * were seen, so that it is never zero; the spread is that of the share itself, of which few matches
 * tell little, and that of the matches to come.
 */
function keysFor(wanted: number, { keys, matched }: Seen): number {
  const share = (matched + 0.5) / (keys + 1);
  const spread = Math.sqrt((1 - share) * (1 / wanted + 1 / (matched + 0.5)));
  return (wanted / share) * (1 + margin * spread);
}

/** Whether the last page's share is so far from that of the pages before that matches come in clusters. */
function isClustered(before: Seen, last: Seen): boolean {
  if (before.keys === 0 || last.keys === 0) return false;
  const share = (before.matched + last.matched) / (before.keys + last.keys);
  const deviation = Math.sqrt(share * (1 - share) * (1 / before.keys + 1 / last.keys));
  const apart = Math.abs(last.matched / last.keys - before.matched / before.keys);
  return apart > doubt * deviation;
}

/**
 * Pages of one list with a limit below 10,000; the first page is the limit, as upstream's.
 *
 * - A page holds the keys that are expected to fill the list at the share of matches seen so far, and
 *   a margin, so that one page more is rarely needed.
 * - It is at most four times all keys seen before it, and at most 10,000. So a list never fetches more
 *   than five times the keys it examines.
 * - Where the last page's share and that of the pages before cannot be of one even spread, the share
 *   tells nothing of what follows, and the page is the one that doubling would ask for.
 * - After any number of pages at least as many keys are read as doubling reads in one page fewer. So
 *   wherever the matches stand, a list takes at most one request more than with doubling.
 */
export class AdaptivePages {
  private before: Seen = { keys: 0, matched: 0 };
  /** What doubling would have asked for so far: its last page, and all of them. */
  private doubled: number;
  private doubledKeys: number;

  constructor(private readonly limit: number) {
    this.doubled = limit;
    this.doubledKeys = limit;
  }

  /** The size of the next page, once all keys of the pages so far were seen and the list is short. */
  next(seen: Seen): number {
    const { keys, matched } = seen;
    const last = { keys: keys - this.before.keys, matched: matched - this.before.matched };
    const least = this.doubledKeys - keys;
    this.doubled = Math.min(cap, this.doubled * 2);
    this.doubledKeys += this.doubled;
    const expected = isClustered(this.before, last)
      ? this.doubled
      : Math.ceil(keysFor(this.limit - matched, seen));
    this.before = seen;
    return Math.max(1, least, Math.min(cap, growth * keys, expected));
  }
}
