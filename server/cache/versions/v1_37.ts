/** Kubernetes 1.37, whose decisions are those of this folder's parent. */
import { cacheHelper, shouldDelegateList } from '../delegation';
import { afterFailure, cacheLimit, passesUnready } from '../serving';
import type { Preset } from './preset';

export const v1_37: Preset = {
  asksBeforeReady: false,
  shouldDelegateList: (options, facts, gates) =>
    shouldDelegateList(
      options,
      cacheHelper({ ...facts, snapshotting: gates.ListFromCacheSnapshot }),
    ),
  whenUnready: (options) => (passesUnready(options) ? 'etcd' : 'refused'),
  getWhenUnready: () => 'etcd',
  afterFailure: (failure, consistentRead, gates) =>
    afterFailure(failure, consistentRead, {
      listFromCacheSnapshot: gates.ListFromCacheSnapshot,
      consistentListFromCacheSkipTimeoutFallback: gates.ConsistentListFromCacheSkipTimeoutFallback,
    }),
  cacheLimit,
};
