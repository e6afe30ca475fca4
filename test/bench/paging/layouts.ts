/** Which keys match, in their order: the same for the same number of keys. */
import { Random } from '../../../server/demo/seedRandom';

/** One in each block; by chance; side by side in runs that stand anywhere. */
export const layouts = ['even', 'chance', 'runs'] as const;
export type Layout = (typeof layouts)[number];

export const shares = [1, 0.5, 0.1, 0.01, 0.001, 0.0001] as const;

/** Matches of a run; of rare ones fewer. */
export const runLength = 200;

export type Matches = (i: number) => boolean;

function even(share: number): Matches {
  const block = Math.round(1 / share);
  return (i) => i % block === block - 1;
}

function chance(share: number, keys: number): Matches {
  const random = new Random(keys);
  const matching = Array.from({ length: keys }, () => random.next() < share);
  return (i) => matching[i] === true;
}

/** A run in each of equal parts, at a place of its own. */
function runs(share: number, keys: number): Matches {
  const random = new Random(keys);
  const count = Math.max(1, Math.round((keys * share) / runLength));
  const part = Math.floor(keys / count);
  const length = Math.min(part, Math.max(1, Math.round((keys * share) / count)));
  const starts = Array.from(
    { length: count },
    (_, n) => n * part + random.below(part - length + 1),
  );
  return (i) => {
    const start = starts[Math.floor(i / part)];
    return start !== undefined && i >= start && i < start + length;
  };
}

const makers = { even, chance, runs } as const;

/** A label's name, and which keys carry it. */
export interface Marking {
  readonly layout: Layout;
  readonly share: number;
  readonly label: string;
  readonly matches: Matches;
}

/** Of 100 % there is one layout alone. */
export function markingsOf(keys: number): Marking[] {
  return layouts.flatMap((layout) =>
    shares
      .filter((share) => share < 1 || layout === 'even')
      .map((share) => ({
        layout,
        share,
        label: `${layout}-${Math.round(1 / share)}`,
        matches: makers[layout](share, keys),
      })),
  );
}
