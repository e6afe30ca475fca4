/** A query that an API server would refuse as it is written. */
import { cellText } from '../kube/print/cellText';
import type { Explanation, Outcome, Step } from './model';
import { SOURCES } from './sources';

export interface QueryError {
  readonly code: string;
  /** Upstream's text where it has one. */
  readonly message: string;
}

/** `line` is the query as it is written. Undefined where it is no request, so that nobody would answer it. */
export function refusedQuery(line: string, errors: readonly QueryError[]): Explanation | undefined {
  const refusals = errors.filter(({ code }) => !NO_REQUEST.has(code));
  const [first] = refusals;
  if (first === undefined || refusals.length < errors.length) return undefined;
  return {
    request: cellText(line),
    notes: refusals.length === 1 ? [] : [`${refusals.length - 1} more is wrong with it.`],
    trail: { steps: [stepOf(first)], end: endOf(first) },
    alternatives: [],
  };
}

/** Of what is no request, or stands in YAML as something else than it has to be. */
const NO_REQUEST: ReadonlySet<string> = new Set(['query', 'not-a-string', 'read-as-other']);

/** Texts of `ValidateListOptions` of storage; all others are of the handler before it. */
const OF_STORAGE =
  /^(?:invalid continue token: |invalid resource version: |specifying resource version is not)/;

function stepOf({ code, message }: QueryError): Step {
  if (OF_STORAGE.test(message)) {
    const text = 'Storage refuses the options before it decides between cache and etcd.';
    return { rule: 'O1', source: SOURCES.validate, text };
  }
  const text = "The request is refused at the API server's door; storage is not asked.";
  return { rule: code === 'unsupported-field' ? 'F1' : 'O5', source: SOURCES.decode, text };
}

/** A path that leads nowhere is told in our words. */
function endOf({ message }: QueryError): Outcome {
  if (message.startsWith('The API server answers')) {
    return { way: 'refused', text: cellText(message) };
  }
  return { way: 'refused', text: 'nothing is read.', refusal: { message } };
}
