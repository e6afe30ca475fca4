import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** Milliseconds until it gives up; 10 000 when absent. */
  readonly timeoutMs?: number;
  /** Milliseconds between two looks; 20 when absent. */
  readonly intervalMs?: number;
  /** What is awaited, for the error's text. */
  readonly what?: string;
}

/**
 * Asks `condition` until it answers with something truthy, and returns that answer. An attempt that
 * throws counts as "not yet"; after the time limit its error is the cause of the one thrown.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 10_000, intervalMs = 20, what = 'the condition' }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await condition();
      if (answer) return answer;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`${what} did not come true within ${timeoutMs} ms`, { cause });
    }
    await delay(intervalMs);
  }
}
