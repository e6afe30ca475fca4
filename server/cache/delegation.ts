/**
 * Which lists the watch cache passes on to etcd (rules C3, C4). Upstream: `ShouldDelegateList` and
 * `CacheWithoutSnapshots` in `pkg/storage/cacher/delegator/interface.go`, and the cacher's own answers
 * in `pkg/storage/cacher/cacher.go`.
 */
import { decodeContinue } from '../store/continueToken';
import type { ListOptions } from '../store/interfaces';
import { parseResourceVersion } from '../store/resourceVersion';

export interface Delegation {
  /** The cache cannot serve the list: etcd does. */
  readonly toEtcd: boolean;
  /** The list has to show what etcd holds when it is asked. */
  readonly consistentRead: boolean;
}

/** What the decision asks of a cache. The first two throw upstream's bare error for what cannot be read. */
export interface DelegationHelper {
  exactVersion(version: string, recursive: boolean): Delegation;
  continued(token: string, recursive: boolean): Delegation;
  consistentRead(): Delegation;
}

/** Of each fact only what the decision needs is asked, and in upstream's order. */
export interface CacheFacts {
  /** Below it continue tokens are read. */
  readonly keyPrefix: Uint8Array;
  /** The gate `ListFromCacheSnapshot`, while the cache was not found inconsistent. */
  readonly snapshotting: boolean;
  /** etcd supports RequestWatchProgress. */
  supportsProgress(): boolean;
  /** The cache has seen this revision. */
  hasSeen(revision: bigint): boolean;
  /** There is a snapshot of this revision or of an earlier one. */
  hasSnapshotFor(revision: bigint): boolean;
}

const served: Delegation = { toEtcd: false, consistentRead: false };
const passedOn: Delegation = { toEtcd: true, consistentRead: false };

/** The question is only asked once the options are accepted; an unknown match goes to etcd, which refuses it. */
export function shouldDelegateList(options: ListOptions, cache: DelegationHelper): Delegation {
  const { resourceVersion, resourceVersionMatch, recursive, predicate } = options;
  switch (resourceVersionMatch) {
    case 'Exact':
      return cache.exactVersion(resourceVersion, recursive);
    case 'NotOlderThan':
      return served;
    case '':
      if (predicate.continueToken !== '')
        return cache.continued(predicate.continueToken, recursive);
      if (isLegacyExact(options)) return cache.exactVersion(resourceVersion, recursive);
      return resourceVersion === '' ? cache.consistentRead() : served;
    default:
      return passedOn;
  }
}

/** A version with a limit and no match is exact, from the days before there were matches. */
export function isLegacyExact({ resourceVersion, predicate }: ListOptions): boolean {
  return predicate.limit > 0n && resourceVersion !== '' && resourceVersion !== '0';
}

type Progress = Pick<CacheFacts, 'supportsProgress'>;

const consistent = ({ supportsProgress }: Progress): Delegation => ({
  toEtcd: !supportsProgress(),
  consistentRead: true,
});

/** Without its keys' prefix no token can be read, so that one of revision -1 is no consistent read here. */
export function withoutSnapshots(facts: Progress): DelegationHelper {
  return {
    exactVersion: () => passedOn,
    continued: () => passedOn,
    consistentRead: () => consistent(facts),
  };
}

/** The cache itself, with snapshots or without. A single key is never served at an exact version. */
export function cacheHelper(facts: CacheFacts): DelegationHelper {
  const { keyPrefix, snapshotting } = facts;
  const exact = (revision: bigint): Delegation => {
    const canServe = facts.hasSeen(revision)
      ? facts.hasSnapshotFor(revision)
      : facts.supportsProgress();
    return canServe ? served : passedOn;
  };
  return {
    exactVersion: (version, recursive) => {
      if (!recursive || !snapshotting) return passedOn;
      return exact(parseResourceVersion(version));
    },
    continued: (token, recursive) => {
      if (!recursive || !snapshotting) return passedOn;
      const { resourceVersion } = decodeContinue(token, keyPrefix);
      return resourceVersion > 0n ? exact(resourceVersion) : consistent(facts);
    },
    consistentRead: () => consistent(facts),
  };
}
