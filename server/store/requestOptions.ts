/**
 * What the API layer checks before storage sees a request (rule O5): which match may go with which
 * version, token and kind of request. The version's text, the limit and the token are not looked at.
 *
 * Upstream: `apimachinery/pkg/apis/meta/internalversion/validation`.
 */
import { goJsonString, goQuote } from '../common/goText';

export interface RequestOptions {
  readonly watch: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continueToken: string;
  /** Undefined when the request does not say. */
  readonly sendInitialEvents: boolean | undefined;
  /** The server's WatchList feature gate. */
  readonly watchListEnabled: boolean;
}

type Field = 'resourceVersionMatch' | 'sendInitialEvents';

/** One refusal: the option to blame and upstream's text, whole. */
export interface RequestProblem {
  readonly field: Field;
  readonly message: string;
}

const exact = 'Exact';
const notOlderThan = 'NotOlderThan';

function forbidden(field: Field, text: string): RequestProblem {
  return { field, message: `${field}: Forbidden: ${text}` };
}

function unsupportedMatch(match: string, supported: readonly string[]): RequestProblem {
  const values = supported.map((value) => goQuote(value)).join(', ');
  return {
    field: 'resourceVersionMatch',
    message: `resourceVersionMatch: Unsupported value: ${goJsonString(match)}: supported values: ${values}`,
  };
}

function listMatchProblems(options: RequestOptions): RequestProblem[] {
  const match = options.resourceVersionMatch;
  const problems: RequestProblem[] = [];
  const forbid = (text: string) => problems.push(forbidden('resourceVersionMatch', text));
  if (options.resourceVersion === '') {
    forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  if (options.continueToken !== '') {
    forbid('resourceVersionMatch is forbidden when continue is provided');
  }
  if (match !== exact && match !== notOlderThan) {
    problems.push(unsupportedMatch(match, [exact, notOlderThan, '']));
  }
  if (match === exact && options.resourceVersion === '0') {
    forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  return problems;
}

function listProblems(options: RequestOptions): RequestProblem[] {
  const problems = options.resourceVersionMatch === '' ? [] : listMatchProblems(options);
  if (options.sendInitialEvents !== undefined) {
    problems.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return problems;
}

function initialEventsProblems(options: RequestOptions): RequestProblem[] {
  const problems: RequestProblem[] = [];
  if (options.resourceVersionMatch !== notOlderThan) {
    const text = `sendInitialEvents requires setting resourceVersionMatch to ${notOlderThan}`;
    problems.push(forbidden('resourceVersionMatch', text));
  }
  if (!options.watchListEnabled) {
    const text =
      'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    problems.push(forbidden('sendInitialEvents', text));
  }
  return problems;
}

function watchMatchProblems(options: RequestOptions): RequestProblem[] {
  const problems: RequestProblem[] = [];
  const forbid = (text: string) => problems.push(forbidden('resourceVersionMatch', text));
  if (options.sendInitialEvents === undefined) {
    forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  if (options.resourceVersionMatch !== notOlderThan) {
    problems.push(unsupportedMatch(options.resourceVersionMatch, [notOlderThan]));
  }
  if (options.continueToken !== '') {
    forbid('resourceVersionMatch is forbidden when continue is provided');
  }
  return problems;
}

/** All refusals in upstream's order; empty when the request is accepted. */
export function requestProblems(options: RequestOptions): RequestProblem[] {
  if (!options.watch) return listProblems(options);
  return [
    ...(options.sendInitialEvents === undefined ? [] : initialEventsProblems(options)),
    ...(options.resourceVersionMatch === '' ? [] : watchMatchProblems(options)),
  ];
}
