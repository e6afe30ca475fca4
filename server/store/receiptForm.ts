/** Receipts as plain data: a documented, stable form (docs/receipt.md). */
import { toHex, utf8Strict } from '../common/bytes';
import type { RequestRecord, TotalRecord } from './interfaces';

/** A key as text, or `{"hex"}` where it is not UTF-8. */
export type JsonKey = string | { readonly hex: string };

export function jsonKey(key: Uint8Array): JsonKey {
  return utf8Strict(key) ?? { hex: toHex(key) };
}

/** How an int64 that may pass 2^53 is written: `Number` where rounding is harmless. */
type WriteInt64<N> = (value: bigint) => N;

export function requestForm<N>(record: RequestRecord, int64: WriteInt64<N>) {
  return {
    n: record.n,
    operation: record.operation,
    endpoint: record.endpoint,
    serializable: record.serializable,
    startKey: jsonKey(record.startKey),
    endKey: record.endKey === undefined ? null : jsonKey(record.endKey),
    limit: int64(record.limit),
    revision: record.revision.toString(),
    keys: record.keys,
    matched: record.matched,
    bytes: record.bytes,
    durationMs: roundMs(record.durationMs),
    ...(record.chunks === undefined ? {} : { chunks: record.chunks }),
    ...(record.refused === true ? { refused: true as const } : {}),
    ...(record.error === undefined ? {} : { error: record.error }),
  };
}

export function totalForm<N>(total: TotalRecord, int64: WriteInt64<N>) {
  return {
    requests: total.requests,
    fetched: total.fetched,
    examined: total.examined,
    evaluated: total.evaluated,
    returned: total.returned,
    resourceVersion: total.resourceVersion?.toString() ?? null,
    continue: total.continueToken,
    remainingItemCount: total.remainingItemCount === null ? null : int64(total.remainingItemCount),
    naiveRequests: total.naiveRequests,
    streamed: total.streamed,
    ...(total.servedBy === undefined ? {} : { servedBy: total.servedBy }),
    largestReplyBytes: total.largestReplyBytes,
    durationMs: roundMs(total.durationMs),
    ...(total.error === undefined ? {} : { error: total.error }),
  };
}

/** Microseconds are as fine as the clock is worth. */
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
