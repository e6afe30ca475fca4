/** Several ways, one run of each a round, each round beginning with another one. */
import { median } from '../statistics';
import type { Outcome } from './work';

export interface Runs {
  /** On cold code. */
  readonly first: Outcome;
  readonly samples: readonly Outcome[];
}

export type Ways<N extends string> = Readonly<Record<N, () => Promise<Outcome>>>;

/** One run of each to warm up, then the rounds. */
export async function alternate<N extends string>(
  ways: Ways<N>,
  rounds: number,
): Promise<Readonly<Record<N, Runs>>> {
  const names = Object.keys(ways) as N[];
  const runs = {} as Record<N, { readonly first: Outcome; readonly samples: Outcome[] }>;
  for (const name of names) runs[name] = { first: await ways[name](), samples: [] };
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length];
      if (name !== undefined) runs[name].samples.push(await ways[name]());
    }
  }
  return runs;
}

export const medianMs = ({ samples }: Runs): number => median(samples.map(({ ms }) => ms));

/** Of a count that a run may change, its middle. */
export const medianCount = ({ samples }: Runs, count: string): number =>
  median(samples.map(({ counts }) => counts[count] ?? Number.NaN));

/** Throws where two runs counted something else, or counted nothing of what there must be some. */
export function sameCount(name: string, { first, samples }: Runs, count: string): number {
  const found = first.counts[count];
  if (found === undefined) throw new Error(`${name} counted no ${count}`);
  const other = samples.find(({ counts }) => counts[count] !== found);
  if (other !== undefined) {
    throw new Error(`${name} counted ${found} ${count}, then ${String(other.counts[count])}`);
  }
  return found;
}
