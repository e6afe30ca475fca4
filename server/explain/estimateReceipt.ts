/** An estimate held against what a run took. */
import type { Cost, EstimateRow, Figure } from './estimateModel';

/** What a run took, guards and refused streams left out. */
export interface Spent {
  readonly requests: number;
  readonly keys: number;
  readonly examined: number;
  readonly returned: number;
  readonly bytes: number;
  readonly largestReply: number;
}

export interface Held {
  readonly name: keyof Spent;
  readonly title: string;
  readonly estimate: Figure;
  readonly receipt: number;
  /** Within the range that was told; sizes of objects are a mean, so that a range about it is allowed. */
  readonly isWithin: boolean;
}

/** Bytes hang on which objects came, whose sizes no mean tells: so much to either side is no surprise. */
const SIZE_TOLERANCE = 0.1;

export function heldAgainst({ cost }: Pick<EstimateRow, 'cost'>, spent: Spent): Held[] {
  return FIGURES.flatMap(({ name, title, of, isSize }) => {
    const estimate = of(cost);
    if (estimate === undefined) return [];
    const receipt = spent[name];
    const slack = isSize ? SIZE_TOLERANCE : 0;
    const isWithin =
      estimate.low * (1 - slack) <= receipt && receipt <= estimate.high * (1 + slack);
    return [{ name, title, estimate, receipt, isWithin }];
  });
}

const FIGURES: readonly {
  readonly name: keyof Spent;
  readonly title: string;
  readonly of: (cost: Cost) => Figure | undefined;
  readonly isSize: boolean;
}[] = [
  { name: 'requests', title: 'requests', of: ({ requests }) => requests, isSize: false },
  { name: 'keys', title: 'keys', of: ({ keys }) => keys, isSize: false },
  { name: 'examined', title: 'examined', of: ({ examined }) => examined, isSize: false },
  { name: 'returned', title: 'objects', of: ({ returned }) => returned, isSize: false },
  { name: 'bytes', title: 'bytes', of: ({ bytes }) => bytes, isSize: true },
  { name: 'largestReply', title: 'largest', of: ({ largestReply }) => largestReply, isSize: true },
];
