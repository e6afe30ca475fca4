/**
 * Protects etcd and this process from one huge reply: a list without limit, read as a page, arrives
 * whole. The keys are counted and a few of them measured first.
 */
import { prefixEnd } from '../common/bytes';
import type { RangeReply, RangeRequest } from '../etcd/interfaces';
import type { ReadContext, ReadRange } from './chunks';
import { StoreError } from './errors';
import type { Operation, RangeMeasure } from './interfaces';
import { listReadError } from './readErrors';
import { recordedRange } from './recordedRange';

/** Keys whose size is measured when there are more than this many. */
export const sampleSize = 100n;

/** Bytes of a reply with `count` keys, by the mean size of those in a sample. */
export function estimatedBytes(sample: Pick<RangeReply, 'bytes' | 'kvs'>, count: bigint): number {
  return Math.round((sample.bytes / Math.max(1, sample.kvs.length)) * Number(count));
}

async function probe(
  context: ReadContext,
  range: ReadRange,
  operation: Operation,
  question: Pick<RangeRequest, 'limit' | 'countOnly'>,
): Promise<RangeReply> {
  const { keyPrefix } = context;
  const { revision, continueKey } = range;
  const read = { key: continueKey ?? keyPrefix, rangeEnd: prefixEnd(keyPrefix), revision };
  try {
    const { reply, request } = await recordedRange(context, operation, { ...read, ...question });
    request.done();
    return reply;
  } catch (error) {
    throw await listReadError(context, error, range, continueKey !== undefined);
  }
}

/** Of a range that is surely small the bytes are not asked for: they are 0. */
async function measure(context: ReadContext, range: ReadRange): Promise<RangeMeasure> {
  const { count } = await probe(context, range, 'listWithCount', { countOnly: true });
  if (count <= sampleSize) return { count, bytes: 0 };
  const sample = await probe(context, range, 'list', { limit: sampleSize });
  return { count, bytes: estimatedBytes(sample, count) };
}

const isWhole = ({ continueKey, revision }: ReadRange): boolean =>
  continueKey === undefined && revision === 0n;

/**
 * Resolves when the read may be made. Rejects with `StoreError` `overBudget` when it would be larger
 * than the connection's byte budget, judged by its count and the mean size of the first keys.
 * `measured` is what is known of all keys below the list's at the latest revision.
 */
export async function guardUnlimitedRead(
  context: ReadContext,
  range: ReadRange,
  measured?: RangeMeasure,
): Promise<void> {
  const budget = context.etcd.byteBudget;
  if (budget < 0) return;
  const known = isWhole(range) ? measured : undefined;
  const { count, bytes } = known ?? (await measure(context, range));
  if (bytes <= budget) return;
  const message =
    `reading ${String(count)} keys at once would be about ${bytes} bytes, ` +
    `more than the byte budget of ${budget}`;
  throw new StoreError({ code: 'overBudget', message });
}
