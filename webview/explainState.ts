/** The Explain tab's part of the state, and how each message changes it. */
import type { Failure } from '../server/protocol/errors';
import type { ExplainedList, GivenCost } from '../server/protocol/explain';
import type { ListQuery } from '../server/protocol/model';

export interface ExplainState {
  readonly given: GivenCost;
  readonly answer: ExplainedList | null;
  /** What the answer is of. */
  readonly query: ListQuery | null;
  /** A sample is being read. */
  readonly measuring: boolean;
  readonly failure: Failure | null;
}

export type ExplainMessage =
  | { readonly type: 'givenCost'; readonly patch: Partial<GivenCost> }
  | { readonly type: 'explaining'; readonly measuring: boolean }
  /** What was answered is of something else by now. */
  | { readonly type: 'explainVoid' }
  | {
      readonly type: 'explained';
      readonly query: ListQuery;
      readonly answer: ExplainedList;
    }
  | { readonly type: 'explainFailed'; readonly failure: Failure };

export const nothingExplained: ExplainState = {
  given: { keys: '', matchRate: '', objectSize: '', clustered: false },
  answer: null,
  query: null,
  measuring: false,
  failure: null,
};

export function reduceExplain(explain: ExplainState, message: ExplainMessage): ExplainState {
  switch (message.type) {
    case 'givenCost':
      return { ...explain, given: { ...explain.given, ...message.patch } };
    case 'explaining':
      return { ...explain, measuring: message.measuring, failure: null };
    case 'explainVoid':
      return { ...explain, query: null };
    case 'explained': {
      const { query, answer } = message;
      return { ...explain, query, answer, measuring: false, failure: null };
    }
    case 'explainFailed': {
      const { failure } = message;
      // Who stopped the measuring knows it.
      const shown = failure.code === 'cancelled' ? null : failure;
      return { ...explain, measuring: false, failure: shown };
    }
  }
}

const types: ReadonlySet<string> = new Set<ExplainMessage['type']>([
  'givenCost',
  'explaining',
  'explainVoid',
  'explained',
  'explainFailed',
]);

export const isOfExplain = (message: { readonly type: string }): message is ExplainMessage =>
  types.has(message.type);
