/**
 * Kubernetes 1.33 to 1.36: the cache keeps snapshots where the gate says so (alpha in 1.33). The function
 * is the same file in all of them; from 1.34 on the other two gates are locked.
 * Upstream: `ShouldDelegateList` of `pkg/storage/cacher/delegator/interface.go`, `delegator.go`.
 */
import { cacheHelper, shouldDelegateList } from '../delegation';
import { afterFailure, cacheLimit } from '../serving';
import type { Preset } from './preset';
import { resilientCache } from './unready';

export const v1_33: Preset = {
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
