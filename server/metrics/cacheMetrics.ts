/**
 * Metrics of watch caches under upstream's names, labels and buckets (rule M1). Upstream:
 * `pkg/storage/cacher/metrics`. The three of `apiserver_cache_list_*` are deprecated since 1.37 and
 * still counted there.
 */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ListCounts, ResourceLabels } from './storeMetrics';

export interface ConsistentReadLabels {
  readonly success: boolean;
  readonly fallback: 'true' | 'false' | 'skipped';
}

export interface CacheMetrics {
  /** One LIST that the cache served. `index` is the index used, empty for none. */
  recordCacheList(
    resource: ResourceLabels,
    index: string,
    counts: Pick<ListCounts, 'fetched' | 'returned'>,
  ): void;
  recordConsistentRead(resource: ResourceLabels, outcome: ConsistentReadLabels): void;
  /** How long a read waited for the cache to be fresh. */
  recordReadWait(resource: ResourceLabels, seconds: number): void;
}

const perResource = ['group', 'resource'] as const;
const perIndex = [...perResource, 'index'] as const;
const waitBuckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3];

function listCounters(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `apiserver_cache_list_${name}`, help, labelNames, registers });
  return {
    lists: counter('total', 'LIST requests served from the watch cache.', perIndex),
    fetched: counter(
      'fetched_objects_total',
      'Objects read from the watch cache for LISTs.',
      perIndex,
    ),
    returned: counter(
      'returned_objects_total',
      'Objects returned to LISTs from the watch cache.',
      perResource,
    ),
  };
}

/** Adds to the registry of a connection's metrics; once for each registry. */
export function createCacheMetrics(registry: Registry): CacheMetrics {
  const registers = [registry];
  const lists = listCounters(registers);
  const consistentReads = new Counter({
    name: 'apiserver_watch_cache_consistent_read_total',
    help: 'Consistent reads by whether they succeeded and whether etcd served them.',
    labelNames: [...perResource, 'success', 'fallback'] as const,
    registers,
  });
  const readWait = new Histogram({
    name: 'apiserver_watch_cache_read_wait_seconds',
    help: 'Time that reads waited for the watch cache to be fresh, in seconds.',
    labelNames: perResource,
    buckets: waitBuckets,
    registers,
  });
  return {
    recordCacheList({ group, resource }, index, { fetched, returned }) {
      lists.lists.inc({ group, resource, index });
      lists.fetched.inc({ group, resource, index }, fetched);
      lists.returned.inc({ group, resource }, returned);
    },
    recordConsistentRead({ group, resource }, { success, fallback }) {
      consistentReads.inc({ group, resource, success: String(success), fallback });
    },
    recordReadWait({ group, resource }, seconds) {
      readWait.observe({ group, resource }, seconds);
    },
  };
}
