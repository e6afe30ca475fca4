/** Tells what a list costs while it runs and what it came to. Everything goes to standard error. */
import type { RequestRecord, TotalRecord } from '../store/interfaces';
import type { ReceiptForm } from './args/plan';
import type { Context } from './context';
import { printSize } from './quantities';
import { requestJson, totalJson } from './receiptJson';
import { receiptHeader, roundTripLine, runningText, totalLines } from './receiptText';
import { Totals } from './totals';

export class Reporter {
  private readonly totals: Totals;
  private headed = false;
  private matched = 0;
  private bytes = 0;

  constructor(
    private readonly context: Context,
    private readonly form: ReceiptForm,
    private readonly limit: bigint,
  ) {
    this.totals = new Totals(limit);
  }

  /** Takes the engine's `onRequest` of the list that runs. */
  request(record: RequestRecord, state: 'started' | 'progress' | 'done'): void {
    const numbered = this.totals.numbered(record);
    if (state !== 'done') {
      this.context.notes.status(runningText(numbered));
      return;
    }
    this.matched += record.matched;
    this.bytes += record.bytes;
    this.context.notes.line(this.line(numbered));
  }

  /** Takes the totals of a list that ended, well or not. */
  listDone(total: TotalRecord): void {
    this.totals.add(total);
    this.context.notes.clearStatus();
  }

  /** Writes the totals of everything; nothing when no list began. */
  finish(): void {
    const { total } = this.totals;
    if (total === undefined) return;
    for (const line of this.totalText(total)) this.context.notes.line(line);
  }

  private line(record: RequestRecord): string {
    if (this.form === 'json') return requestJson(record);
    const { style } = this.context;
    const line = roundTripLine(record, this.matched, style);
    if (this.headed) return line;
    this.headed = true;
    return `${receiptHeader(style)}\n${line}`;
  }

  private totalText(total: TotalRecord): string[] {
    if (this.form === 'json') return [totalJson(total)];
    const { style } = this.context;
    return totalLines(total, {
      limit: this.limit,
      pages: this.totals.pages,
      bytes: printSize(this.bytes),
      style,
    });
  }
}
