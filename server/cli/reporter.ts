/** Tells what a list costs while it runs and what it came to. Everything goes to standard error. */
import type { RequestRecord, TotalRecord } from '../store/interfaces';
import type { ReceiptForm } from './args/plan';
import { commandError } from './commandError';
import { closedByReader, type Context } from './context';
import { SpentCounter } from './explain/spent';
import { printSize } from './quantities';
import { requestJson, totalJson } from './receiptJson';
import { receiptHeader, roundTripLine, runningText, totalLines } from './receiptText';
import { Totals, type CommandTotal } from '../store/totals';

/** Milliseconds between two passing lines. */
const STATUS_MS = 100;

export class Reporter {
  private readonly totals: Totals;
  private headed = false;
  private matched = 0;
  private bytes = 0;
  /** Whether the last request read a single key. */
  private single = false;
  private next = 1;
  private nextStatus = 0;
  private readonly ended = new Map<number, RequestRecord>();
  readonly spent: SpentCounter;

  constructor(
    private readonly context: Context,
    private readonly form: ReceiptForm,
    private readonly limit: bigint,
  ) {
    this.totals = new Totals(limit);
    this.spent = new SpentCounter(limit);
  }

  /** Of all lists so far; undefined before the first has ended. */
  get total(): CommandTotal | undefined {
    return this.totals.total;
  }

  /** Takes the engine's `onRequest` of the list that runs. Lines come in the order of numbers. */
  request(record: RequestRecord, state: 'started' | 'progress' | 'done'): void {
    const numbered = this.totals.numbered(record);
    if (state === 'done') {
      this.ended.set(numbered.n, numbered);
      this.writeEnded();
    } else {
      this.showRunning(numbered);
    }
  }

  /** A stream reports each chunk, which is more often than a terminal should be drawn. */
  private showRunning(record: RequestRecord): void {
    const now = this.context.clock.monotonic();
    if (now < this.nextStatus) return;
    this.nextStatus = now + STATUS_MS;
    this.context.notes.status(runningText(record));
  }

  /** Takes the totals of a list that ended, well or not. */
  listDone(total: TotalRecord): void {
    this.totals.add(total);
    this.context.notes.clearStatus();
  }

  /** Takes why the command failed, and the token to go on with, empty for none. */
  failed(error: unknown, resume: string): void {
    this.totals.failed(commandError(error), resume);
  }

  /** Writes the totals of everything; none for a list that was refused before it read. */
  finish(): void {
    const { total } = this.totals;
    if (total === undefined) return;
    const lines = this.totalText(total);
    const { notes, rows } = this.context;
    if (this.form === 'text' && notes.isTTY && rows.isTTY && lines.length > 0) notes.line('');
    for (const line of lines) notes.line(line);
  }

  /** A request may end after a later one, such as a failed read after the question that it led to. */
  private writeEnded(): void {
    for (;;) {
      const record = this.ended.get(this.next);
      if (record === undefined) return;
      this.ended.delete(this.next);
      this.next++;
      this.matched += record.matched;
      this.bytes += record.bytes;
      this.spent.add(record);
      this.single = record.endKey === undefined;
      if (!closedByReader(this.context.signal)) this.context.notes.line(this.line(record));
    }
  }

  private line(record: RequestRecord): string {
    if (this.form === 'json') return requestJson(record);
    const { style, notes } = this.context;
    const columns = notes.isTTY ? notes.columns : undefined;
    const line = roundTripLine(record, this.matched, style, columns);
    if (this.headed) return line;
    this.headed = true;
    return `${receiptHeader(style, columns)}\n${line}`;
  }

  private totalText(total: CommandTotal): string[] {
    if (this.form === 'json') return [totalJson(total)];
    if (total.requests === 0 && total.servedBy === undefined) return [];
    const { style } = this.context;
    return totalLines(total, {
      limit: this.single ? 0n : this.limit,
      pages: this.totals.pages,
      bytes: printSize(this.bytes),
      style,
    });
  }
}
