/**
 * What etcd forgets, the cache forgets too, so that both refuse the same revisions. API servers write
 * the revision of their last compaction into a key, which is read every 15 seconds. Upstream:
 * `pkg/storage/cacher/compactor.go`, `pkg/storage/etcd3/compact.go`.
 */
import { utf8, utf8Lossy } from '../common/bytes';
import type { StoreConfig } from '../store/list';
import { pause } from './pause';

const pollMs = 15_000;
const compactRevisionKey = utf8('compact_rev_key');

/** Ends with the signal, or once this user may not read the key. Never rejects. */
export async function followCompaction(
  etcd: StoreConfig<unknown>['etcd'],
  onCompacted: (revision: bigint) => void,
  signal: AbortSignal,
): Promise<void> {
  let known = 0n;
  while (await pause(pollMs, signal)) {
    const revision = await compactRevision(etcd, signal);
    if (revision === 'denied') return;
    if (revision <= known) continue;
    known = revision;
    onCompacted(revision);
  }
}

/** 0 when it is not known. */
async function compactRevision(
  etcd: StoreConfig<unknown>['etcd'],
  signal: AbortSignal,
): Promise<bigint | 'denied'> {
  try {
    const { kvs } = await etcd.range({ key: compactRevisionKey, limit: 1n }, { signal });
    const text = kvs[0] === undefined ? '' : utf8Lossy(kvs[0].value);
    return /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'permissionDenied';
    return isDenied ? 'denied' : 0n;
  }
}
