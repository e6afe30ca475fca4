/** The receipt: one record per etcd request and one of totals. Everything that counts reads it. */
import type { Clock } from '../common/clock';
import { isEtcdError } from '../etcd/errors';
import type { KeyValue } from '../etcd/interfaces';
import { isStoreError } from './errors';
import type { Operation, Receipt, RequestRecord, TotalRecord } from './interfaces';

export interface RequestStart {
  readonly operation: Operation;
  readonly endpoint: string;
  readonly serializable: boolean;
  readonly startKey: Uint8Array;
  readonly endKey: Uint8Array | undefined;
  readonly limit: bigint;
  readonly revision: bigint;
}

export interface RecordedError {
  readonly code: string;
  readonly message: string;
}

interface Reply {
  readonly kvs: readonly KeyValue[];
  readonly bytes: number;
  readonly endpoint: string;
}

type Listener = (record: RequestRecord, state: 'started' | 'progress' | 'done') => void;

/** One etcd request while it runs. */
export interface OpenRequest {
  /** A whole reply, or one more message of a stream. */
  reply(reply: Reply): void;
  /** Objects selected out of what this request brought. */
  matched(count: number): void;
  refused(): void;
  failed(error: unknown): void;
  /** Closes the record; later calls change nothing. */
  done(): void;
}

/** A failure of the transport keeps the transport's code, in a request's record and in the total. */
export function recordedError(error: unknown): RecordedError {
  const message = error instanceof Error ? error.message : String(error);
  if (isEtcdError(error)) return { code: error.code, message };
  if (isStoreError(error, 'etcd') && isEtcdError(error.cause)) return recordedError(error.cause);
  const named = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return { code: named, message };
}

export class ReceiptBuilder {
  private readonly records: RequestRecord[] = [];
  private readonly startedAt: number;
  private largestReply = 0;

  constructor(
    private readonly clock: Clock,
    private readonly listener: Listener = () => undefined,
  ) {
    this.startedAt = clock.monotonic();
  }

  begin(start: RequestStart): OpenRequest {
    const index = this.records.length;
    const startedAt = this.clock.monotonic();
    const streamed = start.operation === 'listStream';
    let open = true;
    let record: RequestRecord = {
      n: index + 1,
      ...start,
      keys: 0,
      matched: 0,
      bytes: 0,
      durationMs: 0,
      ...(streamed ? { chunks: 0 } : {}),
    };
    const update = (change: Partial<RequestRecord>, state: 'started' | 'progress' | 'done') => {
      record = { ...record, ...change };
      this.records[index] = record;
      this.listener(record, state);
    };
    const elapsed = (): number => this.clock.monotonic() - startedAt;
    update({}, 'started');
    return {
      reply: ({ kvs, bytes, endpoint }) => {
        this.largestReply = Math.max(this.largestReply, bytes);
        const change = { keys: record.keys + kvs.length, bytes: record.bytes + bytes, endpoint };
        const chunks = streamed ? { chunks: (record.chunks ?? 0) + 1 } : {};
        update({ ...change, ...chunks, durationMs: elapsed() }, 'progress');
      },
      matched: (count) => {
        if (count > 0) update({ matched: record.matched + count }, 'progress');
      },
      refused: () => {
        update({ refused: true, durationMs: elapsed() }, 'progress');
      },
      failed: (error) => {
        update({ error: recordedError(error), durationMs: elapsed() }, 'progress');
      },
      done: () => {
        if (open) update({}, 'done');
        open = false;
      },
    };
  }

  /** Closes the receipt with the engine's counts. */
  finish(totals: Omit<TotalRecord, 'requests' | 'largestReplyBytes' | 'durationMs'>): Receipt {
    const total: TotalRecord = {
      ...totals,
      requests: this.records.length,
      largestReplyBytes: this.largestReply,
      durationMs: this.clock.monotonic() - this.startedAt,
    };
    return { requests: [...this.records], total };
  }
}
