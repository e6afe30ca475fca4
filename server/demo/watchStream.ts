/**
 * The server's side of one Watch call: any number of watches that share one stream (upstream:
 * `etcdserver/api/v3rpc/watch.go`). Events are sent as soon as they are committed, those of one
 * revision in one response; a stream whose reader is slow catches up from the store's history.
 */
import { compareBytes } from '../common/bytes';
import { watchResponse } from '../etcd/rpc/serviceCodecs';
import type * as m from '../etcd/rpc/messages';
import type { MvccStore } from './mvcc';
import { Watcher } from './watcher';

/** Stands for "no watch" and, in a progress notice, for "all watches of this stream". */
const noWatchId = -1n;

const reasons = {
  compacted: 'etcdserver: mvcc: required revision has been compacted',
  emptyRange: 'mvcc: watcher range is empty',
  duplicateId: 'mvcc: duplicate watch ID provided on the WatchStream',
} as const;

export interface WatchStreamOptions {
  readonly store: MvccStore;
  /** Fills the cluster's part of a header with this revision. */
  header(revision: bigint): m.ResponseHeader;
  /** Sends one response; false when the reader should be given time, until `resume` is called. */
  send(response: m.WatchResponse): boolean;
  /** Responses of watches that accept fragments are cut at this size. */
  readonly fragmentBytes: number;
}

export class WatchStream {
  private readonly watchers = new Map<bigint, Watcher>();
  private nextId = 0n;
  private isBlocked = false;
  private readonly stopListening: () => void;

  constructor(private readonly options: WatchStreamOptions) {
    this.stopListening = options.store.onChange(() => {
      this.pump();
    });
  }

  /** Ends all watches; nothing is sent any more. */
  close(): void {
    this.stopListening();
    this.watchers.clear();
  }

  /** Goes on sending after the reader has caught up. */
  resume(): void {
    this.isBlocked = false;
    this.pump();
  }

  handle(request: m.WatchRequest): void {
    if (request.createRequest !== undefined) this.create(request.createRequest);
    else if (request.cancelRequest !== undefined) this.cancel(request.cancelRequest.watchId);
    else if (request.progressRequest !== undefined) this.announceProgress();
  }

  /** The periodic notice to every watch that asked for it and saw no event since the last one. */
  tick(): void {
    for (const watcher of this.watchers.values()) {
      if (!watcher.request.progressNotify) continue;
      if (watcher.progressDue && watcher.isSynced) this.sendProgress(watcher.id);
      watcher.progressDue = true;
    }
  }

  private create(request: m.WatchCreateRequest): void {
    const key = request.key.length === 0 ? Uint8Array.of(0) : request.key;
    const refusal = this.refusal({ ...request, key });
    if (refusal !== undefined) {
      this.respond({ watchId: noWatchId, created: true, canceled: true, cancelReason: refusal });
      return;
    }
    const id = request.watchId === 0n ? this.freeId() : request.watchId;
    this.watchers.set(id, new Watcher(id, { ...request, key }, this.options.store));
    this.respond({ watchId: id, created: true });
    this.pump();
  }

  private refusal({
    key,
    rangeEnd,
    startRevision,
    watchId,
  }: m.WatchCreateRequest): string | undefined {
    if (startRevision < 0n) return reasons.compacted;
    const isBounded = rangeEnd.length > 1 || (rangeEnd.length === 1 && rangeEnd[0] !== 0);
    if (isBounded && compareBytes(key, rangeEnd) >= 0) return reasons.emptyRange;
    if (watchId !== 0n && this.watchers.has(watchId)) return reasons.duplicateId;
    return undefined;
  }

  private freeId(): bigint {
    while (this.watchers.has(this.nextId)) this.nextId++;
    return this.nextId++;
  }

  private cancel(id: bigint): void {
    if (!this.watchers.delete(id)) return;
    this.respond({ watchId: id, canceled: true });
  }

  /** One notice for the whole stream, and only when every watch of it has seen everything. */
  private announceProgress(): void {
    const watchers = [...this.watchers.values()];
    if (watchers.length === 0 || !watchers.every((watcher) => watcher.isSynced)) return;
    this.sendProgress(noWatchId);
  }

  private sendProgress(watchId: bigint): void {
    this.respond({ watchId });
  }

  private pump(): void {
    for (const watcher of this.watchers.values()) {
      while (watcher.lagsBehind && !this.isBlocked) this.advance(watcher);
    }
  }

  private advance(watcher: Watcher): void {
    if (watcher.isBeforeCompaction) {
      watcher.compacted = true;
      const { compactRevision } = this.options.store;
      // etcd leaves the revision out of this header.
      this.respond({ watchId: watcher.id, canceled: true, compactRevision }, 0n);
      return;
    }
    const events = watcher.takeEvents();
    if (events.length === 0) return;
    watcher.progressDue = false;
    this.sendEvents(watcher, events);
  }

  private sendEvents(watcher: Watcher, events: m.Event[]): void {
    if (!watcher.request.fragment) {
      this.respond({ watchId: watcher.id, events });
      return;
    }
    const parts = fragments(events, this.options.fragmentBytes);
    for (const [i, part] of parts.entries()) {
      this.respond({ watchId: watcher.id, events: part, fragment: i < parts.length - 1 });
    }
  }

  private respond(
    response: Partial<m.WatchResponse>,
    revision: bigint = this.options.store.revision,
  ): void {
    const ready = this.options.send({
      created: false,
      canceled: false,
      compactRevision: 0n,
      cancelReason: '',
      fragment: false,
      watchId: 0n,
      events: [],
      ...response,
      header: this.options.header(revision),
    });
    if (!ready) this.isBlocked = true;
  }
}

/** Cuts events into groups whose responses stay below `limit` bytes, of one event at least. */
function fragments(events: readonly m.Event[], limit: number): m.Event[][] {
  const groups: m.Event[][] = [];
  let size = limit;
  for (const event of events) {
    const eventSize = watchResponse.encode({ events: [event] }).length;
    const group = groups.at(-1);
    if (group === undefined || size + eventSize >= limit) {
      groups.push([event]);
      size = 0;
    } else {
      group.push(event);
    }
    size += eventSize;
  }
  return groups;
}
