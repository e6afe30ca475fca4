/** One watch of a watch stream: what it asked for and how far it has come (upstream: `storage/mvcc/watcher.go`). */
import type { Event, WatchCreateRequest } from '../etcd/rpc/messages';
import type { Change } from './keyIndex';
import { inRange, rangeEndOf } from './mvcc';
import type { MvccStore } from './mvcc';

const eventType = { put: 0, delete: 1 } as const;
const filter = { noPut: 0, noDelete: 1 } as const;

/** Revisions with events in one response to a watch that lags behind. */
const maxRevisionsPerBatch = 1000;

export class Watcher {
  /** Set once its history was compacted away: it gets nothing more, and stays until cancelled. */
  compacted = false;
  /** Whether the next periodic progress notice is due; an event in between makes it needless. */
  progressDue = true;
  private nextRevision: bigint;
  private readonly end: Uint8Array | undefined;

  constructor(
    readonly id: bigint,
    readonly request: WatchCreateRequest,
    private readonly store: MvccStore,
  ) {
    const { startRevision } = request;
    this.nextRevision = startRevision > 0n ? startRevision : store.revision + 1n;
    this.end = rangeEndOf(request.rangeEnd);
  }

  get lagsBehind(): boolean {
    return !this.compacted && this.nextRevision <= this.store.revision;
  }

  get isBeforeCompaction(): boolean {
    return this.lagsBehind && this.nextRevision < this.store.compactRevision;
  }

  /** Whether it has seen all there is, and the store has reached where it starts. */
  get isSynced(): boolean {
    const started = this.store.revision >= this.request.startRevision;
    return !this.compacted && !this.lagsBehind && started;
  }

  /** The next events, oldest first and never a part of a revision; empty when none are left. */
  takeEvents(): Event[] {
    const events: Event[] = [];
    let revisions = 0;
    let last = 0n;
    for (const change of this.store.changesFrom(this.nextRevision)) {
      if (!inRange(change.kv.key, this.request.key, this.end)) continue;
      if (change.kv.modRevision > last) {
        if (++revisions > maxRevisionsPerBatch) {
          this.nextRevision = change.kv.modRevision;
          return events;
        }
        last = change.kv.modRevision;
      }
      if (!this.isFilteredOut(change)) events.push(this.eventOf(change));
    }
    this.nextRevision = this.store.revision + 1n;
    return events;
  }

  private isFilteredOut(change: Change): boolean {
    return this.request.filters.includes(change.deleted ? filter.noDelete : filter.noPut);
  }

  private eventOf({ deleted, kv }: Change): Event {
    const isCreation = !deleted && kv.createRevision === kv.modRevision;
    const wantsBefore = this.request.prevKv && !isCreation;
    return {
      type: deleted ? eventType.delete : eventType.put,
      kv,
      prevKv: wantsBefore ? this.store.valueBefore(kv.key, kv.modRevision) : undefined,
    };
  }
}
