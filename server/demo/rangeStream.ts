/** RangeStream as etcd 3.7 serves it (upstream: `EtcdServer.rangeStream` in `etcdserver/v3_server.go`). */
import { nextKey } from '../common/bytes';
import type { RangeRequest, RangeResponse, ResponseHeader } from '../etcd/rpc/messages';
import { failures } from './failures';
import { checkRangeRequest, executeRange, hasRevisionFilters, isDefaultOrder } from './range';
import type { Readable } from './range';
import { rangeResponseSize } from './messageSize';

const firstChunkKeys = 10n;
const unlimited = 2n ** 63n - 1n;

export function checkRangeStreamRequest(request: RangeRequest): void {
  checkRangeRequest(request);
  if (!isDefaultOrder(request)) {
    throw failures.unimplemented('RangeStream does not support custom sort orders');
  }
  if (hasRevisionFilters(request)) {
    throw failures.unimplemented('RangeStream does not support revision filters');
  }
}

/**
 * The messages of one stream, each read only when it is asked for, all at the revision of the first.
 * Header (with only its revision set), count and more are on the last alone. The next chunk may hold
 * twice as many keys while the last one stays below half of `targetBytes`, and half as many once it
 * goes beyond twice that.
 */
export function* rangeStreamChunks(
  store: Readable,
  request: RangeRequest,
  targetBytes: number,
): Generator<RangeResponse> {
  if (request.countOnly) {
    yield { ...executeRange(store, request, false), kvs: [], more: false };
    return;
  }
  const total = request.limit === 0n ? unlimited : request.limit;
  let next = { ...request, limit: smaller(firstChunkKeys, total) };
  let sent = 0n;
  let header: ResponseHeader | undefined;
  for (;;) {
    const chunk = executeRange(store, next, false);
    header ??= chunk.header;
    if (next.revision === 0n) next = { ...next, revision: header?.revision ?? 0n };
    sent += BigInt(chunk.kvs.length);
    const last = chunk.kvs.at(-1);
    if (!chunk.more || sent === total || last === undefined) {
      yield { header, kvs: chunk.kvs, more: chunk.more, count: sent + rest(store, next, chunk) };
      return;
    }
    const limit = adjustedLimit(next.limit, rangeResponseSize(chunk), targetBytes);
    yield { header: undefined, kvs: chunk.kvs, more: false, count: 0n };
    next = { ...next, key: nextKey(last.key), limit: smaller(limit, total - sent) };
  }
}

/** How many keys of the range follow this chunk. */
function rest(store: Readable, request: RangeRequest, chunk: RangeResponse): bigint {
  const last = chunk.kvs.at(-1);
  if (!chunk.more || last === undefined) return 0n;
  const counting = { ...request, key: nextKey(last.key), limit: 0n, countOnly: true };
  return executeRange(store, counting, false).count;
}

function adjustedLimit(limit: bigint, bytes: number, targetBytes: number): bigint {
  if (bytes < Math.floor(targetBytes / 2)) return limit * 2n;
  if (bytes > targetBytes * 2) return limit / 2n || 1n;
  return limit;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
