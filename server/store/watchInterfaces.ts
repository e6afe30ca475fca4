/**
 * What a watch of one resource tells: first the objects stored when it began, then every change, each
 * once and in the order of revisions. Upstream: `event` in `pkg/storage/etcd3/event.go` and the order
 * of events of `watch.go`.
 */
import type { RequestRecord } from './interfaces';

/**
 * An object as the initial sync found it. Here and in changes, key and values are views into the
 * message they came in: who keeps one for long keeps a copy, or holds the message in memory with it.
 */
export interface SyncedObject {
  readonly type: 'synced';
  /** The whole key, root included. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly modRevision: bigint;
}

/**
 * The sync begins anew, and the objects told so far count no more: etcd refused its stream after parts of
 * it had come, and pages take over.
 */
export interface SyncRestart {
  readonly type: 'syncRestart';
}

/** The initial sync is complete: the objects told are those stored at this revision. */
export interface SyncEnd {
  readonly type: 'syncEnd';
  readonly revision: bigint;
}

export interface Change {
  readonly type: 'created' | 'modified' | 'deleted';
  readonly key: Uint8Array;
  /** The value before it for a deletion. */
  readonly value: Uint8Array;
  /** Absent for a creation. */
  readonly previous: { readonly value: Uint8Array; readonly modRevision: bigint } | undefined;
  /** Revision of the change, also of a deletion. */
  readonly revision: bigint;
}

/** Everything up to this revision has been told (etcd's progress notification). */
export interface Progress {
  readonly type: 'progress';
  readonly revision: bigint;
}

export type FeedEvent = SyncedObject | SyncRestart | SyncEnd | Change | Progress;

/** The watch broke; it goes on after the last revision told, so that nothing is missed. */
export interface Interruption {
  readonly error: Error;
  readonly retryInMs: number;
}

export interface FeedOptions {
  /**
   * Last revision already known: changes after it come and no sync. Absent or 0 begins with the sync.
   * When it is compacted the iteration fails with `StoreError` 410 Expired.
   */
  readonly afterRevision?: bigint;
  /** Aborting ends the call and fails the iteration with `StoreError` `cancelled`. */
  readonly signal?: AbortSignal;
  /** Told of each etcd request but the watch itself, as those of a list are. */
  readonly onRequest?: (record: RequestRecord, state: 'started' | 'progress' | 'done') => void;
  /** Called each time the watch breaks, and each time a try to go on fails. */
  readonly onInterrupted?: (interruption: Interruption) => void;
  /** Called when the watch goes on. */
  readonly onResumed?: () => void;
}

/**
 * One watch. It can be iterated once, which begins it; leaving the loop ends the etcd call. A watch that
 * breaks is resumed, for as long as it takes. It fails with a `StoreError` when it cannot go on without
 * missing something, when etcd refuses it, or when its sync fails, which is not repeated.
 */
export interface Feed extends AsyncIterable<FeedEvent> {
  /**
   * Asks etcd for a `progress` event (WatchProgressRequest). None comes while the watch has to catch up,
   * so who waits asks again; and none where etcd's answers are not sound.
   */
  requestProgress(): void;
}

/** Opens watches of one resource's prefix. */
export interface FeedSource {
  open(options?: FeedOptions): Feed;
}
