/** Sums the receipts of a list that is followed through its continue tokens. */
import type { RequestRecord, TotalRecord } from './interfaces';

export interface CommandError {
  readonly code: string;
  readonly message: string;
  /** The token that a 410 offers, to go on inconsistently. */
  readonly continue?: string;
}

/** The totals of a command: those of its lists, and how it failed. */
export interface CommandTotal extends TotalRecord {
  readonly error?: CommandError;
}

export class Totals {
  private sum: TotalRecord | undefined;
  private failure: { readonly error: CommandError; readonly resume: string } | undefined;
  private lists = 0;
  /** Requests before the first list, which only measured it. */
  private readonly measures: RequestRecord[] = [];

  /** `limit` is the client's, zero for none. */
  constructor(private readonly limit: bigint) {}

  /** LIST requests so far. */
  get pages(): number {
    return this.lists;
  }

  /** Etcd requests of the lists before this one: what a record's number starts from. */
  get requestsBefore(): number {
    return this.sum?.requests ?? this.measures.length;
  }

  /** A request that measured the list to come: its keys are none of the list's. */
  measured(record: RequestRecord): void {
    this.measures.push(record);
  }

  numbered(record: RequestRecord): RequestRecord {
    return { ...record, n: record.n + this.requestsBefore };
  }

  add(total: TotalRecord): void {
    this.lists++;
    const before = this.sum;
    this.sum = before === undefined ? this.withMeasures(total) : this.joined(before, total);
  }

  /** The command failed; `resume` is the token to go on with, empty for none. */
  failed(error: CommandError, resume: string): void {
    this.failure = { error, resume };
  }

  get total(): CommandTotal | undefined {
    if (this.sum === undefined || this.failure === undefined) return this.sum;
    const { error, resume } = this.failure;
    return { ...this.sum, error, ...(resume === '' ? {} : { continueToken: resume }) };
  }

  private withMeasures(total: TotalRecord): TotalRecord {
    return this.measures.reduce(
      (sum, { bytes, durationMs }) => ({
        ...sum,
        requests: sum.requests + 1,
        largestReplyBytes: Math.max(sum.largestReplyBytes, bytes),
        durationMs: sum.durationMs + durationMs,
      }),
      total,
    );
  }

  private joined(before: TotalRecord, next: TotalRecord): TotalRecord {
    const examined = before.examined + next.examined;
    const servedBy = before.servedBy === next.servedBy ? next.servedBy : 'mixed';
    return {
      ...next,
      ...(servedBy === undefined ? {} : { servedBy }),
      requests: before.requests + next.requests,
      fetched: before.fetched + next.fetched,
      examined,
      evaluated: before.evaluated + next.evaluated,
      returned: before.returned + next.returned,
      resourceVersion: next.resourceVersion ?? before.resourceVersion,
      naiveRequests: this.naive(examined),
      streamed: before.streamed || next.streamed,
      largestReplyBytes: Math.max(before.largestReplyBytes, next.largestReplyBytes),
      durationMs: before.durationMs + next.durationMs,
    };
  }

  private naive(examined: number): number | null {
    if (this.limit <= 0n) return null;
    return Math.max(1, Math.ceil(examined / Number(this.limit)));
  }
}
