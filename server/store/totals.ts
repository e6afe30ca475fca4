/** Sums the receipts of a list that is followed through its continue tokens. */
import type { RequestRecord, TotalRecord } from './interfaces';

export class Totals {
  private sum: TotalRecord | undefined;
  private lists = 0;

  /** `limit` is the client's, zero for none. */
  constructor(private readonly limit: bigint) {}

  /** LIST requests so far. */
  get pages(): number {
    return this.lists;
  }

  /** Etcd requests of the lists before this one: what a record's number starts from. */
  get requestsBefore(): number {
    return this.sum?.requests ?? 0;
  }

  numbered(record: RequestRecord): RequestRecord {
    return { ...record, n: record.n + this.requestsBefore };
  }

  add(total: TotalRecord): void {
    this.lists++;
    const before = this.sum;
    this.sum = before === undefined ? total : this.joined(before, total);
  }

  get total(): TotalRecord | undefined {
    return this.sum;
  }

  private joined(before: TotalRecord, next: TotalRecord): TotalRecord {
    const examined = before.examined + next.examined;
    return {
      ...next,
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
