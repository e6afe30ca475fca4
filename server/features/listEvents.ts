/**
 * Sends a list's events in order, numbered without gaps, in batches: a list of thousands of short
 * round trips must not bury the client under messages, or a stop would wait behind them.
 */
import type { Clock } from '../common/clock';
import type { ListEvent, RequestEntry, Row, TotalEntry } from '../protocol/model';
import { FailureError, plainText } from './failures';

/** Rows in one batch at most. */
export const ROWS_AT_ONCE = 500;
/** Of the texts of a batch's rows, in UTF-16 units; a row beyond it is a batch of its own. */
export const TEXT_AT_ONCE = 1024 * 1024;
/** Batches on their way to a client that answers them, at most. */
const BATCHES_AHEAD = 4;
/** Milliseconds between two batches that are not full: about 30 a second. */
const BATCH_MS = 1000 / 30;

type Body = ListEvent['body'];

/** Resolves when the message was handed to the pipe; rejects when the client is gone. */
export type SendEvents = (events: readonly ListEvent[]) => Promise<void>;

export class ListEvents {
  private seq = 0;
  private waiting: Body[] = [];
  private waitingRows = 0;
  private waitingText = 0;
  private sentAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private failed: FailureError | undefined;
  /** Last numbers of the batches that were not answered yet. */
  private unanswered: number[] = [];
  private answered: (() => void) | undefined;

  /** Given `signal`, batches are answered by `acknowledge`, and waiting for that ends when it aborts. */
  constructor(
    private readonly listId: string,
    private readonly send: SendEvents,
    private readonly clock: Clock,
    private readonly signal?: AbortSignal,
  ) {
    signal?.addEventListener('abort', () => this.answered?.(), { once: true });
  }

  /** Why a batch could not be handed over; nothing is sent after it. */
  get failure(): FailureError | undefined {
    return this.failed;
  }

  /** The client has taken every event up to this number. */
  acknowledge(seq: number): void {
    this.unanswered = this.unanswered.filter((last) => last > seq);
    this.answered?.();
    if (this.waiting.length > 0) this.schedule();
  }

  /** What a request says later in one batch takes the place of what it said before. */
  request(request: RequestEntry, state: 'started' | 'progress' | 'done'): void {
    this.replace({ kind: 'request', request, done: state === 'done' }, (body) => {
      return body.kind === 'request' && body.request.n === request.n;
    });
  }

  totals(total: TotalEntry): void {
    this.replace({ kind: 'totals', total }, ({ kind }) => kind === 'totals');
  }

  notice(text: string): void {
    this.push({ kind: 'notice', text });
  }

  /** Resolves when the client can take more. Rejects with `failure`. */
  async rows(rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length;) {
      await this.taken();
      const part = this.fitting(rows.slice(at, at + ROWS_AT_ONCE - this.waitingRows));
      at += part.length;
      if (part.length > 0) this.addRows(part);
      else this.flush();
    }
    await this.taken();
  }

  /**
   * Resolves when all that was sent is in the pipe, and fewer batches are unanswered than may be.
   * Rejects with `failure`.
   */
  async taken(): Promise<void> {
    await this.last;
    if (this.failed !== undefined) throw this.failed;
    while (this.isAhead) await new Promise<void>((resolve) => (this.answered = resolve));
  }

  /** Sends what waits, once the client can take it; resolves when it is in the pipe, or failed. */
  async sent(): Promise<void> {
    await this.taken().catch(() => undefined);
    this.flush();
    await this.last;
  }

  private get isAhead(): boolean {
    const { signal, unanswered } = this;
    return signal?.aborted === false && unanswered.length >= BATCHES_AHEAD;
  }

  /** Drops what waits: no event follows. */
  dispose(): void {
    clearTimeout(this.timer);
    this.waiting = [];
  }

  /** Those at the begin of `rows` that a batch has room for beside what waits. */
  private fitting(rows: readonly Row[]): readonly Row[] {
    let text = this.waitingText;
    let count = 0;
    for (const row of rows) {
      text += textOf(row);
      if (text > TEXT_AT_ONCE && this.waitingRows + count > 0) break;
      count += 1;
    }
    return rows.slice(0, count);
  }

  private get isFull(): boolean {
    return this.waitingRows >= ROWS_AT_ONCE || this.waitingText >= TEXT_AT_ONCE;
  }

  /** One body of rows to a batch. */
  private addRows(rows: readonly Row[]): void {
    this.waitingRows += rows.length;
    this.waitingText += rows.reduce((sum, row) => sum + textOf(row), 0);
    const at = this.waiting.findIndex(({ kind }) => kind === 'rows');
    const found = this.waiting[at];
    if (found?.kind !== 'rows') {
      this.push({ kind: 'rows', rows });
      return;
    }
    this.waiting[at] = { kind: 'rows', rows: [...found.rows, ...rows] };
    this.schedule();
  }

  private replace(body: Body, isSame: (body: Body) => boolean): void {
    const at = this.waiting.findLastIndex(isSame);
    if (at >= 0) this.waiting[at] = body;
    else this.push(body);
  }

  private push(body: Body): void {
    this.waiting.push(body);
    this.schedule();
  }

  /** Sends what waits now or soon; when the client is behind, its next answer comes here again. */
  private schedule(): void {
    if (this.isAhead) return;
    const left = this.sentAt + BATCH_MS - this.clock.monotonic();
    if (left <= 0 || this.isFull) this.flush();
    else
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        if (!this.isAhead) this.flush();
      }, left);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0 || this.failed !== undefined) return;
    const { listId } = this;
    const events = this.waiting.map((body) => ({ listId, seq: this.seq++, body }));
    this.waiting = [];
    this.waitingRows = 0;
    this.waitingText = 0;
    this.sentAt = this.clock.monotonic();
    if (this.signal !== undefined) this.unanswered.push(this.seq - 1);
    const sending = this.send(events).catch((error: unknown) => {
      this.failed ??= notHandedOver(error);
    });
    this.last = Promise.all([this.last, sending]).then(() => undefined);
  }
}

function textOf({ key, namespace, name, labels }: Row): number {
  const own = key.length + namespace.length + name.length;
  return labels.reduce((sum, [label, value]) => sum + label.length + value.length, own);
}

function notHandedOver(error: unknown): FailureError {
  const why = plainText(error instanceof Error ? error.message : String(error));
  const sentence = `The list stopped, since what it read could not be handed over (${why.replace(/\.$/, '')}): run it again, with a smaller limit.`;
  return new FailureError({ code: 'internal', sentence }, error);
}
