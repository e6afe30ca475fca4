/** Pages that double while the consumer keeps asking (rules P1 to P5). */
import { nextKey, prefixEnd } from '../common/bytes';
import type { RangeReply } from '../etcd/interfaces';
import {
  callOptions,
  listReadError,
  type ListChunk,
  type ReadContext,
  type ReadRange,
} from './chunks';
import type { OpenRequest } from './receipt';

/** Growth stops here; a client's larger limit is kept. Upstream: `maxLimit`. */
export const maxPageSize = 10_000n;

export function nextPageSize(limit: bigint): bigint {
  if (limit >= maxPageSize) return limit;
  const doubled = limit * 2n;
  return doubled > maxPageSize ? maxPageSize : doubled;
}

interface Page {
  readonly reply: RangeReply;
  readonly request: OpenRequest;
}

/** One etcd read, recorded. A single key is read with limit 1, whatever limit and token say (rule N2). */
async function readPage(context: ReadContext, range: ReadRange, recursive: boolean): Promise<Page> {
  const { etcd, keyPrefix, receipt, metrics, groupResource, clock } = context;
  const operation = recursive ? 'list' : 'get';
  const key = recursive ? (range.continueKey ?? keyPrefix) : keyPrefix;
  const endKey = recursive ? prefixEnd(keyPrefix) : undefined;
  const limit = recursive ? range.limit : 1n;
  const request = receipt.begin({
    operation,
    endpoint: etcd.currentEndpoint,
    serializable: etcd.serializable,
    startKey: key,
    endKey,
    limit,
    revision: range.revision,
  });
  const startedAt = clock.monotonic();
  let failed = true;
  try {
    const end = endKey === undefined ? {} : { rangeEnd: endKey };
    const wanted = { key, ...end, limit, revision: range.revision };
    const reply = await etcd.range(wanted, callOptions(context));
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

/**
 * Lazily reads page after page: the next one is asked for, twice as large, only when the consumer
 * asks, and every page after the first is pinned to the first one's revision.
 */
export async function* pagedChunks(
  context: ReadContext,
  start: ReadRange,
  recursive: boolean,
): AsyncGenerator<ListChunk, void, undefined> {
  const hadToken = recursive && start.continueKey !== undefined;
  let range = start;
  for (;;) {
    let page: Page;
    try {
      page = await readPage(context, range, recursive);
    } catch (error) {
      throw await listReadError(context, error, range, hadToken);
    }
    const { reply, request } = page;
    const hasMore = BigInt(reply.kvs.length) < reply.count;
    const revision = range.revision === 0n ? reply.revision : range.revision;
    // The consumer empties the page, so the key to go on from is taken before.
    const lastKey = reply.kvs.at(-1)?.key;
    const continueKey = lastKey === undefined ? range.continueKey : nextKey(lastKey);
    try {
      yield { kvs: reply.kvs, revision, count: reply.count, hasMore, request };
    } finally {
      request.done();
    }
    if (!hasMore) return;
    range = { revision, continueKey, limit: nextPageSize(range.limit) };
  }
}
