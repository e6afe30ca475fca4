/** A watch cache as most tests want it: over a given etcd, filled by a given feed. */
import { systemClock, type Clock } from '../../server/common/clock';
import { silentLog, type Log } from '../../server/common/log';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { createFeatureChecker, type FeatureChecker } from '../../server/etcd/features';
import type { ProgressSupport, WatchCache } from '../../server/cache/interfaces';
import type { CacheGates } from '../../server/cache/serving';
import { createWatchCache } from '../../server/cache/watchCache';
import { createCacheMetrics } from '../../server/metrics/cacheMetrics';
import { createStoreMetrics, type StoreMetrics } from '../../server/metrics/storeMetrics';
import type { ItemDecoder } from '../../server/store/interfaces';
import type { FeedSource } from '../../server/store/watchInterfaces';
import { testDecoder, type TestObject } from './testObjects';

export interface CacheRigOptions {
  readonly etcd: EtcdReader;
  readonly feeds?: FeedSource;
  readonly decoder?: ItemDecoder<TestObject>;
  readonly progress?: ProgressSupport;
  readonly gates?: Partial<CacheGates>;
  readonly stream?: boolean;
  readonly limitBytes?: number;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly features?: FeatureChecker;
}

export interface CacheRig {
  readonly cache: WatchCache<TestObject>;
  readonly metrics: StoreMetrics;
  /** Lines of the metrics of lists and consistent reads, without help and buckets. */
  readonly counted: () => Promise<string[]>;
}

export function cacheRig(options: CacheRigOptions): CacheRig {
  const { etcd, feeds, clock = systemClock } = options;
  const metrics = createStoreMetrics();
  const features = options.features ?? createFeatureChecker(clock);
  const cache = createWatchCache({
    store: {
      etcd,
      root: '/registry',
      resourcePrefix: '/pods',
      groupResource: { group: '', resource: 'pods' },
      decoder: options.decoder ?? testDecoder(),
      streamSupport: features,
      metrics,
      clock,
      log: options.log ?? silentLog,
      gates: {
        etcdRangeStream: options.stream ?? false,
        allowUnsafeMalformedObjectDeletion: false,
      },
      guardUnlimitedReads: false,
    },
    ...(feeds !== undefined && { feeds }),
    progress: options.progress ?? features,
    metrics: createCacheMetrics(metrics.registry),
    gates: {
      listFromCacheSnapshot: true,
      consistentListFromCacheSkipTimeoutFallback: false,
      ...options.gates,
    },
    limitBytes: options.limitBytes ?? 64 * 1024 * 1024,
  });
  const counted = async (): Promise<string[]> => {
    const text = await metrics.registry.metrics();
    const wanted = /^apiserver_(storage_list|cache_list|watch_cache_consistent).*_total\{/;
    return text.split('\n').filter((line) => wanted.test(line));
  };
  return { cache, metrics, counted };
}

/** What is known of progress notifications, as a test says. */
export function knownProgress(supported: boolean | (() => boolean)): ProgressSupport {
  return {
    supports: () => (typeof supported === 'boolean' ? supported : supported()),
    checkAll: () => Promise.resolve(),
  };
}
