/** One list read in several ways at one revision: what each took, and whether all gave the same. */

/** `pages` is upstream's doubling. */
export const wayNames = ['pages', 'stream', 'naive', 'adaptive'] as const;
export type WayName = (typeof wayNames)[number];

/** What one run of a way took, summed over its LIST requests. */
export interface RunFigures {
  readonly requests: number;
  readonly lists: number;
  readonly fetched: number;
  readonly examined: number;
  readonly evaluated: number;
  readonly returned: number;
  /** Reply messages as received. What was on its way when a stream was left is in none of them. */
  readonly bytes: number;
  readonly largestReplyBytes: number;
  readonly durationMs: number;
}

export const overFetched = ({ fetched, examined }: RunFigures): number => fetched - examined;

/** A way in a comparison. Figures other than times are those of its first run. */
export interface ComparedWay {
  readonly way: WayName;
  /** Absent while no run has ended. */
  readonly figures?: RunFigures;
  /** Of each run that ended, in their order. */
  readonly durationsMs: readonly number[];
  /** This etcd cannot be read so. */
  readonly unsupported?: true;
  /** What a run had taken when it broke off. */
  readonly broken?: RunFigures;
}

export interface Comparison {
  /** At which all ways read; null before the first answer. */
  readonly revision: bigint | null;
  readonly ways: readonly ComparedWay[];
  /** Runs whose answers were compared with the first one's and are the same. */
  readonly agreed: number;
}

/** Which run it is: `nth` of `of`, counted from 1. */
export interface RunPlace {
  readonly way: WayName;
  readonly round: number;
  readonly nth: number;
  readonly of: number;
}

/** A comparison that came to no end. */
export class ComparisonFailedError extends Error {
  override readonly name = 'ComparisonFailedError';
  constructor(
    override readonly cause: unknown,
    /** As far as it came. */
    readonly comparison: Comparison,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
