/**
 * How far back the cache's events go. As many are kept as came in 75 seconds, within bounds: a window
 * that is full too soon doubles, one of which a quarter would do is halved.
 * Upstream: `watchCacheHistory` in `pkg/storage/cacher/watch_cache_history.go`, where watches are
 * served from it; here it decides how long snapshots live.
 */
export const leastCapacity = 100;
export const mostCapacity = 100 * 1024;
/** Upstream: `DefaultEventFreshDuration`. */
export const freshMs = 75_000;

interface WindowEvent {
  readonly revision: bigint;
  readonly at: number;
}

const longestFront = 1024;

export class EventWindow {
  private size = leastCapacity;
  private events: WindowEvent[] = [];
  private front = 0;

  get capacity(): number {
    return this.size;
  }

  get count(): number {
    return this.events.length - this.front;
  }

  /** Revision of the oldest event, once older ones had to leave or the next one will make them. */
  get oldestOfFull(): bigint | undefined {
    return this.isFull ? this.events[this.front]?.revision : undefined;
  }

  /** `at` is in milliseconds of a clock that does not jump. */
  add(revision: bigint, at: number): void {
    this.resize(at);
    if (this.isFull) this.front++;
    this.events.push({ revision, at });
    this.trim();
  }

  /** The capacity stays. */
  clear(): void {
    this.events = [];
    this.front = 0;
  }

  private get isFull(): boolean {
    return this.count === this.size;
  }

  private resize(at: number): void {
    if (!this.isFull) return;
    const ageOf = (index: number): number => at - (this.events[index]?.at ?? at);
    if (ageOf(this.front) < freshMs) {
      this.size = Math.min(this.size * 2, mostCapacity);
    } else if (ageOf(this.events.length - Math.trunc(this.size / 4)) > freshMs) {
      this.size = Math.max(Math.trunc(this.size / 2), leastCapacity);
      this.front = Math.max(this.front, this.events.length - this.size);
    }
  }

  private trim(): void {
    if (this.front <= longestFront || this.front <= this.count) return;
    this.events = this.events.slice(this.front);
    this.front = 0;
  }
}
