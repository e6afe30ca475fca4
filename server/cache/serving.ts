/**
 * How a list or a get that came to the watch cache is served (rules C2, C4, C5): by the cache, by
 * etcd, or by etcd after the cache. Upstream: `pkg/storage/cacher/delegator.go`, `util.go`.
 */
import { isStoreError, StoreError } from '../store/errors';
import type { ListOptions } from '../store/interfaces';
import { isUnfiltered } from '../store/predicate';
import type { Delegation } from './delegation';

/** The API server's feature gates that decide here. */
export interface CacheGates {
  readonly listFromCacheSnapshot: boolean;
  readonly consistentListFromCacheSkipTimeoutFallback: boolean;
}

/** Labels of `apiserver_watch_cache_consistent_read_total`. */
export interface ConsistentReadOutcome {
  readonly success: boolean;
  readonly fallback: 'true' | 'false' | 'skipped';
}

/** What etcd may serve for a cache that is not ready: no selectors, and a limit. */
export function passesUnready({ predicate }: Pick<ListOptions, 'predicate'>): boolean {
  return isUnfiltered(predicate) && predicate.limit > 0n;
}

/** The cache refuses by itself while it is not ready, where etcd may not serve in its place. */
export function firstSource(
  delegation: Delegation,
  mayPassUnready: boolean,
  isReady: () => boolean,
): 'cache' | 'etcd' {
  if (delegation.toEtcd) return 'etcd';
  return !isReady() && mayPassUnready ? 'etcd' : 'cache';
}

/** How the cache failed, as far as it matters for what comes next. */
export type CacheFailure = 'expired' | 'tooLargeResourceVersion' | 'other';

/** `expired` falls back before the consistent read is counted. */
export type AfterFailure = 'etcdUncounted' | 'etcd' | 'tooManyRequests' | 'fail';

export function afterFailure(
  failure: CacheFailure,
  consistentRead: boolean,
  gates: CacheGates,
): AfterFailure {
  if (failure === 'expired' && gates.listFromCacheSnapshot) return 'etcdUncounted';
  if (!consistentRead || failure !== 'tooLargeResourceVersion') return 'fail';
  return gates.consistentListFromCacheSkipTimeoutFallback ? 'tooManyRequests' : 'etcd';
}

export interface ServedList<T> {
  readonly delegation: Delegation;
  readonly mayPassUnready: boolean;
  readonly gates: CacheGates;
  readonly isReady: () => boolean;
  /** Rejects with `unreadyError` while the cache is not ready. */
  readonly fromCache: () => Promise<T>;
  readonly fromEtcd: () => Promise<T>;
  readonly onConsistentRead: (outcome: ConsistentReadOutcome) => void;
}

/** Serves one list whose options were accepted. */
export async function serveList<T>(list: ServedList<T>): Promise<T> {
  const { delegation, mayPassUnready, isReady, fromCache, fromEtcd } = list;
  if (firstSource(delegation, mayPassUnready, isReady) === 'etcd') return fromEtcd();
  let answer: T;
  try {
    answer = await fromCache();
  } catch (error) {
    return afterCache(list, error);
  }
  count(list, { success: true, fallback: 'false' });
  return answer;
}

async function afterCache<T>(list: ServedList<T>, error: unknown): Promise<T> {
  const { delegation, gates, fromEtcd } = list;
  switch (afterFailure(failureOf(error), delegation.consistentRead, gates)) {
    case 'etcdUncounted':
      return fromEtcd();
    case 'etcd':
      return counted(list, fromEtcd);
    case 'tooManyRequests':
      count(list, { success: false, fallback: 'skipped' });
      throw tooManyRequests((error as Error).message, TOO_HIGH_RETRY_SECONDS, error);
    case 'fail':
      count(list, { success: false, fallback: 'false' });
      throw error;
  }
}

async function counted<T>(list: ServedList<T>, fromEtcd: () => Promise<T>): Promise<T> {
  let success = false;
  try {
    const answer = await fromEtcd();
    success = true;
    return answer;
  } finally {
    count(list, { success, fallback: 'true' });
  }
}

function count<T>({ delegation, onConsistentRead }: ServedList<T>, outcome: ConsistentReadOutcome) {
  if (delegation.consistentRead) onConsistentRead(outcome);
}

function failureOf(error: unknown): CacheFailure {
  if (isStoreError(error, 'tooLargeResourceVersion')) return 'tooLargeResourceVersion';
  return isStoreError(error) && error.reason === 'Expired' ? 'expired' : 'other';
}

/** The limit that a list from the cache obeys, 0 for none: a version of exactly `0` leaves it out. */
export function cacheLimit(limit: bigint, resourceVersion: string): bigint {
  return limit <= 0n || resourceVersion === '0' ? 0n : limit;
}

/** After a cache that did not catch up. Upstream: `resourceVersionTooHighRetrySeconds`. */
export const TOO_HIGH_RETRY_SECONDS = 1;

/** Upstream's text of a cache that has not read its list yet, or reads it anew. */
export const UNREADY = 'storage is (re)initializing';

/** `downSeconds` is how long the cache has not been ready. */
export function unreadyError(downSeconds: number, message = UNREADY): StoreError {
  return tooManyRequests(message, unreadyRetrySeconds(downSeconds));
}

const LONGEST_RETRY_SECONDS = 30;

/** Whole seconds after which a client may ask again. */
export function unreadyRetrySeconds(downSeconds: number): number {
  const seconds = Math.exp(0.06 * downSeconds);
  return Math.trunc(Math.min(LONGEST_RETRY_SECONDS, Math.max(1, seconds)));
}

function tooManyRequests(message: string, retryAfterSeconds: number, cause?: unknown): StoreError {
  return new StoreError({
    code: 'tooManyRequests',
    message,
    status: 429,
    reason: 'TooManyRequests',
    retryAfterSeconds,
    cause,
  });
}
