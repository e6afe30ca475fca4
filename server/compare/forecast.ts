/** What each way would read, before anything is read: from a bounded sample, for matches that stand evenly. */
import {
  doubling,
  naive,
  readPages,
  readToEnd,
  type KeyRange,
  type Pager,
  type PagesRead,
} from '../explain/estimatePages';
import { ALL, at, even, type Placement } from '../explain/estimatePlacement';
import { AdaptivePages } from '../store/adaptivePages';
import { maxPageSize } from '../store/pageSize';
import type { WayName } from './model';
import type { Sample } from './sample';

export interface Forecast {
  readonly way: WayName;
  readonly requests: number;
  readonly keys: number;
  readonly bytes: number;
  /** It takes more pages than are reckoned with. */
  readonly atLeast: boolean;
}

export interface ForecastRequest {
  readonly ways: readonly WayName[];
  /** The client's; above zero. */
  readonly limit: number;
  readonly toTheEnd: boolean;
}

/** Each list begins anew: its first page is all that was seen. */
function adaptive(limit: number): Pager {
  if (limit >= Number(maxPageSize)) return naive;
  let pages = new AdaptivePages(limit);
  return {
    next: (page, seen) => {
      if (page.keys === seen.keys) pages = new AdaptivePages(limit);
      return pages.next(seen);
    },
    isSettled: () => false,
  };
}

/** Of a sample without a match, half a one: there may be some that were not looked at. */
function placementOf({ looked, matched, filtered, at: known }: Sample): Placement {
  if (!filtered) return ALL;
  if (known !== undefined) return at(known);
  return even(Math.max(matched, 0.5) / Math.max(looked, 1));
}

/** A stream is left when the list is full; one to the end, or of few keys, reads all of them. */
function streamed({ keys, placement, limit }: KeyRange, toTheEnd: boolean): number {
  return toTheEnd ? keys : Math.min(keys, placement.nth(limit));
}

type Reading = Pick<PagesRead, 'requests' | 'fetched' | 'isPartial'>;

export function forecastOf(sample: Sample, request: ForecastRequest): Forecast[] {
  const { limit, toTheEnd } = request;
  const range: KeyRange = { keys: sample.keys, placement: placementOf(sample), limit };
  const paged = (pager: Pager): PagesRead =>
    toTheEnd ? readToEnd(range, pager) : readPages(range, pager);
  const read: Readonly<Record<WayName, () => Reading>> = {
    pages: () => paged(doubling),
    naive: () => paged(naive),
    adaptive: () => paged(adaptive(limit)),
    stream: () => ({ requests: 1, fetched: streamed(range, toTheEnd), isPartial: false }),
  };
  return request.ways.map((way) => {
    const { requests, fetched: keys, isPartial: atLeast } = read[way]();
    return { way, requests, keys, bytes: Math.round(keys * sample.bytesPerKey), atLeast };
  });
}
