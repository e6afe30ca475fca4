/** What both producers hand to the one consumer, and what they share. */
import type { Clock } from '../common/clock';
import type { EtcdReader, KeyValue } from '../etcd/interfaces';
import type { StoreMetrics } from '../metrics/storeMetrics';
import type { GroupResource } from './interfaces';
import type { OpenRequest, ReceiptBuilder } from './receipt';

/** One batch of keys: a page of a paged list or a message of a stream. */
export interface ListChunk {
  /** Taken by the consumer, which empties each slot as it goes: the reply's memory is free then. */
  readonly kvs: (KeyValue | undefined)[];
  /** Revision of the list, undefined while an unpinned stream has not named it. */
  readonly revision: bigint | undefined;
  /** etcd's count of keys left in the range, this batch included. */
  readonly count: bigint;
  readonly hasMore: boolean;
  readonly request: OpenRequest;
}

/** What a producer needs of its list. */
export interface ReadContext {
  readonly etcd: EtcdReader;
  readonly keyPrefix: Uint8Array;
  /** Key of the resource prefix without a slash added, for the question of the current revision. */
  readonly resourceKey: Uint8Array;
  readonly groupResource: GroupResource;
  readonly metrics: StoreMetrics;
  readonly receipt: ReceiptBuilder;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export interface ReadRange {
  /** Revision to read at; 0 is the latest. */
  readonly revision: bigint;
  readonly limit: bigint;
  readonly continueKey: Uint8Array | undefined;
}
