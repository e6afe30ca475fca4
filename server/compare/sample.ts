/** One read of few keys, before a comparison: how many there are, how large, and how many match. */
import { prefixEnd } from '../common/bytes';
import type { KeyValue } from '../etcd/interfaces';
import { sampleSize } from '../store/guard';
import type { ItemDecoder, Predicate } from '../store/interfaces';
import { isUnfiltered, matchesAttributes } from '../store/predicate';
import { recordedRange, type RangeContext } from '../store/recordedRange';

export interface Sample {
  /** In the whole range. */
  readonly keys: number;
  /** Mean bytes of a key in a reply. */
  readonly bytesPerKey: number;
  /** Keys looked at, the first ones of the range. */
  readonly looked: number;
  readonly matched: number;
  readonly filtered: boolean;
}

/** Rejects with what the transport rejects with. */
export async function sampleRange<T>(
  context: RangeContext,
  keyPrefix: Uint8Array,
  predicate: Predicate,
  decoder: ItemDecoder<T>,
): Promise<Sample> {
  const range = { key: keyPrefix, rangeEnd: prefixEnd(keyPrefix), limit: sampleSize };
  const { reply, request } = await recordedRange(context, 'list', range);
  const { kvs, count, bytes } = reply;
  const filtered = !isUnfiltered(predicate);
  const matched = filtered
    ? kvs.filter((kv) => isSelected(kv, predicate, decoder)).length
    : kvs.length;
  request.matched(matched);
  request.done();
  const looked = kvs.length;
  return {
    keys: Number(count),
    bytesPerKey: bytes / Math.max(1, looked),
    looked,
    matched,
    filtered,
  };
}

/** What cannot be read is left to the list, which fails with it. */
function isSelected<T>(kv: KeyValue, predicate: Predicate, decoder: ItemDecoder<T>): boolean {
  try {
    const object = decoder.decode(decoder.transform(kv.value, kv), kv);
    return matchesAttributes(predicate, decoder.attributes(object));
  } catch {
    return false;
  }
}
