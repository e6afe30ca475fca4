/** Explain, as the panel shows it: the decision as a chain of rules, and what the list would cost. */
import type { ListQuery } from './model';

/** What an estimate is reckoned from, as it is typed; all empty for none. */
export interface GivenCost {
  readonly keys: string;
  readonly matchRate: string;
  readonly objectSize: string;
  readonly clustered: boolean;
}

export interface ExplainParams {
  readonly query: ListQuery;
  /** Follows all tokens to the end. */
  readonly follow: boolean;
  /** Reads a bounded sample: at most 500 objects, 16 MiB and 24 keys more. Without it nothing is read. */
  readonly measure: boolean;
  readonly given: GivenCost;
}

export type ServedBy = 'watchCache' | 'etcdPages' | 'etcdStream' | 'etcdKey' | 'refused';

export interface ChainStep {
  /** Its letter in docs/rules.md. */
  readonly rule: string;
  /** Upstream's file and function. */
  readonly source: string;
  readonly text: string;
  /** What follows where the answer is the unlikely one. */
  readonly otherwise?: string;
}

export interface Chain {
  readonly title: string;
  readonly steps: readonly ChainStep[];
  readonly end: string;
}

/** The likely value and the range about it; all equal where nothing is in doubt. */
export interface CostFigure {
  readonly likely: number;
  readonly low: number;
  readonly high: number;
}

export interface CostRow {
  readonly name: string;
  readonly title: string;
  readonly way: ServedBy;
  /** As people read it: `etcd, pages`. */
  readonly served: string;
  readonly requests: CostFigure;
  readonly keys: CostFigure;
  readonly examined: CostFigure;
  readonly returned: CostFigure;
  readonly bytes?: CostFigure;
  readonly largestReply?: CostFigure;
  readonly held?: CostFigure;
  /** The figures are at least so high. */
  readonly isPartial: boolean;
}

/** Page sizes over round trips. */
export interface PageSeries {
  readonly name: 'doubling' | 'naive' | 'stream';
  readonly title: string;
  /** The first of them. */
  readonly pages: readonly {
    readonly asked: number;
    readonly keys: number;
    readonly matched: number;
  }[];
  /** Of all. */
  readonly count: number;
  readonly keys: number;
}

export interface ListEstimate {
  /** What it is reckoned from, in words. */
  readonly stored: string;
  readonly assumptions: readonly string[];
  readonly rows: readonly CostRow[];
  readonly series: readonly PageSeries[];
}

export interface ExplainedList {
  readonly request: string;
  readonly way: ServedBy;
  /** One sentence: who serves it. */
  readonly served: string;
  readonly notes: readonly string[];
  readonly chains: readonly Chain[];
  readonly alternatives: readonly {
    readonly title: string;
    readonly served: string;
    readonly meaning: string;
  }[];
  /** Absent where nothing is known of the keys. */
  readonly estimate?: ListEstimate;
}
