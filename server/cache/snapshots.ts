/**
 * Earlier states of the cache by revision: each holds from its revision on, up to the next one's.
 * Upstream: `storeSnapshotter` in `pkg/storage/cacher/store/store_btree.go`.
 */
import { Queue } from '../common/queue';

interface Held<S> {
  readonly revision: bigint;
  readonly state: S;
}

export class Snapshots<S> {
  private readonly held = new Queue<Held<S>>();

  get count(): number {
    return this.held.length;
  }

  /** Revision of the oldest one; undefined without any. */
  get oldest(): bigint | undefined {
    return this.held.first?.revision;
  }

  get latest(): S | undefined {
    return this.held.last?.state;
  }

  /** Revisions never decrease; a second state of the same one takes the first one's place. */
  add(revision: bigint, state: S): void {
    if (this.held.last?.revision === revision) this.held.pop();
    this.held.push({ revision, state });
  }

  /** The state that the cache had at this revision, if it is still held. */
  at(revision: bigint): S | undefined {
    let [low, high] = [0, this.held.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.held.at(middle)?.revision ?? 0n) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.held.at(low - 1)?.state;
  }

  removeBelow(revision: bigint): void {
    while ((this.oldest ?? revision) < revision) this.held.shift();
  }

  clear(): void {
    this.held.clear();
  }
}
