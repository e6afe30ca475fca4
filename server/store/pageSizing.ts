/** Which size the next page of a list has. Upstream's way doubles it (rule P1). */
import { AdaptivePages } from './adaptivePages';
import type { PageSizing } from './interfaces';
import { maxPageSize, nextPageSize } from './pageSize';

/** The size of the page after one of this size. Asked only when the consumer wants that page. */
export type NextSize = (size: bigint) => bigint;

/** A list so far; read whenever a page is to be sized. */
interface Progress {
  readonly examined: number;
  readonly returned: number;
}

const same: NextSize = (size) => size;

function adaptive(limit: bigint, progress: Progress): NextSize {
  // Growth stops there, and a client's larger limit is kept: as with doubling.
  if (limit <= 0n || limit >= maxPageSize) return same;
  const pages = new AdaptivePages(Number(limit));
  return () => BigInt(pages.next({ keys: progress.examined, matched: progress.returned }));
}

/** `limit` is the client's, and the size of the first page whatever the sizing. */
export function nextSizeOf(sizing: PageSizing, limit: bigint, progress: Progress): NextSize {
  switch (sizing) {
    case 'doubling':
      return nextPageSize;
    case 'fixed':
      return same;
    case 'adaptive':
      return adaptive(limit, progress);
  }
}
