/**
 * What a list would find, from a bounded sample: how many keys there are, how large they are, and how
 * many a selector selects. All are read where they are few; else some at each of several places that
 * divide the keys evenly.
 */
import { nextKey } from '../common/bytes';
import type { EtcdReader, RangeReply, RangeRequest } from '../etcd/interfaces';
import { isEtcdError } from '../etcd/errors';
import { DecodeError, TransformError } from '../kube/decode/errors';
import type { ItemDecoder, Predicate } from './interfaces';
import { isUnfiltered, matchesAttributes } from './predicate';
import { FIRST_PAGE, LARGEST_PAGE, MOST_BYTES, MOST_PLACES, PAGE_BYTES } from './sampleLimits';
import { evenPlaces, type RankedKey } from './samplePlaces';

export interface SampledRange<T> {
  readonly etcd: Pick<EtcdReader, 'range' | 'byteBudget'>;
  readonly decoder: ItemDecoder<T>;
  readonly predicate: Pick<Predicate, 'label' | 'field'>;
  /** The first key that the list would read, and where its range ends. */
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly signal: AbortSignal;
}

/** Objects read of many; all where there are no more. */
export const SAMPLED_OBJECTS = 500;
/** Reads of one key each that look for places. */
const MOST_PROBES = 24;

export interface PlaceRead {
  readonly objects: number;
  readonly matched: number;
  /** Of the replies, so much as these objects took. */
  readonly bytes: number;
}

export interface SpreadSample {
  /** Keys in the range. */
  readonly keys: number;
  readonly places: readonly PlaceRead[];
  /** Keys, counted from 1, at which selected objects stand; only where all were read. */
  readonly at?: readonly number[];
  /** Objects that could not be read, and count as not selected. */
  readonly unreadable: number;
  readonly cost: { readonly requests: number; readonly keys: number; readonly bytes: number };
}

/** Rejects with what the transport rejects with. Reads at most 500 objects, 16 MiB and 24 keys more. */
export async function spreadSample<T>(range: SampledRange<T>): Promise<SpreadSample> {
  return new Sampler(range).read();
}

class Sampler<T> {
  private requests = 0;
  private keys = 0;
  private bytes = 0;
  /** Without those of which only the keys were read. */
  private readonly values = { keys: 0, bytes: 0 };
  private unreadable = 0;
  private total = 0;
  private revision = 0n;
  /** The revision of the first reply was compacted, and the rest is of later ones. */
  private moved = false;
  private readonly mostBytes: number;
  private readonly selectsAll: boolean;

  constructor(private readonly range: SampledRange<T>) {
    const { byteBudget } = range.etcd;
    this.mostBytes = byteBudget < 0 ? MOST_BYTES : Math.min(MOST_BYTES, byteBudget);
    this.selectsAll = isUnfiltered(range.predicate);
  }

  async read(): Promise<SpreadSample> {
    const { start } = this.range;
    const first = new Stretch(start);
    const reply = await this.page(start, FIRST_PAGE);
    this.total = Number(reply.count);
    this.revision = reply.revision;
    this.take(reply, first);
    const fitting = Math.floor(this.mostBytes / Math.max(1, this.mean));
    const goal = Math.min(this.total, SAMPLED_OBJECTS, fitting);
    const isWhole = goal >= this.total;
    const firstKey = reply.kvs[0]?.key ?? start;
    const stretches = isWhole ? [first] : await this.stretches(first, firstKey);
    for (const stretch of stretches) {
      const share = isWhole ? goal : Math.max(1, Math.round((goal * stretch.keys) / this.total));
      await this.readOn(stretch, share);
    }
    const { keys, bytes, requests, unreadable, total } = this;
    return {
      keys: total,
      places: stretches.filter(({ objects }) => objects > 0).map((each) => each.told()),
      ...(first.objects >= total && !this.moved ? { at: first.at } : {}),
      unreadable,
      cost: { requests, keys, bytes },
    };
  }

  private get mean(): number {
    return this.values.bytes / Math.max(1, this.values.keys);
  }

