/** How much a run compares, and from which seed. */

export interface RefereeSettings {
  /** Lists compared on random clusters. */
  readonly cases: number;
  readonly seed: number;
}

function whole(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name} is no whole number: ${text}`);
  return value;
}

/**
 * `REFEREE_CASES` and `REFEREE_SEED`, else 5000 and always the same seed: what `npm test` says of one
 * commit must not depend on chance. `npm run test:referee` looks further, see `run.mjs`.
 */
export function refereeSettings(): RefereeSettings {
  return { cases: whole('REFEREE_CASES', 5000), seed: whole('REFEREE_SEED', 1) };
}

/** Milliseconds a comparison of this size may take before it counts as hung. */
export const timeoutFor = (cases: number): number => 120_000 + cases * 150;
