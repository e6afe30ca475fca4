/** The keys of the store in byte order, each with its history (upstream: `storage/mvcc/index.go`). */
import { compareBytes } from '../common/bytes';
import type { KeyValue } from '../etcd/rpc/messages';

/** One write of one key. A deletion's `kv` holds the key and the revision alone. */
export interface Change {
  readonly deleted: boolean;
  readonly kv: KeyValue;
}

export interface KeyHistory {
  readonly key: Uint8Array;
  /** Oldest first, never empty. Several may share a revision; the last of them is the visible one. */
  changes: Change[];
}

/** The value of a key at a revision; undefined when it did not exist then. */
export function valueAt(history: KeyHistory, revision: bigint): KeyValue | undefined {
  for (let i = history.changes.length - 1; i >= 0; i--) {
    const change = history.changes[i];
    if (change !== undefined && change.kv.modRevision <= revision) {
      return change.deleted ? undefined : change.kv;
    }
  }
  return undefined;
}

/**
 * A sorted array: found by binary search, and inserting moves pointers only, which stays far below
 * a millisecond at hundreds of thousands of keys.
 */
export class KeyIndex {
  private histories: KeyHistory[] = [];

  /** Position of the first key at or after `key`. */
  private position(key: Uint8Array): number {
    let low = 0;
    let high = this.histories.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.histories[middle];
      if (found !== undefined && compareBytes(found.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(key: Uint8Array): KeyHistory | undefined {
    const found = this.histories[this.position(key)];
    return found !== undefined && compareBytes(found.key, key) === 0 ? found : undefined;
  }

  add(change: Change): void {
    const at = this.position(change.kv.key);
    const found = this.histories[at];
    if (found !== undefined && compareBytes(found.key, change.kv.key) === 0) {
      found.changes.push(change);
    } else {
      this.histories.splice(at, 0, { key: change.kv.key, changes: [change] });
    }
  }

  /** Adds many keys with one sort. False, and nothing is added, when a key is there or comes twice. */
  addNew(changes: readonly Change[]): boolean {
    const added = changes
      .map((change): KeyHistory => ({ key: change.kv.key, changes: [change] }))
      .sort((a, b) => compareBytes(a.key, b.key));
    const isRepeated = ({ key }: KeyHistory, i: number): boolean => {
      const next = added[i + 1];
      return next !== undefined && compareBytes(key, next.key) === 0;
    };
    if (added.some((one, i) => isRepeated(one, i) || this.get(one.key) !== undefined)) return false;
    this.histories = [...this.histories, ...added].sort((a, b) => compareBytes(a.key, b.key));
    return true;
  }

  /**
   * Histories from `key` up to `end`, exclusive, in byte order. An undefined end means this one key;
   * an empty one means no end.
   */
  *range(key: Uint8Array, end: Uint8Array | undefined): Generator<KeyHistory> {
    if (end === undefined) {
      const one = this.get(key);
      if (one !== undefined) yield one;
      return;
    }
    const stop = end.length === 0 ? this.histories.length : this.position(end);
    for (let at = this.position(key); at < stop; at++) {
      const history = this.histories[at];
      if (history !== undefined) yield history;
    }
  }

  /**
   * Forgets what a compaction at `revision` forgets: of each key all changes up to it but the last,
   * and that one too when it is a deletion before the revision.
   *
   * Upstream: `keyIndex.compact`.
   */
  compact(revision: bigint): void {
    for (const history of this.histories) {
      const from = firstKept(history.changes, revision);
      if (from > 0) history.changes = history.changes.slice(from);
    }
    this.histories = this.histories.filter((history) => history.changes.length > 0);
  }
}

function firstKept(changes: readonly Change[], revision: bigint): number {
  const after = changes.findIndex((change) => change.kv.modRevision > revision);
  const last = (after < 0 ? changes.length : after) - 1;
  const change = changes[last];
  if (change === undefined) return 0;
  return change.deleted && change.kv.modRevision < revision ? last + 1 : last;
}
