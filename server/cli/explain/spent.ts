/** What a list takes of etcd, as the API server would count it: without the reads that are ours alone. */
import type { Spent } from '../../explain/estimateReceipt';
import type { RequestRecord, TotalRecord } from '../../store/interfaces';

export class SpentCounter {
  private requests = 0;
  private bytes = 0;
  private largestReply = 0;
  /** Requests that are not counted: of the guard before an unlimited read, and refused streams. */
  private leftOut = 0;

  /** `limit` is the client's, zero for none. */
  constructor(private readonly limit: bigint) {}

  /** Takes a request that has ended. */
  add(record: RequestRecord): void {
    if (record.refused === true || this.isGuard(record)) {
      this.leftOut++;
      return;
    }
    this.requests++;
    this.bytes += record.bytes;
    const replies = record.chunks ?? 1;
    this.largestReply = Math.max(this.largestReply, replies > 1 ? 0 : record.bytes);
  }

  /** Of a stream the largest message is known to the totals alone. */
  told(total: TotalRecord): { readonly spent: Spent; readonly leftOut: number } {
    const largestReply = total.streamed ? total.largestReplyBytes : this.largestReply;
    const { requests, bytes, leftOut } = this;
    const { fetched: keys, examined, returned } = total;
    return { spent: { requests, keys, examined, returned, bytes, largestReply }, leftOut };
  }

  private isGuard({ operation, limit }: RequestRecord): boolean {
    if (this.limit > 0n) return false;
    return operation === 'listWithCount' || (operation === 'list' && limit > 0n);
  }
}
