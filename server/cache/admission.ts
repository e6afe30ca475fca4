/** Whether a cache may be filled: keys are counted and a few of them measured before (bounded reads). */
import { prefixEnd } from '../common/bytes';
import { sampleSize } from '../store/guard';
import { plainReadError } from '../store/readErrors';
import { sizeOf } from '../store/receivedItem';
import { recordedRange, type RangeContext } from '../store/recordedRange';
import { cacheFull, counted } from './contents';
import { objectOverhead } from './footprint';
import type { CacheEstimate } from './interfaces';

/**
 * Two reads: the count, and at most 100 keys. Rejects with `StoreError` `cacheFull`, with the
 * numbers, when the objects would take more than the limit, `etcd` when they cannot be read.
 */
export async function admit(
  context: RangeContext,
  keyPrefix: Uint8Array,
  limitBytes: number,
): Promise<CacheEstimate> {
  const range = { key: keyPrefix, rangeEnd: prefixEnd(keyPrefix) };
  const objects = await keysIn(context, range);
  const bytes = objects === 0n ? 0 : (await meanWeight(context, range)) * Number(objects);
  const estimate = { objects, bytes, limitBytes };
  if (bytes <= limitBytes) return estimate;
  throw cacheFull(`a watch cache of ${counted(objects, 'object')} would take`, bytes, limitBytes);
}

interface WholeRange {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
}

async function keysIn(context: RangeContext, range: WholeRange): Promise<bigint> {
  return read(context, 'listWithCount', { ...range, countOnly: true }, ({ count }) => count);
}

/** What one object takes, by the first few. */
function meanWeight(context: RangeContext, range: WholeRange): Promise<number> {
  return read(context, 'list', { ...range, limit: sampleSize }, ({ kvs }) => meanWeightOf(kvs));
}

/** What one of these objects takes in a cache, on the average. */
export function meanWeightOf(kvs: Reply['kvs']): number {
  const weights = kvs.map((kv) => kv.key.length + sizeOf(kv) + objectOverhead);
  return weights.reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.length);
}

type Asked = Parameters<typeof recordedRange>[2];
type Reply = Awaited<ReturnType<typeof recordedRange>>['reply'];

async function read<R>(
  context: RangeContext,
  operation: 'list' | 'listWithCount',
  range: Asked,
  take: (reply: Reply) => R,
): Promise<R> {
  try {
    const { reply, request } = await recordedRange(context, operation, range);
    request.done();
    return take(reply);
  } catch (error) {
    throw plainReadError(error);
  }
}
