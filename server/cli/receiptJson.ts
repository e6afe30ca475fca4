/** The receipt as JSON lines: a documented, stable form (docs/receipt.md). */
import type { RequestRecord } from '../store/interfaces';
import { requestForm, totalForm } from '../store/receiptForm';
import type { CommandTotal } from '../store/totals';
import { compactJson } from '../kube/print/encode';

export { jsonKey } from '../store/receiptForm';

export function requestJson(record: RequestRecord): string {
  return compactJson({ type: 'request', ...requestForm(record, exact) });
}

export function totalJson(total: CommandTotal): string {
  return compactJson({ type: 'total', ...totalForm(total, exact) });
}

/** The encoder writes all digits of an int64. */
const exact = (value: bigint): bigint => value;
