/**
 * The transport as the engine sees it: reads, and nothing but reads. Plain data, no gRPC types.
 * Keys are bytes; revisions, limits and counts are int64 and therefore bigint.
 */

export interface RangeRequest {
  readonly key: Uint8Array;
  /** Absent: the one key. */
  readonly rangeEnd?: Uint8Array;
  /** Keys at most; 0 or absent is no limit. */
  readonly limit?: bigint;
  /** Revision to read at; 0 or absent is the latest. */
  readonly revision?: bigint;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}

export interface KeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly version: bigint;
  readonly lease: bigint;
  /**
   * Where the value stands, for who looks at it without having it made: bytes of the reply, and the
   * value's first offset in them and its end. All three or none.
   */
  readonly within?: Uint8Array;
  readonly valueStart?: number;
  readonly valueEnd?: number;
}

export interface RangeReply {
  /** Views into the reply's memory. The list is the caller's, to empty as it goes. */
  readonly kvs: KeyValue[];
  /** Keys in the range from its start, whatever the limit. */
  readonly count: bigint;
  readonly more: boolean;
  /** The header's revision: the store's latest, also for a read pinned to an older one. */
  readonly revision: bigint;
  /** Length of the reply message as received, without gRPC framing. */
  readonly bytes: number;
  /** Who answered, as `host:port`. */
  readonly endpoint: string;
}

/**
 * One RangeStream message. Chunks carry disjoint keys in order; header, count and more come with
 * the last one only (rule S2).
 */
export interface RangeStreamChunk {
  /** As in `RangeReply`. */
  readonly kvs: KeyValue[];
  /** Header revision, absent when the message has no header. */
  readonly revision?: bigint;
  readonly count: bigint;
  readonly more: boolean;
  readonly bytes: number;
  readonly endpoint: string;
}

export interface CallOptions {
  /** Aborting ends the gRPC call itself; the call then fails with code `cancelled`. */
  readonly signal?: AbortSignal;
  /** Milliseconds; absent uses the connection's. */
  readonly deadlineMs?: number;
  /** Absent uses the connection's choice; false is linearizable. */
  readonly serializable?: boolean;
}

export interface WatchRequest {
  readonly key: Uint8Array;
  readonly rangeEnd?: Uint8Array;
  /** First revision wanted. */
  readonly startRevision: bigint;
  readonly prevKv?: boolean;
  readonly progressNotify?: boolean;
  /** Has etcd cut messages at its request limit, at a cost: it measures each part anew for every event. */
  readonly fragment?: boolean;
}

export interface WatchEvent {
  readonly type: 'put' | 'delete';
  readonly kv: KeyValue;
  readonly prevKv?: KeyValue;
}

/** One watch message: events of one or more revisions, or none for a progress notification. */
export interface WatchBatch {
  readonly revision: bigint;
  readonly events: readonly WatchEvent[];
  /** The message is cut here, perhaps within a revision: it goes on in the next batch. */
  readonly partial: boolean;
  /** Whether it is the answer to a progress request; etcd's own notices name the watch. */
  readonly requested: boolean;
}

/** A watch as the server acknowledged it. */
export interface OpenedWatch {
  /** Latest revision of the member that serves the watch. */
  readonly revision: bigint;
  readonly clusterId: bigint;
  /** Who serves it, as `host:port`. */
  readonly endpoint: string;
}

/** Its batches are read one at a time, as the iteration takes them. */
export interface WatchStream extends AsyncIterable<WatchBatch> {
  /** Rejects with what the iteration would fail with. */
  readonly opened: Promise<OpenedWatch>;
  /** Asks for a progress notification on this stream (WatchProgressRequest). */
  requestProgress(): void;
  /** Ends the call. Iteration then finishes without an error. */
  cancel(): void;
}

export interface MemberStatus {
  readonly endpoint: string;
  /** Server version, such as `3.6.16`; untrusted text. */
  readonly version: string;
  readonly revision: bigint;
  readonly dbSizeBytes: bigint;
  readonly leader: bigint;
  readonly memberId: bigint;
}

export interface Member {
  readonly id: bigint;
  readonly name: string;
  readonly clientUrls: readonly string[];
}

/** The engine's only view of etcd. Every failure rejects with an `EtcdError`. */
export interface EtcdReader {
  /** Configured endpoints as `host:port`, in the order they are tried. */
  readonly endpoints: readonly string[];
  /** The endpoint the next call will try first, for the receipt of a call that failed. */
  readonly currentEndpoint: string;
  /** Default consistency of this connection. */
  readonly serializable: boolean;
  /** Largest reply accepted in bytes. */
  readonly byteBudget: number;
  range(request: RangeRequest, options?: CallOptions): Promise<RangeReply>;
  /**
   * Yields messages as they arrive, with backpressure: at most a few messages are buffered. Leaving
   * the loop early cancels the call (rule S5). A refused call fails at the first `next()`.
   */
  rangeStream(request: RangeRequest, options?: CallOptions): AsyncIterable<RangeStreamChunk>;
  watch(request: WatchRequest, options?: CallOptions): WatchStream;
  status(endpoint: string, options?: CallOptions): Promise<MemberStatus>;
  members(options?: CallOptions): Promise<readonly Member[]>;
  close(): void;
}
