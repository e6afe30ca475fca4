/** The receipt as JSON lines: a documented, stable form (docs/receipt.md). */
import { toHex, utf8Strict } from '../common/bytes';
import type { RequestRecord } from '../store/interfaces';
import type { CommandTotal } from './totals';

/** A key as text, or `{"hex"}` where it is not UTF-8. */
export type JsonKey = string | { readonly hex: string };

export function jsonKey(key: Uint8Array): JsonKey {
  return utf8Strict(key) ?? { hex: toHex(key) };
}

export function requestJson(record: RequestRecord): string {
  return json({
    type: 'request',
    n: record.n,
    operation: record.operation,
    endpoint: record.endpoint,
    serializable: record.serializable,
    startKey: jsonKey(record.startKey),
    endKey: record.endKey === undefined ? null : jsonKey(record.endKey),
    limit: exactNumber(record.limit),
    revision: record.revision.toString(),
    keys: record.keys,
    matched: record.matched,
    bytes: record.bytes,
    durationMs: roundMs(record.durationMs),
    ...(record.chunks === undefined ? {} : { chunks: record.chunks }),
    ...(record.refused === true ? { refused: true } : {}),
    ...(record.error === undefined ? {} : { error: record.error }),
  });
}

export function totalJson(total: CommandTotal): string {
  return json({
    type: 'total',
    requests: total.requests,
    fetched: total.fetched,
    examined: total.examined,
    evaluated: total.evaluated,
    returned: total.returned,
    resourceVersion: total.resourceVersion?.toString() ?? null,
    continue: total.continueToken,
    remainingItemCount:
      total.remainingItemCount === null ? null : exactNumber(total.remainingItemCount),
    naiveRequests: total.naiveRequests,
    streamed: total.streamed,
    largestReplyBytes: total.largestReplyBytes,
    durationMs: roundMs(total.durationMs),
    ...(total.error === undefined ? {} : { error: total.error }),
  });
}

/** Marks digits that a double would round; no other text begins with a NUL and these letters. */
const exactMark = '\0int64:';

/** A JSON number with all its digits, also beyond 2^53. */
function exactNumber(value: bigint): number | string {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : `${exactMark}${value.toString()}`;
}

function json(record: object): string {
  return JSON.stringify(record).replace(/"\\u0000int64:(-?\d+)"/g, '$1');
}

/** Microseconds are as fine as the clock is worth. */
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
