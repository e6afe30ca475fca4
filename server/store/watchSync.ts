/**
 * What a watch begins with: every object stored, from a stream or from fixed pages (rule W1).
 * Upstream: `sync`, `syncStreamRecursive` and `syncPaginated` in `pkg/storage/etcd3/watcher.go`.
 */
import { nextKey, prefixEnd } from '../common/bytes';
import type { Log } from '../common/log';
import { isEtcdError } from '../etcd/errors';
import type { KeyValue } from '../etcd/interfaces';
import { rememberNoStream } from './chooseChunks';
import type { ReadContext } from './chunks';
import { emptyPage } from './errorTexts';
import type { StreamSupport } from './interfaces';
import { checkWay } from './pagedChunks';
import { maxPageSize } from './pageSize';
import { interpretListError } from './readErrors';
import { recordedRange, type RecordedReply } from './recordedRange';
import { isUnimplemented, noRevision, openStream, pull, type OpenStream } from './streamChunks';

export interface SyncContext {
  readonly read: ReadContext;
  /** The gate `EtcdRangeStream`. */
  readonly gate: boolean;
  readonly support: StreamSupport;
  readonly log: Log;
}

export type SyncPart =
  /** Keys in order. The consumer empties each slot as it goes. */
  | { readonly kind: 'objects'; readonly kvs: (KeyValue | undefined)[] }
  /** All objects so far are void. */
  | { readonly kind: 'restart' }
  /** The objects are those stored at this revision. */
  | { readonly kind: 'end'; readonly revision: bigint };

/** Ends with one part `end`, or throws a `StoreError`. */
export async function* syncParts(context: SyncContext): AsyncGenerator<SyncPart, void, undefined> {
  const { read, gate, support, log } = context;
  if (gate && support.supports('RangeStream')) {
    const streamed = yield* streamParts(read);
    if (streamed.ended) return;
    rememberNoStream({ groupResource: read.groupResource, support, log });
    if (streamed.objects) yield { kind: 'restart' };
  }
  yield* pageParts(read);
}

/** How the stream went; a refused one may have brought objects before. */
interface Streamed {
  readonly ended: boolean;
  readonly objects: boolean;
}

async function* streamParts(read: ReadContext): AsyncGenerator<SyncPart, Streamed, undefined> {
  const stream = openStream(read, { revision: 0n, limit: 0n, continueKey: undefined });
  const outcome = { refused: false, failed: false };
  try {
    return yield* messageParts(stream, outcome);
  } finally {
    // A consumer that left early is no failure; this is what ends the call then.
    await stream.iterator.return?.();
    stream.request.done();
    if (!outcome.refused) recordStream(stream, outcome.failed);
  }
}

function recordStream({ context, startedAt }: OpenStream, failed: boolean): void {
  const { metrics, groupResource, clock } = context;
  const seconds = (clock.monotonic() - startedAt) / 1000;
  metrics.recordEtcdRequest('listStream', groupResource, failed, seconds);
}

async function* messageParts(
  { context, iterator, request }: OpenStream,
  outcome: { refused: boolean; failed: boolean },
): AsyncGenerator<SyncPart, Streamed, undefined> {
  let revision: bigint | undefined;
  let objects = false;
  for (;;) {
    const step = await pull(iterator);
    if (step.kind === 'end') break;
    if (step.kind === 'error') {
      outcome.refused = isUnimplemented(step.error);
      if (outcome.refused) {
        request.refused();
        return { ended: false, objects };
      }
      outcome.failed = true;
      request.failed(step.error);
      throw syncError(context, step.error, undefined);
    }
    const { chunk } = step;
    request.reply(chunk);
    request.matched(chunk.kvs.length);
    revision ??= chunk.revision;
    objects ||= chunk.kvs.length > 0;
    yield { kind: 'objects', kvs: chunk.kvs };
  }
  if (revision === undefined) {
    // Upstream's metrics count no failed request here.
    const error = noRevision(context.keyPrefix);
    request.failed(error);
    throw error;
  }
  yield { kind: 'end', revision };
  return { ended: true, objects };
}

/** Pages of one size, all but the first at the first one's revision. */
async function* pageParts(read: ReadContext): AsyncGenerator<SyncPart, void, undefined> {
  let key: Uint8Array | undefined;
  let revision = 0n;
  for (;;) {
    const { reply, request } = await readPage(read, key, revision);
    const { kvs, more } = reply;
    request.matched(kvs.length);
    request.done();
    checkWay(kvs, key);
    if (revision === 0n) revision = reply.revision;
    const last = kvs.at(-1);
    if (last === undefined && more) throw emptyPage();
    // A copy, and taken before the consumer empties the page.
    key = last && nextKey(last.key);
    yield { kind: 'objects', kvs };
    if (!more) break;
  }
  yield { kind: 'end', revision };
}

async function readPage(
  read: ReadContext,
  continueKey: Uint8Array | undefined,
  revision: bigint,
): Promise<RecordedReply> {
  const { keyPrefix } = read;
  const key = continueKey ?? keyPrefix;
  const range = { key, rangeEnd: prefixEnd(keyPrefix), limit: maxPageSize, revision };
  try {
    return await recordedRange(read, 'list', range);
  } catch (error) {
    throw syncError(read, error, key);
  }
}

/** `pageKey` is absent for a stream, whose 410 offers no token. */
function syncError(
  { keyPrefix }: ReadContext,
  error: unknown,
  pageKey: Uint8Array | undefined,
): unknown {
  if (!isEtcdError(error)) return error;
  return interpretListError(error, {
    keyPrefix,
    continueKey: pageKey,
    paging: pageKey !== undefined,
  });
}
