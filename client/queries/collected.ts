/** Gathers what a list brings, for its text. */
import type { ListDone, ListEvent, Row, TotalEntry } from '../../server/protocol/model';
import { counted } from '../../server/protocol/format';
import { joined } from './receiptText';
import type { Result } from './resultText';

/** Notices kept; a list may tell of each page. */
const MOST_NOTICES = 20;

export class Collected {
  private readonly rows: Row[] = [];
  private rowCount = 0;
  private readonly bytesOf = new Map<number, number>();
  private bytes = 0;
  private readonly notices: string[] = [];
  private total: TotalEntry | undefined;
  private unreadable: ListDone['unreadable'] = [];
  private ending = '';
  private isRunning = true;

  /** Keeps at most `room` rows, and counts all. */
  constructor(
    private readonly title: string,
    private readonly room: number,
  ) {}

  take(body: ListEvent['body']): void {
    switch (body.kind) {
      case 'rows':
        this.rows.push(...body.rows.slice(0, this.room - this.rows.length));
        this.rowCount += body.rows.length;
        return;
      case 'request':
        this.bytes += body.request.bytes - (this.bytesOf.get(body.request.n) ?? 0);
        this.bytesOf.set(body.request.n, body.request.bytes);
        return;
      case 'totals':
        this.total = body.total;
        return;
      case 'notice':
        if (this.notices.length < MOST_NOTICES) this.notices.push(body.text);
    }
  }

  done({ total, unreadable, failure }: ListDone): void {
    this.total = total;
    this.unreadable = unreadable;
    this.end(failure?.sentence ?? '');
  }

  /** It ended without totals; empty for no sentence. */
  end(sentence: string): void {
    this.ending = sentence;
    this.isRunning = false;
  }

  /** How far it is, for a person who waits. */
  get progress(): string {
    return joined([counted(this.rowCount, 'row'), counted(this.bytesOf.size, 'round trip')]);
  }

  get shownRows(): number {
    return this.rows.length;
  }

  get result(): Result {
    const { title, rows, rowCount, bytes, notices, unreadable, total, ending, isRunning } = this;
    return { title, rows, rowCount, bytes, notices, unreadable, total, ending, isRunning };
  }
}
