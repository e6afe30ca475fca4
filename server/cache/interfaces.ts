/** A watch cache of one resource, as those see it who start it, list from it and show what it is. */
import type { CacheMetrics } from '../metrics/cacheMetrics';
import type { ListStore } from '../store/interfaces';
import type { StoreConfig } from '../store/list';
import type { FeedSource } from '../store/watchInterfaces';
import type { CacheGates } from './serving';

/** What is known of this etcd's progress notifications (rule C4). */
export interface ProgressSupport {
  supports(feature: 'RequestWatchProgress'): boolean;
  /** Asks every member's version until it answers or the signal aborts. Never rejects. */
  checkAll(etcd: StoreConfig<unknown>['etcd'], signal: AbortSignal): Promise<void>;
}

export interface WatchCacheConfig<T> {
  /** The store below, which serves what the cache passes on. Its decoder makes the cache's objects. */
  readonly store: StoreConfig<T>;
  /** Where the cache is filled from; a watch of the store's own etcd when absent. */
  readonly feeds?: FeedSource;
  readonly progress: ProgressSupport;
  readonly metrics: CacheMetrics;
  readonly gates: CacheGates;
  /** Bytes the cache may take, as it counts them; looked at again whenever it grows. */
  readonly limitBytes: number;
}

export type CacheState =
  /** Not started. */
  | 'off'
  /** Reads its first list. */
  | 'filling'
  | 'ready'
  /** Was ready; its watch could not go on, and it is filled anew. */
  | 'refilling'
  /** Ended, with a failure or on request; its memory is free. */
  | 'stopped';

export interface CacheStatus {
  readonly state: CacheState;
  /** Of the fill that runs, while one does. */
  readonly objects: number;
  /** Bytes taken, counted and not measured, with those of earlier states. */
  readonly bytes: number;
  readonly limitBytes: number;
  /** The revision up to which everything is known; 0 before the first fill. */
  readonly revision: bigint;
  /** Wall-clock time of the last fill in milliseconds since 1970; undefined before it. */
  readonly filledAt: number | undefined;
  /** States that can be listed, the current one among them. */
  readonly snapshots: number;
  /** The earliest revision that can be listed; undefined without snapshots. */
  readonly oldestSnapshot: bigint | undefined;
  readonly windowEvents: number;
  readonly windowCapacity: number;
  /** Whether consistent reads can be served. */
  readonly supportsProgress: boolean;
  /** Why its watch is broken just now; it is resumed, and the cache grows old meanwhile. */
  readonly interrupted: Error | undefined;
  /** What ended the cache, or what it is filled anew for. */
  readonly failure: Error | undefined;
}

export interface StartOptions {
  readonly signal?: AbortSignal;
  /** Told what the cache will take, before it is filled. */
  readonly onEstimate?: (estimate: CacheEstimate) => void;
  /** Told now and then while the cache is filled. */
  readonly onProgress?: (status: CacheStatus) => void;
}

/** What a cache will take, by etcd's count of keys and the size of a few of them. */
export interface CacheEstimate {
  readonly objects: bigint;
  readonly bytes: number;
  readonly limitBytes: number;
}

/** Lists come out of `getList` whatever the state: etcd serves what the cache may pass on. */
export interface WatchCache<T> extends ListStore<T> {
  /**
   * Fills the cache and keeps it up to date until it is stopped; once. Resolves when it can be read.
   * Rejects with `StoreError`: `cacheFull` when it would be larger than its limit, which is found out
   * by two small reads first; else with what etcd failed with. It is stopped then.
   */
  start(options?: StartOptions): Promise<void>;
  status(): CacheStatus;
  /** Resolves when the watch has ended. Idempotent. */
  stop(): Promise<void>;
  /** Resolves with what ended the cache after it was ready; undefined when it was asked to stop. */
  readonly ended: Promise<Error | undefined>;
}
