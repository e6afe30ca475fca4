/**
 * Kubernetes 1.31 and 1.32: the cache gives first pages and consistent reads, of its latest state alone.
 * Upstream: `shouldDelegateList` and `GetList` of `pkg/storage/cacher/cacher.go`.
 */
import type { ListOptions } from '../../store/interfaces';
import { isLegacyExact } from '../delegation';
import { afterFailure, cacheLimit } from '../serving';
import type { Gates } from './gates';
import type { DelegationReason, Preset, VersionFacts } from './preset';
import { resilientCache } from './unready';

export const v1_31: Preset = {
  asksBeforeReady: true,
  ...resilientCache,
  shouldDelegateList: (options, facts, gates) => {
    const because = reasonOf(options, facts, gates);
    const consistentRead = options.resourceVersion === '';
    if (because === undefined) return { toEtcd: false, consistentRead };
    return { toEtcd: true, consistentRead: because === 'consistent', because };
  },
  afterFailure: (failure, consistentRead) =>
    afterFailure(failure, consistentRead, {
      listFromCacheSnapshot: false,
      consistentListFromCacheSkipTimeoutFallback: false,
    }),
  cacheLimit,
};

function reasonOf(
  options: ListOptions,
  facts: VersionFacts,
  gates: Gates,
): DelegationReason | undefined {
  const { resourceVersion, resourceVersionMatch, predicate } = options;
  if (predicate.continueToken !== '') return 'continued';
  if (resourceVersionMatch === '' && isLegacyExact(options)) return 'exact';
  if (resourceVersionMatch !== '' && resourceVersionMatch !== 'NotOlderThan') return 'exact';
  if (resourceVersion !== '') return undefined;
  return gates.ConsistentListFromCache && facts.supportsProgress() ? undefined : 'consistent';
}
