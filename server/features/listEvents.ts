/**
 * Sends a list's events in order, numbered without gaps, in batches: a list of thousands of short
 * round trips must not bury the client under messages, or a stop would wait behind them.
 */
import type { Clock } from '../common/clock';
import type { ListEvent, RequestEntry, Row, TotalEntry } from '../protocol/model';

/** Rows in one batch at most. */
export const ROWS_AT_ONCE = 500;
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
  private sentAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<void> = Promise.resolve();
  private failed: Error | undefined;
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

  /** The client has taken every event up to this number. */
  acknowledge(seq: number): void {
    this.unanswered = this.unanswered.filter((last) => last > seq);
    this.answered?.();
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

  /** Resolves when no batch is under way. Rejects when the client is gone. */
  async rows(rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length;) {
      const part = rows.slice(at, at + ROWS_AT_ONCE - this.waitingRows);
      at += part.length;
      this.addRows(part);
      await this.taken();
    }
  }

  /** Resolves when the client can take more. Rejects when it is gone. */
  async taken(): Promise<void> {
    await this.last;
    if (this.failed !== undefined) throw this.failed;
    const { signal } = this;
    if (signal === undefined) return;
    while (this.unanswered.length > BATCHES_AHEAD && !signal.aborted) {
      await new Promise<void>((resolve) => (this.answered = resolve));
    }
  }

  /** Sends what waits; resolves when all of it was taken. Rejects when the client is gone. */
  async sent(): Promise<void> {
    this.flush();
    await this.taken();
  }

  /** Drops what waits: no event follows. */
  dispose(): void {
    clearTimeout(this.timer);
    this.waiting = [];
  }

  /** One body of rows to a batch. */
  private addRows(rows: readonly Row[]): void {
    this.waitingRows += rows.length;
    const at = this.waiting.findIndex(({ kind }) => kind === 'rows');
    const found = this.waiting[at];
    if (found?.kind !== 'rows') {
      this.push({ kind: 'rows', rows });
      return;
    }
    this.waiting[at] = { kind: 'rows', rows: [...found.rows, ...rows] };
    if (this.waitingRows >= ROWS_AT_ONCE) this.flush();
  }

  private replace(body: Body, isSame: (body: Body) => boolean): void {
    const at = this.waiting.findLastIndex(isSame);
    if (at >= 0) this.waiting[at] = body;
    else this.push(body);
  }

  private push(body: Body): void {
    this.waiting.push(body);
    const left = this.sentAt + BATCH_MS - this.clock.monotonic();
    if (left <= 0 || this.waitingRows >= ROWS_AT_ONCE) this.flush();
    else
      this.timer ??= setTimeout(() => {
        this.flush();
      }, left);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    const { listId } = this;
    const events = this.waiting.map((body) => ({ listId, seq: this.seq++, body }));
    this.waiting = [];
    this.waitingRows = 0;
    this.sentAt = this.clock.monotonic();
    if (this.signal !== undefined) this.unanswered.push(this.seq - 1);
    const sending = this.send(events).catch((error: unknown) => {
      this.failed = error instanceof Error ? error : new Error(String(error));
    });
    this.last = Promise.all([this.last, sending]).then(() => undefined);
  }
}
