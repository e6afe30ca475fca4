/**
 * The state that the events of a feed add up to. Folding an event that does not fit what was told before
 * (missed, twice, out of order) throws.
 */
import { equalBytes, prefixEnd, startsWithBytes, utf8, utf8Lossy } from '../../server/common/bytes';
import type { EtcdReader } from '../../server/etcd/interfaces';
import type { Change, FeedEvent } from '../../server/store/watchInterfaces';

interface Stored {
  readonly modRevision: bigint;
  readonly value: Uint8Array;
}

export class FoldedState {
  readonly objects = new Map<string, Stored>();
  revision = 0n;
  /** Changes folded, as `type key revision`. */
  readonly changes: string[] = [];
  #isSynced: boolean;

  /** Without a sync it begins empty at `revision`. */
  constructor(revision?: bigint) {
    this.#isSynced = revision !== undefined;
    this.revision = revision ?? 0n;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  fold(event: FeedEvent): void {
    switch (event.type) {
      case 'synced':
        this.#expect(!this.#isSynced, 'an object after the sync');
        this.#expect(!this.objects.has(keyOf(event.key)), `${keyOf(event.key)} twice in the sync`);
        this.objects.set(keyOf(event.key), storedAs(event.value, event.modRevision));
        break;
      case 'syncRestart':
        this.#expect(!this.#isSynced, 'a restart after the sync');
        this.objects.clear();
        break;
      case 'syncEnd':
        this.#expect(!this.#isSynced, 'a second end of the sync');
        this.#isSynced = true;
        this.revision = event.revision;
        break;
      case 'progress':
        this.#expect(event.revision >= this.revision, `progress ${event.revision} is old`);
        this.revision = event.revision;
        break;
      case 'created':
      case 'modified':
      case 'deleted':
        this.#change(event);
    }
  }

  #change(change: Change): void {
    const { type, key, value, previous, revision } = change;
    const name = keyOf(key);
    const what = `${type} ${name} ${String(revision)}`;
    this.#expect(this.#isSynced, `${what} before the end of the sync`);
    const behind = revision > this.revision || this.changes.at(-1)?.endsWith(` ${revision}`);
    this.#expect(behind === true, `${what} after ${String(this.revision)}`);
    const before = this.objects.get(name);
    this.#expect(
      before?.modRevision === previous?.modRevision,
      `${what} over ${String(previous?.modRevision)}, but ${String(before?.modRevision)} was told`,
    );
    if (before !== undefined && previous !== undefined) {
      this.#expect(equalBytes(before.value, previous.value), `${what}: another value before`);
    }
    if (type === 'deleted') this.objects.delete(name);
    else this.objects.set(name, storedAs(value, revision));
    this.revision = revision;
    this.changes.push(what);
  }

  /** What differs from the objects stored now below `prefix`; empty when nothing does. */
  async differences(reader: EtcdReader, prefix: string): Promise<string[]> {
    const key = utf8(prefix);
    const { kvs } = await reader.range({ key, rangeEnd: prefixEnd(key) });
    const found: string[] = [];
    const left = new Map(this.objects);
    for (const kv of kvs) {
      if (!startsWithBytes(kv.key, key)) found.push(`${keyOf(kv.key)} is not below ${prefix}`);
      const told = left.get(keyOf(kv.key));
      left.delete(keyOf(kv.key));
      const isSame =
        told !== undefined &&
        told.modRevision === kv.modRevision &&
        equalBytes(told.value, kv.value);
      if (!isSame) found.push(`${keyOf(kv.key)}@${kv.modRevision}, told ${told?.modRevision}`);
    }
    return [...found, ...[...left.keys()].map((name) => `${name} is told, but gone`)];
  }

  #expect(holds: boolean, text: string): void {
    if (!holds) throw new Error(`the feed told ${text}`);
  }
}

const keyOf = (key: Uint8Array): string => utf8Lossy(key);

/** A copy, as the feed's consumers have to make one. */
const storedAs = (value: Uint8Array, modRevision: bigint): Stored => ({
  value: new Uint8Array(value),
  modRevision,
});
