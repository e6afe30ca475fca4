/** One unary read of etcd that the receipt and the metrics are told of. */
import type { RangeReply, RangeRequest } from '../etcd/interfaces';
import type { ReadContext } from './chunks';
import type { Operation } from './interfaces';
import type { OpenRequest } from './receipt';

export interface RecordedReply {
  readonly reply: RangeReply;
  /** Still open, so that matches can be added; whoever asked closes it. */
  readonly request: OpenRequest;
}

/** The signal as call options; undefined members are not options. */
export const callOptions = ({
  signal,
}: Pick<ReadContext, 'signal'>): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal };

/** What a single read needs of the context of a list. */
export type RangeContext = Pick<
  ReadContext,
  'etcd' | 'receipt' | 'metrics' | 'groupResource' | 'clock' | 'signal'
>;

/**
 * Rejects with what the transport rejects with; the record is closed then. `serializable` is the
 * connection's choice when absent.
 */
export async function recordedRange(
  context: RangeContext,
  operation: Operation,
  range: RangeRequest,
  serializable = context.etcd.serializable,
): Promise<RecordedReply> {
  const { etcd, receipt, metrics, groupResource, clock } = context;
  const request = receipt.begin({
    operation,
    endpoint: etcd.currentEndpoint,
    serializable,
    startKey: range.key,
    endKey: range.rangeEnd,
    limit: range.limit ?? 0n,
    revision: range.revision ?? 0n,
  });
  const startedAt = clock.monotonic();
  let failed = true;
  try {
    const reply = await etcd.range(range, { ...callOptions(context), serializable });
    request.reply(reply);
    failed = false;
    return { reply, request };
  } catch (error) {
    request.failed(error);
    request.done();
    throw error;
  } finally {
    const seconds = (clock.monotonic() - startedAt) / 1000;
    metrics.recordEtcdRequest(operation, groupResource, failed, seconds);
  }
}
