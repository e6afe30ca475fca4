/** One accepted list on its way: everything its steps share. */
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import type { EtcdReader } from '../etcd/interfaces';
import type { StoreMetrics } from '../metrics/storeMetrics';
import type { AppendContext, ListProgress } from './appendChunk';
import type { ReadContext } from './chunks';
import { itemErrors, type ItemErrors } from './itemErrors';
import type {
  FeatureGates,
  GroupResource,
  ItemDecoder,
  ListHooks,
  ListItem,
  ListOptions,
  StreamSupport,
  UnreadablePolicy,
} from './interfaces';
import { etcdKey, prepareKey, storePathPrefix } from './keys';
import { validateListOptions } from './listOptions';
import { isUnfiltered } from './predicate';
import type { ReceiptBuilder } from './receipt';

export interface StoreConfig<T> {
  readonly etcd: EtcdReader;
  /** Storage root, such as `/registry`. */
  readonly root: string;
  /** Path of the resource below the root, such as `/pods`; starts with a slash. */
  readonly resourcePrefix: string;
  readonly groupResource: GroupResource;
  readonly decoder: ItemDecoder<T>;
  readonly streamSupport: StreamSupport;
  readonly metrics: StoreMetrics;
  readonly clock: Clock;
  readonly log: Log;
  readonly gates: FeatureGates;
  /**
   * Counts and samples before a read without limit that would arrive as one reply, and refuses it
   * beyond the byte budget. Upstream makes no such requests, so it is off where requests are compared.
   */
  readonly guardUnlimitedReads: boolean;
}

/** Where the list stands in etcd. */
export interface Position {
  /** Revision of the list; 0 until the first answer to a read at the latest one. */
  revision: bigint;
  /** etcd's count from the last chunk's start. */
  count: bigint;
  hasMore: boolean;
  /** Whether etcd has answered, so that the revision is the list's and not only the one asked for. */
  answered: boolean;
}

export interface ListRun<T> {
  readonly options: ListOptions;
  readonly hooks: ListHooks<T>;
  readonly read: ReadContext;
  readonly append: AppendContext<T>;
  readonly errors: ItemErrors;
  readonly progress: ListProgress<T>;
  /** Selected objects, unless a hook takes them. */
  readonly items: ListItem<T>[];
  readonly position: Position;
  readonly continueKey: Uint8Array | undefined;
  readonly startedAt: number;
  streamed: boolean;
}

function policyOf<T>(gates: FeatureGates, hooks: ListHooks<T>): UnreadablePolicy {
  return hooks.unreadable ?? (gates.allowUnsafeMalformedObjectDeletion ? 'aggregate' : 'abort');
}

const emptyProgress = <T>(): ListProgress<T> => ({
  pending: [],
  returned: 0,
  fetched: 0,
  examined: 0,
  evaluated: 0,
  evaluatedInWhole: 0,
  lastKey: undefined,
});

/** Checks key and options. Throws `StoreError`; nothing is read and no metric recorded then. */
export function acceptList<T>(
  config: StoreConfig<T>,
  options: ListOptions,
  hooks: ListHooks<T>,
  receipt: ReceiptBuilder,
): ListRun<T> {
  const { groupResource, metrics, clock, decoder, etcd, resourcePrefix } = config;
  const root = storePathPrefix(config.root);
  const keyPrefix = etcdKey(root, prepareKey(resourcePrefix, options.key, options.recursive));
  const { revision, continueKey } = validateListOptions(keyPrefix, options);
  const resourceKey = etcdKey(root, prepareKey(resourcePrefix, resourcePrefix, false));
  const errors = itemErrors(policyOf(config.gates, hooks), groupResource);
  const { predicate } = options;
  const shared = { groupResource, metrics, clock, signal: hooks.signal };
  return {
    options,
    hooks,
    read: { ...shared, etcd, keyPrefix, resourceKey, receipt },
    append: {
      ...shared,
      decoder,
      predicate,
      rejects: isUnfiltered(predicate) ? undefined : decoder.rejecter?.(predicate),
      errors,
    },
    errors,
    progress: emptyProgress<T>(),
    items: [],
    position: { revision, count: 0n, hasMore: false, answered: false },
    continueKey,
    startedAt: clock.monotonic(),
    streamed: false,
  };
}
