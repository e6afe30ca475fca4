/**
 * What the cache holds: the objects as they are, as they were not long ago, and the revision up to
 * which it has seen everything (rule C1). Upstream: `watchCache` and `WatchCacheStorage`.
 */
import type { Clock } from '../common/clock';
import { StoreError } from '../store/errors';
import type { CachedItem } from './cachedItem';
import { EventWindow } from './eventWindow';
import { Footprint } from './footprint';
import { OrderedTree, type OrderedView } from './orderedTree';
import { Snapshots } from './snapshots';

export type CacheView<T> = OrderedView<CachedItem<T>>;

export interface ContentsOptions {
  /** The gate `ListFromCacheSnapshot`. */
  readonly snapshotting: boolean;
  readonly limitBytes: number;
  readonly clock: Clock;
  /** Told of each revision reached, once the objects of it can be read. */
  readonly onRevision: (revision: bigint) => void;
}

export class Contents<T> {
  private tree = new OrderedTree<CachedItem<T>>();
  private readonly snapshots = new Snapshots<CacheView<T>>();
  private readonly window = new EventWindow();
  private readonly footprint = new Footprint();
  private seen = 0n;
  /** What the oldest snapshot was when the contents were dropped. */
  private droppedSince: bigint | undefined;

  constructor(private readonly options: ContentsOptions) {}

  /** The revision up to which everything is known; 0 before the first fill. */
  get revision(): bigint {
    return this.seen;
  }

  get objects(): number {
    return this.tree.size;
  }

  /** Counted, not measured. */
  get bytes(): number {
    return this.footprint.bytes;
  }

  get states(): {
    readonly snapshots: number;
    readonly oldestSnapshot: bigint | undefined;
    readonly events: number;
    readonly windowCapacity: number;
  } {
    return {
      snapshots: this.snapshots.count,
      oldestSnapshot: this.snapshots.oldest,
      events: this.window.count,
      windowCapacity: this.window.capacity,
    };
  }

  /** What can be listed at the revision that is known. */
  get latest(): CacheView<T> {
    return this.snapshots.latest ?? this.tree;
  }

  /** The objects of an earlier revision, or of this one; undefined when they are held no longer. */
  at(revision: bigint): CacheView<T> | undefined {
    return this.snapshots.at(revision);
  }

  /** Also of contents that were dropped, until they are filled again: upstream decides by these. */
  hasSnapshotFor(revision: bigint): boolean {
    const oldest = this.snapshots.oldest ?? this.droppedSince;
    return oldest !== undefined && oldest <= revision;
  }

  /** One object of a fill. Throws `StoreError` `cacheFull` beyond the limit. */
  fill(item: CachedItem<T>): void {
    const before = this.tree.set(item.order, item);
    if (before !== undefined) this.footprint.replaced(before, 0n, false);
    this.footprint.added(item);
    this.checkLimit();
  }

  /** The fill is whole: the objects are those stored at this revision. */
  filled(revision: bigint): void {
    this.droppedSince = undefined;
    this.window.clear();
    this.keepState(revision);
    this.reach(revision);
  }

  /** Throws `StoreError` `cacheFull` beyond the limit. */
  put(item: CachedItem<T>, revision: bigint): void {
    const before = this.tree.set(item.order, item);
    this.footprint.added(item);
    this.changed(before, revision);
  }

  delete(order: string, revision: bigint): void {
    this.changed(this.tree.delete(order), revision);
  }

  /** Nothing else happened up to this revision. */
  progress(revision: bigint): void {
    this.reach(revision);
  }

  /** etcd has forgotten what was before this revision, and so does the cache. */
  compact(revision: bigint): void {
    this.removeStatesBelow(revision);
  }

  /** Gives the memory back; which revisions it had seen and held stays known. */
  drop(): void {
    this.droppedSince = this.snapshots.oldest ?? this.droppedSince;
    this.tree = new OrderedTree();
    this.snapshots.clear();
    this.window.clear();
    this.footprint.clear();
  }

  private changed(before: CachedItem<T> | undefined, revision: bigint): void {
    this.window.add(revision, this.options.clock.monotonic());
    const oldest = this.window.oldestOfFull;
    if (oldest !== undefined) this.removeStatesBelow(oldest);
    const kept = this.snapshots.count > 0;
    if (before !== undefined) this.footprint.replaced(before, revision, kept);
    this.keepState(revision);
    this.checkLimit();
    this.reach(revision);
  }

  private keepState(revision: bigint): void {
    if (!this.options.snapshotting) return;
    const { count } = this.snapshots;
    this.snapshots.add(revision, this.tree.snapshot());
    if (this.snapshots.count > count) this.footprint.stateKept();
  }

  private removeStatesBelow(revision: bigint): void {
    const { count } = this.snapshots;
    this.snapshots.removeBelow(revision);
    const left = count - this.snapshots.count;
    // Without a state that stays, nothing but the tree holds objects.
    if (left > 0) this.footprint.statesLeft(left, this.snapshots.oldest ?? this.seen);
  }

  private reach(revision: bigint): void {
    this.seen = revision;
    this.options.onRevision(revision);
  }

  private checkLimit(): void {
    const { limitBytes } = this.options;
    if (this.bytes <= limitBytes) return;
    const objects = counted(this.tree.size, 'object');
    const earlier = this.snapshots.count - 1;
    const what = earlier > 0 ? `${objects} and ${counted(earlier, 'earlier state')}` : objects;
    throw cacheFull(`the watch cache stopped: ${what} take`, this.bytes, limitBytes);
  }
}

export const counted = (count: number | bigint, noun: string): string =>
  `${count} ${noun}${count === 1 || count === 1n ? '' : 's'}`;

/** The cache would be, or became, larger than its limit. */
export function cacheFull(what: string, bytes: number, limitBytes: number): StoreError {
  const message = `${what} about ${Math.round(bytes)} bytes, more than its limit of ${limitBytes}`;
  return new StoreError({ code: 'cacheFull', message });
}
