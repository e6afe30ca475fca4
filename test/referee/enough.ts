/** What a run must have met to say anything, and what it tells of its size. */
import type { TestContext } from 'vitest';
import type { Tally } from './tally';

/** From so many comparisons on, chance is no excuse for a kind that was never met. */
const fullSize = 3000;

declare module 'vitest' {
  interface TaskMeta {
    /** Comparisons that a test made, by what was compared. Summed up by `summary.mjs`. */
    compared?: Record<string, number>;
  }
}

/** Adds to what the run's last line tells. */
export function tell({ task }: TestContext, what: string, count: number): void {
  const compared = (task.meta.compared ??= {});
  compared[what] = (compared[what] ?? 0) + count;
}

/**
 * Throws unless every kind was compared at least once. A short run is told what it missed, and fails
 * only when `size` says that it is as long as it needs to be.
 */
export function mustHaveMet(tally: Tally, kinds: readonly string[], size = tally.total): void {
  const missed = kinds.filter((kind) => tally.of(kind) === 0);
  if (missed.length === 0) return;
  const text = missed.join('; ');
  if (size >= fullSize) {
    throw new Error(`${String(tally.total)} comparisons, and none of these kinds: ${text}`);
  }
  console.log(`referee: ${String(tally.total)} are too few cases to meet: ${text}`);
}

/** The same of a share of what was compared. */
export function mustBeShare(part: number, whole: number, least: number, what: string): void {
  if (part >= whole * least) return;
  const text = `${what}: ${String(part)} of ${String(whole)}, at least ${String(least * 100)} % expected`;
  if (whole >= fullSize) throw new Error(text);
  console.log(`referee: too few cases to tell: ${text}`);
}
