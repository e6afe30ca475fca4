/**
 * Kubernetes 1.33, and 1.34 to 1.36: the cache keeps snapshots where the gate says so. What is passed on is
 * decided by the same file in all of them. From 1.34 on the gate is on and the other two are locked, and
 * etcd's revision is asked for by a cache that is ready.
 * Upstream: `ShouldDelegateList` of `pkg/storage/cacher/delegator/interface.go`, `delegator.go`.
 */
import { cacheHelper, shouldDelegateList } from '../delegation';
import { afterFailure, cacheLimit } from '../serving';
import type { Preset } from './preset';
import { resilientCache } from './unready';

export const v1_33: Preset = {
  asksBeforeReady: true,
  ...resilientCache,
  shouldDelegateList: (options, facts, gates) =>
    shouldDelegateList(
      options,
      cacheHelper({
        ...facts,
        snapshotting: gates.ListFromCacheSnapshot,
        supportsProgress: () => gates.ConsistentListFromCache && facts.supportsProgress(),
      }),
    ),
  afterFailure: (failure, consistentRead, gates) =>
    afterFailure(failure, consistentRead, {
      listFromCacheSnapshot: gates.ListFromCacheSnapshot,
      consistentListFromCacheSkipTimeoutFallback: false,
    }),
  cacheLimit,
};

export const v1_34: Preset = { ...v1_33, asksBeforeReady: false };
