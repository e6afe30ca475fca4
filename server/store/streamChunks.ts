/** The list as one RangeStream (rules S2, S3, S5). */
import { prefixEnd } from '../common/bytes';
import { goQuote } from '../common/goText';
import { isEtcdError } from '../etcd/errors';
import type { RangeStreamChunk } from '../etcd/interfaces';
import type { ListChunk, ReadContext, ReadRange } from './chunks';
import type { StoreError } from './errors';
import { inconsistentReply } from './errorTexts';
import { listReadError } from './readErrors';
import { callOptions } from './recordedRange';
import type { OpenRequest } from './receipt';

/** The number of gRPC's status Unimplemented. */
const unimplemented = 12;

/** What the stream gave next: a message, its end, or its failure. */
type Step =
  | { readonly kind: 'chunk'; readonly chunk: RangeStreamChunk }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: unknown };

export type StreamStart =
  | { readonly supported: true; readonly chunks: AsyncGenerator<ListChunk, void, undefined> }
  | { readonly supported: false; readonly reason: unknown };

export interface OpenStream {
  readonly context: ReadContext;
  readonly range: ReadRange;
  readonly iterator: AsyncIterator<RangeStreamChunk>;
  readonly request: OpenRequest;
  readonly startedAt: number;
}

export async function pull(iterator: AsyncIterator<RangeStreamChunk>): Promise<Step> {
  try {
    const next = await iterator.next();
    return next.done === true ? { kind: 'end' } : { kind: 'chunk', chunk: next.value };
  } catch (error) {
    return { kind: 'error', error };
  }
}

export function openStream(context: ReadContext, range: ReadRange): OpenStream {
  const { etcd, keyPrefix, receipt, clock } = context;
  const key = range.continueKey ?? keyPrefix;
  const rangeEnd = prefixEnd(keyPrefix);
  const { limit, revision } = range;
  const request = receipt.begin({
    operation: 'listStream',
    endpoint: etcd.currentEndpoint,
    serializable: etcd.serializable,
    startKey: key,
    endKey: rangeEnd,
    limit: limit > 0n ? limit : 0n,
    revision: revision > 0n ? revision : 0n,
  });
  const wanted = {
    key,
    rangeEnd,
    ...(limit > 0n ? { limit } : {}),
    ...(revision > 0n ? { revision } : {}),
  };
  const startedAt = clock.monotonic();
  const iterator = etcd.rangeStream(wanted, callOptions(context))[Symbol.asyncIterator]();
  return { context, range, iterator, request, startedAt };
}

export const noRevision = (keyPrefix: Uint8Array): StoreError =>
  inconsistentReply(`rangeStream for ${goQuote(keyPrefix)} completed without a revision`);

/**
 * Yields a message only when it is known whether another follows, since only the last one says
 * whether the limit cut the range. A pinned stream's header is the store's latest revision and is
 * never looked at.
 */
async function* messages(
  stream: OpenStream,
  first: Step,
): AsyncGenerator<ListChunk, void, undefined> {
  const { context, range, iterator, request } = stream;
  let revision = range.revision > 0n ? range.revision : undefined;
  for (let step = first; step.kind !== 'end';) {
    if (step.kind === 'error') {
      request.failed(step.error);
      throw await listReadError(context, step.error, range, range.continueKey !== undefined);
    }
    const { chunk } = step;
    request.reply(chunk);
    revision ??= chunk.revision;
    const next = await pull(iterator);
    const hasMore = next.kind !== 'end' || chunk.more;
    yield { kvs: chunk.kvs, revision, count: chunk.count, hasMore, request };
    step = next;
  }
  if (revision === undefined) {
    const error = noRevision(context.keyPrefix);
    request.failed(error);
    throw error;
  }
}

async function* recorded(
  stream: OpenStream,
  first: Step,
): AsyncGenerator<ListChunk, void, undefined> {
  const { context, iterator, request, startedAt } = stream;
  let failed = false;
  try {
    yield* messages(stream, first);
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    // A consumer that left early is no failure; this is what ends the call then.
    await iterator.return?.();
    request.done();
    const seconds = (context.clock.monotonic() - startedAt) / 1000;
    context.metrics.recordEtcdRequest('listStream', context.groupResource, failed, seconds);
  }
}

/**
 * Whether this is gRPC's Unimplemented. Upstream's client gives that status to an HTTP 404 as well,
 * which is no word of a gRPC server, and falls back just the same.
 */
export function isUnimplemented(error: unknown): boolean {
  return isEtcdError(error) && (error.code === 'unimplemented' || error.grpcCode === unimplemented);
}

/** Opens the stream and waits for its first message; Unimplemented there means "not supported". */
export async function streamChunks(context: ReadContext, range: ReadRange): Promise<StreamStart> {
  const stream = openStream(context, range);
  const first = await pull(stream.iterator);
  if (first.kind === 'error' && isUnimplemented(first.error)) {
    stream.request.refused();
    stream.request.done();
    return { supported: false, reason: first.error };
  }
  return { supported: true, chunks: recorded(stream, first) };
}
