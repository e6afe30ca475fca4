/** What a list would cost, as plain data, and what that is reckoned from. */
import type { PageRead } from './estimatePages';
import type { Way } from './model';

/** `low` to `high`, and the likely one between them; all equal where the arithmetic leaves no doubt. */
export interface Figure {
  readonly likely: number;
  readonly low: number;
  readonly high: number;
}

/** How the objects that a list selects stand among the keys. */
export type Matches =
  /** No selector. */
  | { readonly kind: 'all' }
  /** A selector of which nothing is known. */
  | { readonly kind: 'unknown' }
  /** This share of all keys, `low` to `high` of them where it comes from a sample. */
  | {
      readonly kind: 'share';
      readonly share: Figure;
      /** Side by side, anywhere, in place of evenly spread; `perhaps` where a sample lets suppose it. */
      readonly clustered: boolean | 'perhaps';
      /** Neighbours in the sample that tell no more than one object, since they are alike; 1 where absent. */
      readonly alike?: number;
      /** All keys were looked at: how many are selected is certain, and only where they stand is not. */
      readonly counted?: boolean;
    }
  /** Every object was read: the keys, counted from 1, at which those stand. */
  | { readonly kind: 'known'; readonly at: readonly number[] };

/** What is known of the keys that a list ranges over. */
export interface StoredKeys {
  readonly keys: number;
  /** Mean length of a key and its value in a reply; absent where it is not known. */
  readonly bytesPerKey?: Figure;
  readonly matches: Matches;
  /** Where it is known from. */
  readonly source:
    | { readonly kind: 'given' }
    | {
        readonly kind: 'measured';
        /** Objects read of the keys. */
        readonly objects: number;
        /** Places in the order of keys at which reading began. */
        readonly places: number;
        /** Of these objects, such as cannot be read and count as not selected. */
        readonly unreadable: number;
        /** What the measuring itself took. */
        readonly cost: SampleCost;
      }
    /** Read before, for completion or for counts. */
    | { readonly kind: 'index'; readonly objects: number; readonly places: number };
}

export interface SampleCost {
  readonly requests: number;
  readonly keys: number;
  readonly bytes: number;
}

export interface Cost {
  readonly requests: Figure;
  /** Keys that etcd sends. */
  readonly keys: Figure;
  /** Keys looked at before the list is full. */
  readonly examined: Figure;
  readonly returned: Figure;
  /** Of all replies; these three are absent where the size of objects is not known. */
  readonly bytes?: Figure;
  readonly largestReply?: Figure;
  /** Held at once by the API server: the largest reply and all objects selected, as they are stored. */
  readonly held?: Figure;
  /** Messages of a stream. */
  readonly chunks?: Figure;
  /** LIST requests of the client, where it follows its tokens to the end. */
  readonly lists?: Figure;
}

export type RowName =
  | 'asked'
  | 'atEtcd'
  | 'otherGate'
  | 'toEnd'
  | 'naive'
  | 'naiveToEnd'
  | 'withoutLimit'
  | 'streamed'
  | 'resourceVersion0'
  | 'oneKey';

export interface EstimateRow {
  readonly name: RowName;
  readonly title: string;
  readonly way: Way;
  readonly cost: Cost;
  /** The likely ones in their order, at most the first 2,000; none where etcd sends no keys. */
  readonly pages: readonly PageRead[];
  /** The figures are at least so high: more is not followed. */
  readonly isPartial: boolean;
}

export interface Estimate {
  readonly stored: StoredKeys;
  /** What is taken for granted, a sentence each. */
  readonly assumptions: readonly string[];
  readonly rows: readonly EstimateRow[];
}
