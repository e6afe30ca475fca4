/**
 * Earlier states of the cache by revision: each holds from its revision on, up to the next one's.
 * Upstream: `storeSnapshotter` in `pkg/storage/cacher/store/watch_cache_storage.go`.
 */
interface Held<S> {
  readonly revision: bigint;
  /** Undefined once it was removed, so that its objects can go. */
  state: S | undefined;
}

/** The emptied front of the list is cut off once it is longer than this and than what is held. */
const longestFront = 1024;

export class Snapshots<S> {
  private held: Held<S>[] = [];
  private front = 0;

  get count(): number {
    return this.held.length - this.front;
  }

  /** Revision of the oldest one; undefined without any. */
  get oldest(): bigint | undefined {
    return this.held[this.front]?.revision;
  }

  get latest(): S | undefined {
    return this.count > 0 ? this.held.at(-1)?.state : undefined;
  }

  /** Revisions never decrease; a second state of the same one takes the first one's place. */
  add(revision: bigint, state: S): void {
    if (this.count > 0 && this.held.at(-1)?.revision === revision) this.held.pop();
    this.held.push({ revision, state });
  }

  /** The state that the cache had at this revision, if it is still held. */
  at(revision: bigint): S | undefined {
    let [low, high] = [this.front, this.held.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.held[middle]?.revision ?? 0n) <= revision) low = middle + 1;
      else high = middle;
    }
    return low > this.front ? this.held[low - 1]?.state : undefined;
  }

  removeBelow(revision: bigint): void {
    for (;;) {
      const first = this.held[this.front];
      if (first === undefined || first.revision >= revision) break;
      first.state = undefined;
      this.front++;
    }
    if (this.front > longestFront && this.front > this.count) {
      this.held = this.held.slice(this.front);
      this.front = 0;
    }
  }

  clear(): void {
    this.held = [];
    this.front = 0;
  }
}
