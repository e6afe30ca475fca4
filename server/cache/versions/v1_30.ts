/**
 * Kubernetes 1.30: the cache gives no pages, and no consistent reads unless its alpha gate is on.
 * Upstream: `shouldDelegateList` and `GetList` of `pkg/storage/cacher/cacher.go`.
 */
import type { ListOptions } from '../../store/interfaces';
import type { Gates } from './gates';
import type { DelegationReason, Preset } from './preset';
import { patientCache } from './unready';

export const v1_30: Preset = {
  asksBeforeReady: true,
  ...patientCache,
  shouldDelegateList: (options, _facts, gates) => {
    const because = reasonOf(options, gates);
    const consistentRead = options.resourceVersion === '';
    if (because === undefined) return { toEtcd: false, consistentRead };
    return { toEtcd: true, consistentRead: because === 'consistent', because };
  },
  afterFailure: () => 'fail',
  cacheLimit: () => 0n,
};

/** The version of etcd is not looked at. */
function reasonOf(
  { resourceVersion, resourceVersionMatch, predicate }: ListOptions,
  gates: Gates,
): DelegationReason | undefined {
  if (predicate.continueToken !== '') return 'continued';
  if (resourceVersionMatch !== '' && resourceVersionMatch !== 'NotOlderThan') return 'exact';
  if (predicate.limit > 0n && resourceVersion !== '0') return 'limited';
  return resourceVersion === '' && !gates.ConsistentListFromCache ? 'consistent' : undefined;
}
