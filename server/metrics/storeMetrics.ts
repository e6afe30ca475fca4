/**
 * The engine's metrics under upstream's names, labels and buckets (rule M1), in a registry of their
 * own. Upstream: `pkg/storage/metrics`, `pkg/storage/etcd3/metrics`.
 */
import { Counter, Histogram, Registry } from 'prom-client';

export interface ResourceLabels {
  readonly group: string;
  readonly resource: string;
}

export type ListStorage = 'etcd' | 'watchcache';

export interface ListCounts {
  readonly fetched: number;
  readonly evaluated: number;
  readonly returned: number;
}

export interface StoreMetrics {
  readonly registry: Registry;
  /** One etcd request, failed or not; `seconds` is its duration. */
  recordEtcdRequest(
    operation: string,
    resource: ResourceLabels,
    failed: boolean,
    seconds: number,
  ): void;
  /** One LIST. `index` is the cache index used, empty for none. */
  recordList(
    resource: ResourceLabels,
    storage: ListStorage,
    index: string,
    counts: ListCounts,
  ): void;
  recordListDuration(resource: ResourceLabels, streamed: boolean, seconds: number): void;
  recordDecodeError(resource: ResourceLabels): void;
  /** One event of a watch. */
  recordEvent(resource: ResourceLabels): void;
  /** One progress notification of a watch. */
  recordBookmark(resource: ResourceLabels): void;
}

const buckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45,
  60,
];

const perResource = ['group', 'resource'] as const;
const perStorage = [...perResource, 'storage'] as const;
const perIndex = [...perStorage, 'index'] as const;
const perOperation = ['operation', ...perResource] as const;

function listCounters(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `apiserver_storage_list_${name}`, help, labelNames, registers });
  return {
    lists: counter('total', 'LIST requests served from storage.', perIndex),
    fetched: counter('fetched_objects_total', 'Objects read from storage for LISTs.', perIndex),
    evaluated: counter(
      'evaluated_objects_total',
      'Objects decoded and tested for LISTs.',
      perStorage,
    ),
    returned: counter('returned_objects_total', 'Objects returned to LISTs.', perStorage),
  };
}

function requestMetrics(registers: Registry[]) {
  const labelNames = perOperation;
  return {
    requests: new Counter({
      name: 'etcd_requests_total',
      help: 'Requests to etcd by operation and resource.',
      labelNames,
      registers,
    }),
    requestErrors: new Counter({
      name: 'etcd_request_errors_total',
      help: 'Failed requests to etcd by operation and resource.',
      labelNames,
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'etcd_request_duration_seconds',
      help: 'Duration of requests to etcd in seconds.',
      labelNames,
      buckets,
      registers,
    }),
  };
}

function otherMetrics(registers: Registry[]) {
  return {
    listSeconds: new Histogram({
      name: 'apiserver_storage_list_duration_seconds',
      help: 'Duration of LISTs in the storage layer in seconds, by whether they were streamed.',
      labelNames: ['streamed', ...perResource] as const,
      buckets,
      registers,
    }),
    decodeErrors: new Counter({
      name: 'apiserver_storage_decode_errors_total',
      help: 'Stored objects that could not be decoded.',
      labelNames: perResource,
      registers,
    }),
  };
}

function watchCounters(registers: Registry[]) {
  return {
    events: new Counter({
      name: 'apiserver_storage_events_received_total',
      help: 'Events received from etcd by resource.',
      labelNames: perResource,
      registers,
    }),
    bookmarks: new Counter({
      name: 'etcd_bookmark_total',
      help: 'Progress notifications received from etcd by resource.',
      labelNames: perResource,
      registers,
    }),
  };
}

/** Metrics in a new registry, which the caller owns. */
export function createStoreMetrics(): StoreMetrics {
  const registry = new Registry();
  const registers = [registry];
  const lists = listCounters(registers);
  const etcd = requestMetrics(registers);
  const other = otherMetrics(registers);
  const watches = watchCounters(registers);
  return {
    registry,
    recordEtcdRequest(operation, { group, resource }, failed, seconds) {
      const labels = { operation, group, resource };
      etcd.requests.inc(labels);
      if (failed) etcd.requestErrors.inc(labels);
      etcd.requestSeconds.observe(labels, seconds);
    },
    recordList({ group, resource }, storage, index, counts) {
      const labels = { group, resource, storage };
      lists.lists.inc({ ...labels, index });
      lists.fetched.inc({ ...labels, index }, counts.fetched);
      lists.evaluated.inc(labels, counts.evaluated);
      lists.returned.inc(labels, counts.returned);
    },
    recordListDuration({ group, resource }, streamed, seconds) {
      other.listSeconds.observe({ streamed: String(streamed), group, resource }, seconds);
    },
    recordDecodeError({ group, resource }) {
      other.decodeErrors.inc({ group, resource });
    },
    recordEvent({ group, resource }) {
      watches.events.inc({ group, resource });
    },
    recordBookmark({ group, resource }) {
      watches.bookmarks.inc({ group, resource });
    },
  };
}
