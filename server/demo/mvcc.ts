/**
 * A multi-version key-value store with etcd's revisions, in memory (upstream: `storage/mvcc`). The
 * empty store is at revision 1, hence the first write makes revision 2.
 */
import { compareBytes } from '../common/bytes';
import type { KeyValue } from '../etcd/rpc/messages';
import { failures } from './failures';
import { isDead, KeyIndex, valueAt } from './keyIndex';
import type { Change, KeyHistory } from './keyIndex';

export interface RangeQuery {
  readonly key: Uint8Array;
  /** Undefined: this one key. Empty: no end. */
  readonly end: Uint8Array | undefined;
  /** Zero and below: the latest. */
  readonly revision: bigint;
  /** Most keys to return; zero and below: all. */
  readonly limit: bigint;
  readonly countOnly?: boolean;
  /** Counts the whole range, not only up to the limit. */
  readonly countAll?: boolean;
}

export interface RangeResult {
  readonly kvs: KeyValue[];
  readonly count: number;
  /** The latest revision, also when an older one was read. */
  readonly revision: bigint;
}

/** What a write transaction may read and do; all its changes share one revision. */
export interface WriteTxn {
  readonly changed: boolean;
  range(query: RangeQuery): RangeResult;
  /** Returns the transaction's revision. */
  put(key: Uint8Array, value: Uint8Array): bigint;
  /** Returns how many keys were deleted. */
  deleteRange(key: Uint8Array, end: Uint8Array | undefined): number;
}

export interface StoredObject {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const nothing = new Uint8Array(0);

/** etcd's range end as a range: a single NUL is "no end", none is "this one key". */
export function rangeEndOf(rangeEnd: Uint8Array): Uint8Array | undefined {
  if (rangeEnd.length === 0) return undefined;
  return rangeEnd.length === 1 && rangeEnd[0] === 0 ? nothing : rangeEnd;
}

export class MvccStore {
  private readonly index = new KeyIndex();
  /** Every change since the compaction, oldest first. */
  private log: Change[] = [];
  private current = 1n;
  private compacted = -1n;
  private bytes = 0;
  private readonly listeners = new Set<() => void>();

  get revision(): bigint {
    return this.current;
  }

  /** The revision of the last compaction; -1 before the first. */
  get compactRevision(): bigint {
    return this.compacted;
  }

  /** Bytes of all keys and values held, history included. */
  get size(): number {
    return this.bytes;
  }

  /** Calls `listener` after every commit and compaction until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  range(query: RangeQuery): RangeResult {
    return this.read(query, this.current);
  }

  /** Returns the revision it made. */
  put(key: Uint8Array, value: Uint8Array): bigint {
    return this.write((txn) => txn.put(key, value));
  }

  /** Deletes one key, or the range up to `end`; returns how many keys it deleted. */
  delete(key: Uint8Array, end?: Uint8Array): number {
    return this.write((txn) => txn.deleteRange(key, end));
  }

  /** Runs `work` in one write transaction. What it changed is visible to others once it returns. */
  write<T>(work: (txn: WriteTxn) => T): T {
    const revision = this.current + 1n;
    const changes: Change[] = [];
    const readable = (): bigint => (changes.length > 0 ? revision : this.current);
    const apply = (change: Change): void => {
      this.append(change);
      changes.push(change);
    };
    const result = work({
      get changed() {
        return changes.length > 0;
      },
      range: (query) => this.read(query, readable()),
      put: (key, value) => {
        apply({ deleted: false, kv: this.nextValue(key, value, revision) });
        return revision;
      },
      deleteRange: (key, end) => {
        const { kvs } = this.read({ key, end, revision: 0n, limit: 0n }, readable());
        for (const kv of kvs) apply({ deleted: true, kv: tombstone(kv.key, revision) });
        return kvs.length;
      },
    });
    if (changes.length > 0) {
      this.current = revision;
      this.announce();
    }
    return result;
  }

  /**
   * Writes many objects, each at a revision of its own, in the order given. Far faster than `put`
   * while no key is there already or comes twice; the bytes are kept, not copied.
   */
  bulkLoad(objects: Iterable<StoredObject>): void {
    let revision = this.current;
    const changes = Array.from(objects, ({ key, value }) => ({
      deleted: false,
      kv: firstValue(key, value, ++revision),
    }));
    if (!this.index.addNew(changes)) {
      for (const { kv } of changes) this.put(kv.key, kv.value);
      return;
    }
    for (const change of changes) this.record(change);
    this.current = revision;
    this.announce();
  }

  /**
   * Drops the history below `revision`; reading at exactly this revision still works.
   *
   * Throws etcd's error when it is compacted already or lies in the future.
   */
  compact(revision: bigint): void {
    if (revision <= this.compacted) throw failures.compacted();
    if (revision > this.current) throw failures.futureRevision();
    this.compacted = revision;
    this.index.compact(revision);
    this.log = this.log.filter((change) => this.isKept(change, revision));
    this.bytes = this.log.reduce((sum, change) => sum + sizeOf(change), 0);
    this.announce();
  }

