/** What the numbers of a resource amount to. */
import type { CacheLists, EtcdLists } from './tally';

/** Objects fetched for each that was returned at which a selector throws most of them away. */
export const MANY_FETCHED = 10;
/** Requests for each list at which lists go on for more than a page: doubling is at work. */
export const MANY_PAGES = 2;
/** Objects fetched for each that was looked at at which pages are read further than needed. */
export const MANY_UNREAD = 2;
/** Objects fetched below which a ratio says little. */
export const FEW_FETCHED = 1000;
/** Part of the requests that failed at which it is said. */
export const MANY_FAILED = 0.01;
/** Part of the consistent reads that the cache passed on at which it is said. */
export const MANY_FELL_BACK = 0.01;

export type EtcdVerdict =
  /** Most is thrown away, page after page. */
  | 'spiral'
  /** Most is thrown away, in reads of about one request each. */
  | 'scan'
  /** Much is fetched that no list looks at. */
  | 'overread'
  | 'fine'
  /** Too little was read to judge. */
  | 'little'
  /** Something is missing that a verdict needs. */
  | 'unknown';

export type CacheVerdict = 'fallbacks' | 'filtered' | 'fine' | 'unknown';

/** Infinite where something comes to nothing; undefined where one is unknown or both are 0. */
export function ratio(from: number | undefined, to: number | undefined): number | undefined {
  if (from === undefined || to === undefined || (from === 0 && to === 0)) return undefined;
  return to === 0 ? Infinity : from / to;
}

export function etcdVerdict(of: EtcdLists): EtcdVerdict {
  const { fetched, evaluated, returned, requests, lists } = of;
  if (fetched === undefined || returned === undefined) return 'unknown';
  if (fetched < FEW_FETCHED) return 'little';
  const perList = ratio(requests, lists);
  if ((ratio(fetched, returned) ?? 0) >= MANY_FETCHED) {
    return perList !== undefined && perList >= MANY_PAGES ? 'spiral' : 'scan';
  }
  return (ratio(fetched, evaluated) ?? 0) >= MANY_UNREAD ? 'overread' : 'fine';
}

export function cacheVerdict({
  fetched,
  returned,
  consistent,
  fellBack,
}: CacheLists): CacheVerdict {
  if ((fellBack ?? 0) > (consistent ?? 0) * MANY_FELL_BACK) return 'fallbacks';
  if (fetched === undefined || returned === undefined) {
    return consistent === undefined ? 'unknown' : 'fine';
  }
  if (fetched >= FEW_FETCHED && (ratio(fetched, returned) ?? 0) >= MANY_FETCHED) return 'filtered';
  return 'fine';
}
