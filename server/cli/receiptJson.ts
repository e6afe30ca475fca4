/** The receipt as JSON lines: a documented, stable form (docs/receipt.md). */
import type { RequestRecord, TotalRecord } from '../store/interfaces';
import { requestForm, totalForm } from '../store/receiptForm';

export { jsonKey } from '../store/receiptForm';

export function requestJson(record: RequestRecord): string {
  return json({ type: 'request', ...requestForm(record, exactNumber) });
}

export function totalJson(total: TotalRecord): string {
  return json({ type: 'total', ...totalForm(total, exactNumber) });
}

/** Numbers that a double would round come as marked text, see `exactNumber`. */
function json(record: object): string {
  return JSON.stringify(record).replace(/"\\u0000int64:(-?\d+)"/g, '$1');
}

/** Marks digits that a double would round; no text of a receipt begins with a NUL. */
const exactMark = '\0int64:';

/** A JSON number, or marked digits that whoever writes JSON turns into one. */
function exactNumber(value: bigint): number | string {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : `${exactMark}${value.toString()}`;
}
