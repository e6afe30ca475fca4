/** What is told of a watch cache. */
import type { CacheStatus } from '../../cache/interfaces';
import type { WatchCacheInfo } from '../../protocol/watchCache';
import { failureOf } from '../failures';

/** `limitBytes` is the limit of all caches together. */
export function cacheInfo(
  resource: string,
  status: CacheStatus,
  limitBytes: number,
): WatchCacheInfo {
  const { state, oldestSnapshot, filledAt, interrupted, failure } = status;
  return {
    resource,
    state: state === 'off' ? 'filling' : state,
    objects: status.objects,
    bytes: status.bytes,
    limitBytes,
    revision: status.revision.toString(),
    ...(filledAt === undefined ? {} : { filledAt }),
    snapshots: status.snapshots,
    ...(oldestSnapshot === undefined ? {} : { oldestSnapshot: oldestSnapshot.toString() }),
    window: { events: status.windowEvents, capacity: status.windowCapacity },
    supportsProgress: status.supportsProgress,
    ...(interrupted === undefined ? {} : { interrupted: failureOf(interrupted).sentence }),
    ...(failure === undefined ? {} : { failure: failureOf(failure).sentence }),
  };
}
