/** What the watch cache of one range of Kubernetes versions decides, as pure functions. */
import type { ListOptions } from '../../store/interfaces';
import type { CacheFacts, Delegation } from '../delegation';
import type { AfterFailure, CacheFailure } from '../serving';
import type { Gates } from './gates';

/** What a decision asks of a cache, and of etcd behind it; what the gates say is not asked. */
export type VersionFacts = Omit<CacheFacts, 'snapshotting'>;

/** Why a list cannot be served from the latest state alone. */
export type DelegationReason =
  | 'continued'
  | 'exact'
  /** The cache gives no pages. */
  | 'limited'
  | 'consistent';

export interface VersionDelegation extends Delegation {
  /** Where the versions have a reason of their own; the others ask. */
  readonly because?: DelegationReason;
}

/** What becomes of a list that was left to a cache that is not ready. */
export type Unready =
  | 'etcd'
  /** 429 at once. */
  | 'refused'
  /** Until the cache is ready, or the request's time is over: 503. */
  | 'waits';

export interface Preset {
  /** A consistent read asks for etcd's revision before it is refused by a cache that is not ready. */
  readonly asksBeforeReady: boolean;
  /** Asked for once the options are accepted. Throws upstream's bare error for what cannot be read. */
  readonly shouldDelegateList: (
    options: ListOptions,
    facts: VersionFacts,
    gates: Gates,
  ) => VersionDelegation;
  readonly whenUnready: (options: ListOptions, gates: Gates) => Unready;
  readonly getWhenUnready: (resourceVersion: string, gates: Gates) => 'etcd' | 'waits';
  readonly afterFailure: (
    failure: CacheFailure,
    consistentRead: boolean,
    gates: Gates,
  ) => AfterFailure;
  /** Of a list that the cache serves; 0 for none. */
  readonly cacheLimit: (limit: bigint, resourceVersion: string) => bigint;
}
