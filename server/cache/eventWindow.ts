/**
 * How far back the cache's events go. As many are kept as came in 75 seconds, within bounds: a window
 * that is full too soon doubles, one of which a quarter would do is halved.
 * Upstream: `watchCacheHistory` in `pkg/storage/cacher/watch_cache_history.go`, where watches are
 * served from it; here it decides how long snapshots live.
 */
import { Queue } from '../common/queue';

export const leastCapacity = 100;
export const mostCapacity = 100 * 1024;
/** Upstream: `DefaultEventFreshDuration`. */
export const freshMs = 75_000;

interface WindowEvent {
  readonly revision: bigint;
  readonly at: number;
}

export class EventWindow {
  private size = leastCapacity;
  private readonly events = new Queue<WindowEvent>();

  get capacity(): number {
    return this.size;
  }

  get count(): number {
    return this.events.length;
  }

  /** Revision of the oldest event, once older ones had to leave or the next one will make them. */
  get oldestOfFull(): bigint | undefined {
    return this.isFull ? this.events.first?.revision : undefined;
  }

  /** `at` is in milliseconds of a clock that does not jump. */
  add(revision: bigint, at: number): void {
    this.resize(at);
    if (this.isFull) this.events.shift();
    this.events.push({ revision, at });
  }

  /** The capacity stays. */
  clear(): void {
    this.events.clear();
  }

  private get isFull(): boolean {
    return this.count === this.size;
  }

  private resize(at: number): void {
    if (!this.isFull) return;
    const ageOf = (event: WindowEvent | undefined): number => at - (event?.at ?? at);
    if (ageOf(this.events.first) < freshMs) {
      this.size = Math.min(this.size * 2, mostCapacity);
    } else if (ageOf(this.events.at(this.count - Math.trunc(this.size / 4))) > freshMs) {
      this.size = Math.max(Math.trunc(this.size / 2), leastCapacity);
      while (this.count > this.size) this.events.shift();
    }
  }
}
