/**
 * The metrics of an API server that tell of its lists, in the three forms that they have had. Upstream:
 * `pkg/storage/etcd3/metrics`, `pkg/storage/cacher/metrics` and, from 0.37, `pkg/storage/metrics`; read
 * at 0.30, 0.31, 0.32, 0.33, 0.34, 0.35, 0.36 and 0.37.
 */
export type Role =
  | 'lists'
  | 'fetched'
  | 'evaluated'
  | 'returned'
  | 'listSeconds'
  | 'listCount'
  | 'requests'
  | 'requestErrors'
  | 'requestSeconds'
  | 'requestCount'
  | 'decodeErrors'
  | 'cacheLists'
  | 'cacheFetched'
  | 'cacheReturned'
  | 'consistentReads'
  | 'start'
  | 'build';

const STORAGE = 'apiserver_storage_list_';
const CACHE = 'apiserver_cache_list_';
/** The second is a name that some articles give it. */
const REQUEST_SECONDS = [
  'etcd_request_duration_seconds',
  'apiserver_etcd_request_duration_seconds',
];

/** By the name that stands in the line. Buckets of histograms are not kept. */
export const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  [`${STORAGE}total`, 'lists'],
  [`${STORAGE}fetched_objects_total`, 'fetched'],
  [`${STORAGE}evaluated_objects_total`, 'evaluated'],
  [`${STORAGE}returned_objects_total`, 'returned'],
  [`${STORAGE}duration_seconds_sum`, 'listSeconds'],
  [`${STORAGE}duration_seconds_count`, 'listCount'],
  ['etcd_requests_total', 'requests'],
  ['etcd_request_errors_total', 'requestErrors'],
  ...REQUEST_SECONDS.flatMap((name): [string, Role][] => [
    [`${name}_sum`, 'requestSeconds'],
    [`${name}_count`, 'requestCount'],
  ]),
  ['apiserver_storage_decode_errors_total', 'decodeErrors'],
  [`${CACHE}total`, 'cacheLists'],
  [`${CACHE}fetched_objects_total`, 'cacheFetched'],
  [`${CACHE}returned_objects_total`, 'cacheReturned'],
  ['apiserver_watch_cache_consistent_read_total', 'consistentReads'],
  ['process_start_time_seconds', 'start'],
  ['kubernetes_build_info', 'build'],
]);

/** Which labels an API server gives its lists, and so which releases it may be of. */
export type Dialect =
  /** `{resource}` and `{operation,type}`: up to 1.33. */
  | 'resource'
  /** `{group,resource}`: 1.34 to 1.36. */
  | 'group'
  /** `{group,resource,storage}`: 1.37 and newer. */
  | 'storage';

/** Roles of the storage layer's lists, whose labels tell the dialect. */
export const LIST_ROLES: ReadonlySet<Role> = new Set(['lists', 'fetched', 'evaluated', 'returned']);

/** One counter, under labels that all three forms share. */
export interface Counter {
  readonly role: Role;
  readonly group: string;
  /** A cache's prefix, such as `/pods`, where the form up to 1.33 names no resource. */
  readonly resource: string;
  readonly storage: string;
  readonly operation: string;
  readonly streamed: string;
  readonly index: string;
  readonly success: string;
  readonly fallback: string;
  readonly value: number;
}

/** Equal for the same counter of two scrapes, whatever form each has. */
export function counterKey(counter: Counter): string {
  const { role, group, resource, storage, operation, streamed, index, success, fallback } = counter;
  return [role, group, resource, storage, operation, streamed, index, success, fallback].join('\0');
}

type Labels = ReadonlyMap<string, string>;

export function counterOf(role: Role, labels: Labels, value: number): Counter {
  const label = (name: string): string => labels.get(name) ?? '';
  return {
    role,
    ...resourceOf(labels),
    storage: label('storage') === '' && LIST_ROLES.has(role) ? 'etcd' : label('storage'),
    operation: label('operation'),
    streamed: label('streamed'),
    index: label('index'),
    success: label('success'),
    fallback: label('fallback'),
    value,
  };
}

/**
 * `deployments.apps` is told as its two parts, which later forms have. What was a path or a Go type in
 * its place stays whole.
 */
export function resourceOf(labels: Labels): Pick<Counter, 'group' | 'resource'> {
  const group = labels.get('group');
  const named = labels.get('resource') ?? labels.get('type') ?? labels.get('resource_prefix') ?? '';
  if (group !== undefined || /^[/*]/.test(named)) return { group: group ?? '', resource: named };
  const dot = named.indexOf('.');
  if (dot < 0) return { group: '', resource: named };
  return { group: named.slice(dot + 1), resource: named.slice(0, dot) };
}

export function dialectOf(role: Role, labels: Labels): Dialect | undefined {
  if (!LIST_ROLES.has(role)) return undefined;
  if (labels.has('storage')) return 'storage';
  return labels.has('group') ? 'group' : 'resource';
}
