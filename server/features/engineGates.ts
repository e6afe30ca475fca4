/** The gates that lists and watch caches obey, by what the settings say. */
import type { CacheGates } from '../cache/serving';
import { defaultGates } from '../cache/versions/gates';
import { NEWEST_VERSION } from '../cache/versions/version';
import type { FeatureGates } from '../store/interfaces';
import type { ConnectionHolder } from './connectionHolder';
import type { ServerSettings } from './settings';

export type EngineGates = FeatureGates & CacheGates;

/** As the newest version has them where the settings do not name them. */
export function engineGates(
  { rangeStreamGate }: Pick<ConnectionHolder, 'rangeStreamGate'>,
  { current }: Pick<ServerSettings, 'current'>,
): EngineGates {
  const gates = { ...defaultGates(NEWEST_VERSION), ...current.featureGates };
  return {
    etcdRangeStream: rangeStreamGate,
    allowUnsafeMalformedObjectDeletion: gates.AllowUnsafeMalformedObjectDeletion,
    listFromCacheSnapshot: gates.ListFromCacheSnapshot,
    consistentListFromCacheSkipTimeoutFallback: gates.ConsistentListFromCacheSkipTimeoutFallback,
  };
}
