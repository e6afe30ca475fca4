/** The receipt as JSON lines: a documented, stable form (docs/receipt.md). */
import { toHex, utf8Strict } from '../common/bytes';
import type { RequestRecord } from '../store/interfaces';
import { compactJson } from './output/encode';
import type { CommandTotal } from './totals';

/** A key as text, or `{"hex"}` where it is not UTF-8. */
export type JsonKey = string | { readonly hex: string };

export function jsonKey(key: Uint8Array): JsonKey {
  return utf8Strict(key) ?? { hex: toHex(key) };
}

export function requestJson(record: RequestRecord): string {
  return compactJson({
    type: 'request',
    n: record.n,
    operation: record.operation,
    endpoint: record.endpoint,
    serializable: record.serializable,
    startKey: jsonKey(record.startKey),
    endKey: record.endKey === undefined ? null : jsonKey(record.endKey),
    limit: record.limit,
    revision: record.revision.toString(),
    keys: record.keys,
    matched: record.matched,
    bytes: record.bytes,
    durationMs: roundMs(record.durationMs),
    ...(record.chunks === undefined ? {} : { chunks: record.chunks }),
    ...(record.refused === true ? { refused: true } : {}),
    ...(record.error === undefined ? {} : { error: { ...record.error } }),
  });
}

export function totalJson(total: CommandTotal): string {
  return compactJson({
    type: 'total',
    requests: total.requests,
    fetched: total.fetched,
    examined: total.examined,
    evaluated: total.evaluated,
    returned: total.returned,
    resourceVersion: total.resourceVersion?.toString() ?? null,
    continue: total.continueToken,
    remainingItemCount: total.remainingItemCount,
    naiveRequests: total.naiveRequests,
    streamed: total.streamed,
    largestReplyBytes: total.largestReplyBytes,
    durationMs: roundMs(total.durationMs),
    ...(total.error === undefined ? {} : { error: { ...total.error } }),
  });
}

/** Microseconds are as fine as the clock is worth. */
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
