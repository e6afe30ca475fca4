/** Indexes by place, of which the least recently used go when they are too many. */
import type { Clock } from '../../common/clock';
import type { LabelIndex } from '../../language/index/labelIndex';

interface Held {
  readonly index: LabelIndex;
  readonly weight: number;
}

/** Labels and fields that an object has at most before it counts as several. */
const USUAL_PAIRS = 32;
/** What an index counts at least, in objects. */
const LEAST_WEIGHT = 100;

export class IndexCache {
  /** The least recently used first. */
  private readonly held = new Map<string, Held>();
  /** When each was read, those that were dropped since included. */
  private readonly readAt = new Map<string, number>();
  private weight = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Makes it the most recently used. */
  get(id: string): LabelIndex | undefined {
    const found = this.held.get(id);
    if (found === undefined) return undefined;
    this.held.delete(id);
    this.held.set(id, found);
    return found.index;
  }

  /** Whether it was read less than `maxAgeMs` ago, and perhaps dropped since. */
  wasReadWithin(id: string, maxAgeMs: number): boolean {
    const at = this.readAt.get(id);
    return at !== undefined && this.clock.monotonic() - at < maxAgeMs;
  }

  /** Drops others until all together count at most `most` objects; the new one stays. */
  put(id: string, index: LabelIndex, most: number, maxAgeMs: number): void {
    this.forgetTimes(maxAgeMs);
    this.drop(id);
    const weight = weightOf(index);
    this.held.set(id, { index, weight });
    this.weight += weight;
    this.readAt.set(id, this.clock.monotonic());
    this.trim(most);
  }

  /** Drops the least recently used until the rest counts at most `most`, or one is left. */
  trim(most: number): boolean {
    const before = this.held.size;
    for (const id of [...this.held.keys()]) {
      if (this.weight <= most || this.held.size === 1) break;
      this.drop(id);
    }
    return this.held.size < before;
  }

  private drop(id: string): void {
    const found = this.held.get(id);
    if (found === undefined) return;
    this.weight -= found.weight;
    this.held.delete(id);
  }

  /** Times of what is no longer held matter only while they are young. */
  private forgetTimes(maxAgeMs: number): void {
    for (const id of [...this.readAt.keys()]) {
      if (!this.held.has(id) && !this.wasReadWithin(id, maxAgeMs)) this.readAt.delete(id);
    }
  }
}

function weightOf({ coverage, pairs }: LabelIndex): number {
  return Math.max(LEAST_WEIGHT, coverage.objects, Math.ceil(pairs / USUAL_PAIRS));
}
