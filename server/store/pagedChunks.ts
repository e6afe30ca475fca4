/** Pages that grow while the consumer keeps asking (rules P1 to P5). */
import { compareBytes, nextKey, prefixEnd } from '../common/bytes';
import type { ListChunk, ReadContext, ReadRange } from './chunks';
import { inconsistentReply } from './errorTexts';
import type { NextSize } from './pageSizing';
import { listReadError } from './readErrors';
import { recordedRange, type RecordedReply } from './recordedRange';

export interface PageOptions {
  readonly recursive: boolean;
  /** Whether the request carried a continue token; a single key's read ignores it (rule N2). */
  readonly hadToken: boolean;
  /** Upstream's doubles. */
  readonly nextSize: NextSize;
}

function readPage(
  context: ReadContext,
  { revision, limit, continueKey }: ReadRange,
  recursive: boolean,
): Promise<RecordedReply> {
  const { keyPrefix } = context;
  if (!recursive) return recordedRange(context, 'get', { key: keyPrefix, limit: 1n, revision });
  const key = continueKey ?? keyPrefix;
  return recordedRange(context, 'list', { key, rangeEnd: prefixEnd(keyPrefix), limit, revision });
}

/** An endpoint that gives the same page again and again would never end the list. */
export function checkWay(
  kvs: RecordedReply['reply']['kvs'],
  continueKey: Uint8Array | undefined,
): void {
  const last = kvs.at(-1);
  if (last === undefined || continueKey === undefined) return;
  if (compareBytes(last.key, continueKey) < 0) {
    throw inconsistentReply('etcd returned keys from before the start of the page');
  }
}

/** A copy: a view of the last key would hold this page in memory until the next one is there. */
function behind(kvs: RecordedReply['reply']['kvs']): Uint8Array | undefined {
  const last = kvs.at(-1);
  return last === undefined ? undefined : nextKey(last.key);
}

/**
 * Lazily reads page after page: the next one is sized and asked for only when the consumer asks, and
 * every page after the first is pinned to the first one's revision.
 */
export async function* pagedChunks(
  context: ReadContext,
  start: ReadRange,
  { recursive, hadToken, nextSize }: PageOptions,
): AsyncGenerator<ListChunk, void, undefined> {
  let range = start;
  for (;;) {
    let page: RecordedReply;
    try {
      page = await readPage(context, range, recursive);
    } catch (error) {
      throw await listReadError(context, error, range, hadToken);
    }
    const { reply, request } = page;
    checkWay(reply.kvs, range.continueKey);
    const hasMore = BigInt(reply.kvs.length) < reply.count;
    const revision = range.revision === 0n ? reply.revision : range.revision;
    // The consumer empties the page, so the key to go on from is taken before.
    const continueKey = behind(reply.kvs) ?? range.continueKey;
    try {
      yield { kvs: reply.kvs, revision, count: reply.count, hasMore, request };
    } finally {
      request.done();
    }
    if (!hasMore) return;
    range = { revision, continueKey, limit: nextSize(range.limit) };
  }
}
