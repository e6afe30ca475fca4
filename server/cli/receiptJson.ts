/** The receipt as JSON lines: a documented, stable form (docs/receipt.md). */
import type { RequestRecord, TotalRecord } from '../store/interfaces';
import { requestForm, totalForm } from '../store/receiptForm';

export { jsonKey } from '../store/receiptForm';

export function requestJson(record: RequestRecord): string {
  return JSON.stringify({ type: 'request', ...requestForm(record) });
}

export function totalJson(total: TotalRecord): string {
  return JSON.stringify({ type: 'total', ...totalForm(total) });
}
