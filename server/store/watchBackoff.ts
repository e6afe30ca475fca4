/** Waits between tries to resume a watch. */
import { setTimeout as delay } from 'node:timers/promises';

export interface RetryTiming {
  /** Resolves after the time, rejects at once when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** At least 0 and below 1. */
  random(): number;
}

export const systemTiming: RetryTiming = {
  wait: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};

const firstMs = 100;
const longestMs = 5_000;

/** Doubles from 100 ms to 5 s; each wait is between half and the whole of that. */
export class Backoff {
  #nextMs = firstMs;

  constructor(private readonly random: () => number) {}

  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, longestMs);
    return Math.round((ms / 2) * (1 + this.random()));
  }

  reset(): void {
    this.#nextMs = firstMs;
  }
}
