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

/** Whether the key does not exist as of its last change. */
export function isDead({ changes }: KeyHistory): boolean {
  return changes.at(-1)?.deleted ?? true;
}

/** Positions in the index, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A sorted array: found by binary search, and inserting moves pointers only, which stays far below
 * a millisecond at hundreds of thousands of keys. The keys whose last change is a deletion are in a
 * second one, so that those that live can be counted without a look at each.
 */
export class KeyIndex {
  private histories: KeyHistory[] = [];
  private dead: KeyHistory[] = [];

  get(key: Uint8Array): KeyHistory | undefined {
    const found = this.histories[position(this.histories, key)];
    return found !== undefined && compareBytes(found.key, key) === 0 ? found : undefined;
  }

  add(change: Change): void {
    const at = position(this.histories, change.kv.key);
    const found = this.histories[at];
    if (found !== undefined && compareBytes(found.key, change.kv.key) === 0) {
      const wasDead = isDead(found);
      found.changes.push(change);
      if (change.deleted !== wasDead) this.noteDeath(found, change.deleted);
      return;
    }
    const added = { key: change.kv.key, changes: [change] };
    this.histories.splice(at, 0, added);
    if (change.deleted) this.noteDeath(added, true);
  }

  private noteDeath(history: KeyHistory, died: boolean): void {
    const at = position(this.dead, history.key);
    if (died) this.dead.splice(at, 0, history);
    else this.dead.splice(at, 1);
  }

  /**
   * Adds many keys that exist, with one sort. False, and nothing is added, when a key is there or
   * comes twice.
   */
  addNew(changes: readonly Change[]): boolean {
    const added = inKeyOrder(
      changes.map((change): KeyHistory => ({ key: change.kv.key, changes: [change] })),
    );
    const isRepeated = ({ key }: KeyHistory, i: number): boolean => {
      const next = added[i + 1];
      return next !== undefined && compareBytes(key, next.key) === 0;
    };
    if (added.some((one, i) => isRepeated(one, i) || this.get(one.key) !== undefined)) return false;
    const isFirst = this.histories.length === 0;
    this.histories = isFirst ? added : inKeyOrder([...this.histories, ...added]);
    return true;
  }

  /**
   * Where the histories from `key` up to `end`, exclusive, are. An undefined end means this one key;
   * an empty one means no end.
   */
  span(key: Uint8Array, end: Uint8Array | undefined): Span {
    return spanOf(this.histories, key, end);
  }

  /** How many keys of the range exist as of their last change; the end as in {@link span}. */
  countLive(key: Uint8Array, end: Uint8Array | undefined): number {
    return lengthOf(this.span(key, end)) - lengthOf(spanOf(this.dead, key, end));
  }

  at(position: number): KeyHistory | undefined {
    return this.histories[position];
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
    this.histories = this.histories.filter(hasChanges);
    this.dead = this.dead.filter(hasChanges);
  }
}

/** Texts of one character a byte sort as the bytes do, and are compared far faster. */
function inKeyOrder(histories: readonly KeyHistory[]): KeyHistory[] {
  return histories
    .map((history) => {
      const { buffer, byteOffset, length } = history.key;
      return { history, text: Buffer.from(buffer, byteOffset, length).toString('latin1') };
    })
    .sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({ history }) => history);
}

function hasChanges({ changes }: KeyHistory): boolean {
  return changes.length > 0;
}

/** Position of the first key at or after `key`. */
function position(histories: readonly KeyHistory[], key: Uint8Array): number {
  let low = 0;
  let high = histories.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = histories[middle];
    if (found !== undefined && compareBytes(found.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function spanOf(
  histories: readonly KeyHistory[],
  key: Uint8Array,
  end: Uint8Array | undefined,
): Span {
  const from = position(histories, key);
  if (end !== undefined) {
    const to = end.length === 0 ? histories.length : position(histories, end);
    return { from, to: Math.max(from, to) };
  }
  const found = histories[from];
  const isThere = found !== undefined && compareBytes(found.key, key) === 0;
  return { from, to: isThere ? from + 1 : from };
}

function lengthOf({ from, to }: Span): number {
  return to - from;
}

function firstKept(changes: readonly Change[], revision: bigint): number {
  const after = changes.findIndex((change) => change.kv.modRevision > revision);
  const last = (after < 0 ? changes.length : after) - 1;
  const change = changes[last];
  if (change === undefined) return 0;
  return change.deleted && change.kv.modRevision < revision ? last + 1 : last;
}
