/** How much a run compares, and from which seed. */
import { readSetting } from './limits.mjs';

export interface RefereeSettings {
  /** Lists compared on random clusters. */
  readonly cases: number;
  readonly seed: number;
  /** Ends the name of every test that draws from the seed, so that its failure can be repeated. */
  readonly seeded: string;
}

function setting(name: 'cases' | 'seed', fallback: number): number {
  const variable = `REFEREE_${name.toUpperCase()}`;
  const text = process.env[variable] ?? '';
  return text === '' ? fallback : readSetting(name, text, variable);
}

/**
 * `REFEREE_CASES` and `REFEREE_SEED`, else 5000 and always the same seed: what `npm test` says of one
 * commit must not depend on chance. `npm run test:referee` looks further, see `run.mjs`.
 */
export function refereeSettings(): RefereeSettings {
  const cases = setting('cases', 5000);
  const seed = setting('seed', 1);
  const seeded = ` (seed ${String(seed)})`;
  console.log(`referee: REFEREE_SEED=${String(seed)} REFEREE_CASES=${String(cases)}`);
  return { cases, seed, seeded };
}

/** Milliseconds a comparison of this size may take before it counts as hung. */
export const timeoutFor = (cases: number): number => 120_000 + cases * 150;
