/**
 * Protects etcd and this process from one huge reply: a list without limit, read as a page, arrives
 * whole. The keys are counted and a few of them measured first.
 */
import { prefixEnd } from '../common/bytes';
import { callOptions, listReadError, type ReadContext, type ReadRange } from './chunks';
import { StoreError } from './errors';
import type { Operation } from './interfaces';

/** Keys whose size is measured when there are more than this many. */
const sampleSize = 100n;

async function probe(
  context: ReadContext,
  range: ReadRange,
  operation: Operation,
  question: { readonly limit?: bigint; readonly countOnly?: boolean },
) {
  const { etcd, keyPrefix, receipt, metrics, groupResource, clock } = context;
  const key = range.continueKey ?? keyPrefix;
  const rangeEnd = prefixEnd(keyPrefix);
  const { revision } = range;
  const request = receipt.begin({
    operation,
    endpoint: etcd.currentEndpoint,
    serializable: etcd.serializable,
    startKey: key,
    endKey: rangeEnd,
    limit: question.limit ?? 0n,
    revision,
  });
  const startedAt = clock.monotonic();
  let failed = false;
  try {
    const reply = await etcd.range({ key, rangeEnd, revision, ...question }, callOptions(context));
    request.reply(reply);
    return reply;
  } catch (error) {
    failed = true;
    request.failed(error);
    throw await listReadError(context, error, range, range.continueKey !== undefined);
  } finally {
    request.done();
    const seconds = (clock.monotonic() - startedAt) / 1000;
    metrics.recordEtcdRequest(operation, groupResource, failed, seconds);
  }
}

/**
 * Resolves when the read may be made. Rejects with `StoreError` `overBudget` when it would be larger
 * than the connection's byte budget, judged by its count and the mean size of the first keys.
 */
export async function guardUnlimitedRead(context: ReadContext, range: ReadRange): Promise<void> {
  const budget = context.etcd.byteBudget;
  if (budget < 0) return;
  const { count } = await probe(context, range, 'listWithCount', { countOnly: true });
  if (count <= sampleSize) return;
  const sample = await probe(context, range, 'list', { limit: sampleSize });
  const perKey = sample.bytes / Math.max(1, sample.kvs.length);
  const estimate = Math.round(perKey * Number(count));
  if (estimate <= budget) return;
  const message =
    `reading ${String(count)} keys at once would be about ${estimate} bytes, ` +
    `more than the byte budget of ${budget}`;
  throw new StoreError({ code: 'overBudget', message });
}
