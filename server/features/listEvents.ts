/** Sends a list's events in order, numbered without gaps; whoever sends rows waits for the client. */
import type { Clock } from '../common/clock';
import type { ListEvent, RequestEntry, Row, TotalEntry } from '../protocol/model';

export const ROWS_AT_ONCE = 500;
/** Milliseconds between two updates of one running request: at most 30 a second. */
const UPDATE_MS = 1000 / 30;

/** Resolves when the message was handed to the pipe; rejects when the client is gone. */
export type SendEvent = (event: ListEvent) => Promise<void>;

export class ListEvents {
  private seq = 0;
  private last: Promise<void> = Promise.resolve();
  private nextUpdate = 0;
  private failed: Error | undefined;

  constructor(
    private readonly listId: string,
    private readonly send: SendEvent,
    private readonly clock: Clock,
  ) {}

  request(request: RequestEntry, state: 'started' | 'progress' | 'done'): void {
    const now = this.clock.monotonic();
    if (state === 'progress' && now < this.nextUpdate) return;
    this.nextUpdate = now + UPDATE_MS;
    this.push({ kind: 'request', request, done: state === 'done' });
  }

  totals(total: TotalEntry): void {
    this.push({ kind: 'totals', total });
  }

  notice(text: string): void {
    this.push({ kind: 'notice', text });
  }

  /** Resolves when all of it was taken. Rejects when the client is gone. */
  async rows(rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      this.push({ kind: 'rows', rows: rows.slice(at, at + ROWS_AT_ONCE) });
      await this.sent();
    }
  }

  /** Resolves when everything so far was taken. Rejects when the client is gone. */
  async sent(): Promise<void> {
    await this.last;
    if (this.failed !== undefined) throw this.failed;
  }

  private push(body: ListEvent['body']): void {
    const { listId } = this;
    const sending = this.send({ listId, seq: this.seq++, body }).catch((error: unknown) => {
      this.failed = error instanceof Error ? error : new Error(String(error));
    });
    this.last = Promise.all([this.last, sending]).then(() => undefined);
  }
}
