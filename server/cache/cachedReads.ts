/** The store of lists over one cache's contents. */
import { readCurrentRevision } from '../store/currentRevision';
import type { ListStore, Predicate } from '../store/interfaces';
import { etcdKey, prepareKey, storePathPrefix } from '../store/keys';
import { createStore } from '../store/list';
import { plainReadError } from '../store/readErrors';
import type { ReceiptBuilder } from '../store/receipt';
import type { CachedItem } from './cachedItem';
import { cachedStore } from './cachedStore';
import type { Contents } from './contents';
import { byIndex, indexFieldsOf } from './fieldIndex';
import type { Freshness } from './freshness';
import type { WatchCacheConfig } from './interfaces';
import type { RangeSource } from './rangeRead';
import type { Readiness } from './readiness';

export interface CacheParts<T> {
  readonly contents: Contents<T>;
  readonly freshness: Freshness;
  readonly readiness: Readiness;
}

export function cachedReads<T>(config: WatchCacheConfig<T>, parts: CacheParts<T>): ListStore<T> {
  const { store, metrics, gates, progress } = config;
  const { contents, readiness } = parts;
  const { resourcePrefix, groupResource, decoder, clock } = store;
  const supportsProgress = (): boolean => progress.supports('RequestWatchProgress');
  return cachedStore({
    parts: {
      root: storePathPrefix(store.root),
      storeMetrics: store.metrics,
      cacheMetrics: metrics,
      ...{ resourcePrefix, groupResource, decoder, clock },
    },
    below: createStore(store),
    gates,
    facts: () => ({
      supportsProgress,
      hasSeen: (revision) => revision <= contents.revision,
      hasSnapshotFor: (revision) => contents.hasSnapshotFor(revision),
    }),
    isReady: () => readiness.isReady,
    source: (receipt, signal) => new CacheSource(config, parts, receipt, signal),
  });
}

/** What one list reads of the cache. */
class CacheSource<T> implements RangeSource<T> {
  constructor(
    private readonly config: WatchCacheConfig<T>,
    private readonly parts: CacheParts<T>,
    private readonly receipt: ReceiptBuilder,
    private readonly signal: AbortSignal | undefined,
  ) {}

  get revision(): bigint {
    return this.parts.contents.revision;
  }

  get latest() {
    return this.parts.contents.latest;
  }

  at(revision: bigint) {
    return this.parts.contents.at(revision);
  }

  refusal() {
    return this.parts.readiness.refusal();
  }

  indexed(items: readonly CachedItem<T>[], predicate: Predicate) {
    const { decoder, groupResource, clock } = this.config.store;
    const { signal } = this;
    const indexFields = indexFieldsOf(groupResource);
    return byIndex({ decoder, predicate, indexFields, clock, signal }, items);
  }

  waitUntilFresh(revision: bigint): Promise<void> {
    const asks = this.config.progress.supports('RequestWatchProgress');
    return this.parts.freshness.wait(revision, asks, this.signal);
  }

  async currentRevision(): Promise<bigint> {
    const { etcd, root, resourcePrefix, groupResource, metrics, clock } = this.config.store;
    const prepared = prepareKey(resourcePrefix, resourcePrefix, false);
    const resourceKey = etcdKey(storePathPrefix(root), prepared);
    const { receipt, signal } = this;
    try {
      const context = { etcd, groupResource, metrics, clock, receipt, signal, resourceKey };
      // Whatever the connection chose: a consistent read stands on it.
      return await readCurrentRevision(context, false);
    } catch (error) {
      throw plainReadError(error);
    }
  }
}
