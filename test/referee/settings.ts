/** How much a run compares, and from which seed. */

export interface RefereeSettings {
  /** Lists compared on random clusters. */
  readonly cases: number;
  readonly seed: number;
  /** Ends the name of every test that draws from the seed, so that its failure can be repeated. */
  readonly seeded: string;
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
  const cases = whole('REFEREE_CASES', 5000);
  const seed = whole('REFEREE_SEED', 1);
  const seeded = ` (seed ${String(seed)})`;
  console.log(`referee: REFEREE_SEED=${String(seed)} REFEREE_CASES=${String(cases)}`);
  return { cases, seed, seeded };
}

/** Milliseconds a comparison of this size may take before it counts as hung. */
export const timeoutFor = (cases: number): number => 120_000 + cases * 150;
