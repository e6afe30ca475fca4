/**
 * How far a watch has told, to the single event: large messages may come in parts, cut also within a
 * revision, so a watch that breaks there goes on at that revision and leaves out what was told of it.
 */
export class WatchPosition {
  /** Everything up to it has been told. */
  #settled = 0n;
  /** Revision of the last event told; beyond `#settled` when more of it may come. */
  #latest = 0n;
  /** Events told of `#latest`, and those of them that came again since the watch was resumed. */
  #told = 0;
  #met = 0;

  get revision(): bigint {
    return this.#settled;
  }

  /** Revision to watch from; events from there on that were told are met again. */
  resume(): bigint {
    this.#met = 0;
    return this.#settled + 1n;
  }

  /** Whether an event is to be told, which counts as done. They come in the order of revisions. */
  take(revision: bigint): boolean {
    // A member that lags behind may send events from before the revision asked for (etcd before 3.5.13).
    if (revision <= this.#settled || revision < this.#latest) return false;
    if (revision > this.#latest) {
      this.#settled = this.#latest;
      this.#latest = revision;
      this.#told = 0;
      this.#met = 0;
    }
    this.#met++;
    if (this.#met <= this.#told) return false;
    this.#told = this.#met;
    return true;
  }

  /** A whole message has been told, and with it its last revision. */
  settle(): void {
    this.#settled = this.#latest;
  }

  /** Whether etcd's word that everything up to `revision` was sent is news that can be told. */
  advance(revision: bigint): boolean {
    if (revision < this.#settled || this.#latest > this.#settled) return false;
    this.#settled = revision;
    this.#latest = revision;
    return true;
  }
}
