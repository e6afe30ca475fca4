/** A query that an API server would refuse as it is written. */
import { cellText } from '../kube/print/cellText';
import type { Explanation } from './model';
import { SOURCES } from './sources';

export interface QueryError {
  readonly code: string;
  readonly message: string;
}

/** `line` is the query as it is written. Undefined where it is no request, so that nobody would answer it. */
export function refusedQuery(line: string, errors: readonly QueryError[]): Explanation | undefined {
  const refusals = errors.filter(({ code }) => code !== 'query');
  const [first] = refusals;
  if (first === undefined || refusals.length < errors.length) return undefined;
  const text = "The request is refused at the API server's door; storage is not asked.";
  const others = refusals.length === 1 ? '' : ` ${refusals.length - 1} more is wrong with it.`;
  return {
    request: cellText(line),
    notes: [],
    trail: {
      steps: [
        { rule: first.code === 'unsupported-field' ? 'F1' : 'O5', source: SOURCES.decode, text },
      ],
      end: {
        way: 'refused',
        text: `nothing is read.${others}`,
        refusal: { message: first.message },
      },
    },
    alternatives: [],
  };
}