  /** The first one has been begun. */
  private async stretches(first: Stretch, firstKey: Uint8Array): Promise<Stretch[]> {
    const { end } = this.range;
    const wanted = { first: firstKey, end, total: this.total, reads: MOST_PROBES };
    const places = await evenPlaces({ ...wanted, places: MOST_PLACES + 1 }, (key) =>
      this.rank(key),
    );
    return places.map(({ key, rank }, i) => {
      const keys = (places[i + 1]?.rank ?? this.total) - rank;
      if (i > 0) return new Stretch(key, keys);
      first.keys = keys;
      return first;
    });
  }

  private async rank(key: Uint8Array): Promise<RankedKey | undefined> {
    const { kvs, count } = await this.ask({ key, limit: 1n, keysOnly: true });
    const [found] = kvs;
    return found && { key: found.key.slice(), rank: Math.max(0, this.total - Number(count)) };
  }

  private async readOn(stretch: Stretch, goal: number): Promise<void> {
    const most = Math.min(goal, stretch.keys);
    while (stretch.objects < most && this.bytes + this.mean <= this.mostBytes) {
      const bytes = Math.min(PAGE_BYTES, this.mostBytes - this.bytes);
      const fitting = Math.max(1, Math.floor(bytes / Math.max(1, this.mean)));
      const size = Math.min(most - stretch.objects, fitting, LARGEST_PAGE);
      const reply = await this.page(stretch.next, size);
      if (reply.kvs.length === 0) return;
      this.take(reply, stretch);
    }
  }

  private page(key: Uint8Array, limit: number): Promise<RangeReply> {
    return this.ask({ key, limit: BigInt(limit) });
  }

  private async ask(request: Omit<RangeRequest, 'rangeEnd' | 'revision'>): Promise<RangeReply> {
    const reply = await this.reply(request);
    this.requests++;
    this.keys += reply.kvs.length;
    this.bytes += reply.bytes;
    return reply;
  }

  /** At the first reply's revision; once that is compacted, at the latest, which an estimate may be of. */
  private async reply(request: Omit<RangeRequest, 'rangeEnd' | 'revision'>): Promise<RangeReply> {
    const { etcd, end, signal } = this.range;
    const asked = { ...request, rangeEnd: end };
    try {
      return await etcd.range({ ...asked, revision: this.revision }, { signal });
    } catch (error) {
      if (this.revision === 0n || !isEtcdError(error) || error.code !== 'compacted') throw error;
    }
    this.moved = true;
    this.requests++;
    const reply = await etcd.range({ ...asked, revision: 0n }, { signal });
    this.revision = reply.revision;
    return reply;
  }

  private take({ kvs, bytes }: RangeReply, stretch: Stretch): void {
    for (const kv of kvs) stretch.add(this.selects(kv), kv.key);
    stretch.bytes += bytes;
    this.values.keys += kvs.length;
    this.values.bytes += bytes;
  }

  private selects(kv: RangeReply['kvs'][number]): boolean {
    const { decoder, predicate } = this.range;
    let object: T;
    try {
      object = decoder.decode(decoder.transform(kv.value, kv), kv);
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof TransformError)) throw error;
      this.unreadable++;
      return false;
    }
    try {
      return this.selectsAll || matchesAttributes(predicate, decoder.attributes(object));
    } catch {
      // As upstream: whose attributes cannot be read is not selected.
      return false;
    }
  }
}

/** Keys that are read one after the other from one place on. */
class Stretch {
  objects = 0;
  bytes = 0;
  readonly at: number[] = [];

  constructor(
    public next: Uint8Array,
    /** Up to the next place. */
    public keys = Infinity,
  ) {}

  add(isSelected: boolean, key: Uint8Array): void {
    this.objects++;
    if (isSelected) this.at.push(this.objects);
    this.next = nextKey(key);
  }

  told(): PlaceRead {
    return { objects: this.objects, matched: this.at.length, bytes: this.bytes };
  }
}
