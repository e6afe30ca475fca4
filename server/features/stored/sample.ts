/**
 * One index, read with few and small lists: all objects where they are few, else a sample from several
 * places in the order of keys, since objects whose names are neighbours have much the same labels.
 */
import { compareBytes, concatBytes, utf8 } from '../../common/bytes';
import type { IndexedResource, LabelIndex } from '../../language/index/labelIndex';
import { LabelIndexBuilder } from '../../language/index/labelIndexBuilder';
import {
  FIRST_PAGE,
  LARGEST_PAGE,
  MOST_BYTES,
  MOST_PLACES,
  PAGE_BYTES,
} from '../../store/sampleLimits';
import type { Page, Problem, SamplePages } from './samplePages';

export interface SampleSize {
  /** Objects read of many. */
  readonly sampleObjects: number;
  /** All are read when there are no more than this. */
  readonly exactUpTo: number;
  /** Bytes that may be read; below zero for any number. */
  readonly byteBudget: number;
}

export interface SampleParts {
  readonly pages: Pick<SamplePages, 'keyPrefix' | 'page' | 'tokenAt'>;
  readonly size: SampleSize;
  readonly resource: IndexedResource;
  /** Beginnings of keys behind the prefix, in byte order, at which objects may stand; asked for large resources alone. */
  readonly beginnings: () => Promise<readonly string[]>;
}

/** Rejects with the reads' failures, and with the first object's where none of the first page can be read. */
export function readSample(parts: SampleParts): Promise<LabelIndex> {
  return new Sampler(parts).read();
}

/** Keys that are read one after the other. */
interface Stretch {
  /** Where it goes on. */
  next: string;
  /** The key at which another one begins. */
  readonly end: Uint8Array | undefined;
  /** `done` at its end, `last` at the end of all keys. */
  state: 'open' | 'done' | 'last';
}

class Sampler {
  private readonly builder = new LabelIndexBuilder();
  private unreadable = 0;
  private problem: Problem | undefined;
  private bytes = 0;
  private readonly mostBytes: number;
  private places = 1;

  constructor(private readonly parts: SampleParts) {
    const { byteBudget } = parts.size;
    this.mostBytes = byteBudget < 0 ? MOST_BYTES : Math.min(MOST_BYTES, byteBudget);
  }

  async read(): Promise<LabelIndex> {
    const { size, resource, pages } = this.parts;
    const fewest = Math.max(size.sampleObjects, size.exactUpTo);
    const first = await pages.page(Math.min(FIRST_PAGE, fewest), '');
    this.take(first, undefined);
    if (this.builder.objects === 0 && this.problem !== undefined) throw this.problem;
    const total = this.taken + first.remaining;
    if (total <= fewest && total * this.mean <= this.mostBytes) {
      await this.readOn(stretchFrom(first.next, undefined), total);
    } else {
      // Shares by what the bytes allow: else they would be used up before the last places.
      const fitting = Math.floor(this.mostBytes / Math.max(1, this.mean));
      await this.readPlaces(first, Math.min(size.sampleObjects, total, fitting));
    }
    const { unreadable, places } = this;
    return this.builder.build(resource, { total, unreadable, places });
  }

  private get taken(): number {
    return this.builder.objects + this.unreadable;
  }

  /** Takes what stands before the end, and answers whether anything stood behind it. */
  private take({ items, bytes }: Page, end: Uint8Array | undefined): boolean {
    this.bytes += bytes;
    for (const { key, object } of items) {
      if (end !== undefined && compareBytes(key, end) >= 0) return true;
      if (object instanceof Error) {
        this.unreadable++;
        this.problem ??= object;
      } else this.builder.add(object);
    }
    return false;
  }

  /** Page after page until so many keys are taken, the stretch ends, or the bytes are used up. */
  private async readOn(stretch: Stretch, goal: number): Promise<void> {
    while (stretch.state === 'open' && this.taken < goal && !this.isUsedUp) {
      const page = await this.parts.pages.page(this.pageSize(goal - this.taken), stretch.next);
      const isBehind = this.take(page, stretch.end);
      stretch.next = page.next;
      if (isBehind) stretch.state = 'done';
      else if (page.next === '') stretch.state = 'last';
    }
  }

  /** A share from each place; where some hold less, more from the first ones. */
  private async readPlaces(first: Page, goal: number): Promise<void> {
    const { pages, beginnings } = this.parts;
    const starts = this.startsAmong(await beginnings(), first.lastKey);
    const stretches = [stretchFrom(first.next, starts[0])];
    for (const [i, key] of starts.entries()) {
      const before = this.taken;
      const token = pages.tokenAt(key, first.resourceVersion);
      const stretch = stretchFrom(token, starts[i + 1]);
      stretches.push(stretch);
      await this.readOn(stretch, before + Math.ceil((goal - before) / (starts.length - i)));
      if (this.taken > before) this.places++;
      if (stretch.state === 'last') break;
    }
    for (const stretch of stretches) await this.readOn(stretch, goal);
  }

  /** A few of the beginnings that lie behind what was read, evenly spread. */
  private startsAmong(
    beginnings: readonly string[],
    lastKey: Uint8Array | undefined,
  ): Uint8Array[] {
    const { keyPrefix } = this.parts.pages;
    const keys = beginnings
      .map((beginning) => concatBytes(keyPrefix, utf8(beginning)))
      .filter((key) => lastKey === undefined || compareBytes(key, lastKey) > 0);
    const count = Math.min(MOST_PLACES, keys.length);
    return Array.from({ length: count }).flatMap(
      (_, i) => keys[Math.floor(((i + 0.5) * keys.length) / count)] ?? [],
    );
  }

  private get mean(): number {
    return this.bytes / Math.max(1, this.taken);
  }

  private pageSize(wanted: number): number {
    const bytes = Math.min(PAGE_BYTES, this.mostBytes - this.bytes);
    const fitting = Math.floor(bytes / Math.max(1, this.mean));
    return Math.max(1, Math.min(wanted, fitting, LARGEST_PAGE));
  }

  private get isUsedUp(): boolean {
    return this.bytes + this.mean > this.mostBytes;
  }
}

function stretchFrom(next: string, end: Uint8Array | undefined): Stretch {
  return { next, end, state: next === '' ? 'last' : 'open' };
}