  /** Changes from `revision` on, oldest first, those of one revision in their order. */
  *changesFrom(revision: bigint): Generator<Change> {
    for (let at = this.logPosition(revision); at < this.log.length; at++) {
      const change = this.log[at];
      if (change !== undefined) yield change;
    }
  }

  /** Position in the log of the first change at `revision` or later. */
  private logPosition(revision: bigint): number {
    let low = 0;
    let high = this.log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.log[middle]?.kv.modRevision ?? 0n) < revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The key's value just before `revision`; undefined when it had none or history lacks it. */
  valueBefore(key: Uint8Array, revision: bigint): KeyValue | undefined {
    const history = this.index.get(key);
    if (history === undefined || revision - 1n < this.compacted) return undefined;
    return valueAt(history, revision - 1n);
  }

  private read(query: RangeQuery, latest: bigint): RangeResult {
    if (query.revision > latest) throw failures.futureRevision();
    const revision = query.revision <= 0n ? latest : query.revision;
    if (revision < this.compacted) throw failures.compacted();
    if (query.countOnly === true) {
      return { kvs: [], count: this.countAt(query, revision), revision: latest };
    }
    const kvs = this.valuesAt(query, revision);
    const isWhole = query.limit <= 0n || BigInt(kvs.length) < query.limit;
    const counts = query.countAll === true && !isWhole;
    const count = counts ? this.countAt(query, revision) : kvs.length;
    return { kvs, count, revision: latest };
  }

  /** In byte order, no more than the limit. */
  private valuesAt({ key, end, limit }: RangeQuery, revision: bigint): KeyValue[] {
    const { from, to } = this.index.span(key, end);
    const most = limit > 0n ? Number(limit) : Infinity;
    const kvs: KeyValue[] = [];
    for (let at = from; at < to && kvs.length < most; at++) {
      const history = this.index.at(at);
      const kv = history && valueAt(history, revision);
      if (kv !== undefined) kvs.push(kv);
    }
    return kvs;
  }

  /**
   * From what exists by now, less what came since the revision, and what went since: as long as few
   * keys have changed, the time does not depend on how many there are. All are looked at when there
   * were more changes than keys.
   */
  private countAt({ key, end }: RangeQuery, revision: bigint): number {
    const { from, to } = this.index.span(key, end);
    const since = this.logPosition(revision + 1n);
    if (this.log.length - since > to - from) {
      return this.valuesAt({ key, end, revision, limit: 0n }, revision).length;
    }
    let count = this.index.countLive(key, end);
    const seen = new Set<KeyHistory>();
    for (const { kv } of this.changesFrom(revision + 1n)) {
      const history = inRange(kv.key, key, end) ? this.index.get(kv.key) : undefined;
      if (history === undefined || seen.has(history)) continue;
      seen.add(history);
      if (valueAt(history, revision) !== undefined) count++;
      if (!isDead(history)) count--;
    }
    return count;
  }

  private nextValue(key: Uint8Array, value: Uint8Array, revision: bigint): KeyValue {
    const history = this.index.get(key);
    const before = history && valueAt(history, revision);
    const created = firstValue(history?.key ?? copy(key), copy(value), revision);
    if (before === undefined) return created;
    return { ...created, createRevision: before.createRevision, version: before.version + 1n };
  }

  private append(change: Change): void {
    this.index.add(change);
    this.record(change);
  }

  private record(change: Change): void {
    this.log.push(change);
    this.bytes += sizeOf(change);
  }

  private isKept(change: Change, revision: bigint): boolean {
    if (change.kv.modRevision > revision) return true;
    return this.index.get(change.kv.key)?.changes[0] === change;
  }

  private announce(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** A plain copy: what arrives may be a view into a large message, and `slice` of a Buffer is a view too. */
function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function sizeOf({ kv }: Change): number {
  return kv.key.length + kv.value.length;
}

function firstValue(key: Uint8Array, value: Uint8Array, revision: bigint): KeyValue {
  return { key, createRevision: revision, modRevision: revision, version: 1n, value, lease: 0n };
}

function tombstone(key: Uint8Array, revision: bigint): KeyValue {
  return { ...firstValue(key, nothing, 0n), modRevision: revision, version: 0n };
}

/** Whether `key` lies in the range; the end as in {@link RangeQuery}. */
export function inRange(key: Uint8Array, from: Uint8Array, end: Uint8Array | undefined): boolean {
  const order = compareBytes(key, from);
  if (end === undefined) return order === 0;
  return order >= 0 && (end.length === 0 || compareBytes(key, end) < 0);
}
