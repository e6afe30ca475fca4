/**
 * What a watch of one resource tells: first the objects stored when it began, then every change, each
 * once and in the order of revisions. Upstream: `event` in `pkg/storage/etcd3/event.go` and the order
 * of events of `watch.go`.
 */
/** An object as the initial sync found it. */
export interface SyncedObject {
  readonly type: 'synced';
  /** The whole key, root included. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly modRevision: bigint;
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

/** Everything up to this revision has been told (a progress notification or a bookmark). */
export interface Progress {
  readonly type: 'progress';
  readonly revision: bigint;
}

export type FeedEvent = SyncedObject | SyncEnd | Change | Progress;

export interface FeedOptions {
  /**
   * Last revision already known: changes after it come and no sync. Absent or 0 begins with the sync.
   * When it is compacted the iteration fails with `StoreError` 410 Expired.
   */
  readonly afterRevision?: bigint;
  readonly signal?: AbortSignal;
}

/**
 * One watch. Iterating it once begins it; leaving the loop ends the etcd call. It fails with a
 * `StoreError` when it cannot go on without missing something.
 */
export interface Feed extends AsyncIterable<FeedEvent> {
  /** Asks etcd for a `progress` event (WatchProgressRequest). */
  requestProgress(): void;
}

/** Opens watches of one resource's prefix. */
export interface FeedSource {
  open(options?: FeedOptions): Feed;
}
