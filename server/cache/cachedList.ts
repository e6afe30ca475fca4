/** One list from the cache's memory: key, readiness, range, selection, token, metrics, receipt. */
import { checkListVersion } from '../store/resourceVersion';
import { prepareContinue, type PreparedContinue } from '../store/continueToken';
import { inconsistentReply } from '../store/errorTexts';
import type {
  GroupResource,
  ItemDecoder,
  ListHooks,
  ListOptions,
  ListResult,
  TotalRecord,
} from '../store/interfaces';
import { etcdKey, prepareKey } from '../store/keys';
import { isUnfiltered } from '../store/predicate';
import type { ReceiptBuilder } from '../store/receipt';
import type { Clock } from '../common/clock';
import type { CacheMetrics } from '../metrics/cacheMetrics';
import type { StoreMetrics } from '../metrics/storeMetrics';
import { readRange, type CachedRange, type RangeSource } from './rangeRead';
import { emptySelection, select, type Selection } from './selection';
import { cacheLimit } from './serving';

export interface CachedListParts<T> {
  /** Cleaned, with a slash at both ends. */
  readonly root: string;
  readonly resourcePrefix: string;
  readonly groupResource: GroupResource;
  readonly decoder: ItemDecoder<T>;
  readonly clock: Clock;
  readonly storeMetrics: StoreMetrics;
  readonly cacheMetrics: CacheMetrics;
}

/** What a list has come to, also when it fails. */
export interface CachedProgress<T> {
  range: CachedRange<T> | undefined;
  readonly selection: Selection<T>;
}

export const noProgress = <T>(): CachedProgress<T> => ({
  range: undefined,
  selection: emptySelection<T>(),
});

/**
 * Rejects with `StoreError`: `invalidKey`, 429 while the cache cannot be read, 410 and 504 as upstream;
 * what etcd fails with when it is asked for its revision.
 */
export async function listFromCache<T>(
  parts: CachedListParts<T>,
  source: RangeSource<T>,
  options: ListOptions,
  hooks: ListHooks<T>,
  progress: CachedProgress<T>,
): Promise<PreparedContinue> {
  const { root, resourcePrefix, decoder, clock, groupResource } = parts;
  const key = etcdKey(root, prepareKey(resourcePrefix, options.key, options.recursive));
  const refusal = source.refusal();
  if (refusal !== undefined) throw refusal;
  const { predicate, resourceVersion } = options;
  const range = await readRange(source, options, key);
  progress.range = range;
  const limit = cacheLimit(predicate.limit, resourceVersion);
  const { signal, onItems } = hooks;
  const ask = { decoder, predicate, limit, clock, signal, onItems };
  await select(ask, range.items, progress.selection);
  const prepared = tokenOf(parts, options, range, progress.selection);
  checkListVersion(range.revision);
  const counts = {
    fetched: range.items.length,
    evaluated: 0,
    returned: progress.selection.returned,
  };
  parts.storeMetrics.recordList(groupResource, 'watchcache', range.index, counts);
  parts.cacheMetrics.recordCacheList(groupResource, range.index, counts);
  return prepared;
}

/** The start key is told from the list's key as it was asked for: without a slash at its end, it gets one (rule C6). */
function tokenOf<T>(
  { root }: CachedListParts<T>,
  { key, predicate }: ListOptions,
  range: CachedRange<T>,
  { hasMore, lastKey }: Selection<T>,
): PreparedContinue {
  try {
    return prepareContinue({
      lastKey: lastKey ?? new Uint8Array(0),
      keyPrefix: etcdKey(root, key),
      resourceVersion: BigInt.asIntN(64, range.revision),
      count: BigInt(range.items.length),
      hasMore,
      limit: predicate.limit,
      filtered: !isUnfiltered(predicate),
    });
  } catch (error) {
    throw inconsistentReply((error as Error).message);
  }
}

const nothingFollows: PreparedContinue = { token: '', remainingItemCount: null };

/** The counts of the receipt: what was read from memory, and what of it was looked at. */
export function cachedTotals<T>(
  { range, selection }: CachedProgress<T>,
  limit: bigint,
  prepared = nothingFollows,
): Omit<TotalRecord, 'requests' | 'largestReplyBytes' | 'durationMs'> {
  const { examined, returned } = selection;
  return {
    fetched: range?.items.length ?? 0,
    examined,
    evaluated: examined,
    returned,
    resourceVersion: range === undefined ? null : BigInt.asUintN(64, range.revision),
    continueToken: prepared.token,
    remainingItemCount: prepared.remainingItemCount,
    naiveRequests: limit > 0n ? Math.max(1, Math.ceil(examined / Number(limit))) : null,
    streamed: false,
    servedBy: 'watchcache',
  };
}

export function cachedResult<T>(
  progress: CachedProgress<T>,
  prepared: PreparedContinue,
  limit: bigint,
  receipt: ReceiptBuilder,
): ListResult<T> {
  const { range, selection } = progress;
  return {
    items: selection.items,
    resourceVersion: BigInt.asUintN(64, range?.revision ?? 0n),
    continueToken: prepared.token,
    remainingItemCount: prepared.remainingItemCount,
    unreadable: [],
    lastKey: selection.lastKey,
    receipt: receipt.finish(cachedTotals(progress, limit, prepared)),
  };
}
