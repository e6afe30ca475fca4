/** Limit, versions and token of a request, as the API server checks them. */
import { utf8 } from '../../common/bytes';
import { nearest } from '../../common/nearest';
import type { Span } from '../../kube/selectors';
import { decodeContinue, TokenError } from '../../store/continueToken';
import { StoreError } from '../../store/errors';
import { requestProblems, type RequestProblem } from '../../store/requestOptions';
import { parseRequestedVersion } from '../../store/resourceVersion';
import { finding, type Finding, type Fix } from '../findings';
import { placedEdits } from '../source/edits';
import { MATCH_CHOICES } from './choices';
import type { Draft, Options, Stated } from './draft';
import { goParseInt, isTrueParameter } from '../goNumbers';
import { wholeOf } from '../source/parts';

/**
 * The limit as a decimal. Upstream answers 400 with the text of `strconv.ParseInt`, to which what to
 * write is added.
 */
export function checkLimit(draft: Draft, findings: Finding[]): string {
  const timeout = draft.options.get('timeoutSeconds');
  if (timeout !== undefined) wholeNumber(timeout, findings);
  if (draft.limit !== undefined) return String(draft.limit);
  const stated = draft.options.get('limit');
  if (stated === undefined) return '';
  const limit = wholeNumber(stated, findings) ?? 0n;
  if (limit < 0n) {
    const message = 'The API server takes a negative limit as none.';
    findings.push(finding('no-effect', message, shownAt(stated)));
  }
  return String(limit);
}

const WHOLE = 'write a whole number of at most 9223372036854775807, such as 500';

function wholeNumber(stated: Stated, findings: Finding[]): bigint | undefined {
  const parsed = goParseInt(stated.text.text);
  if ('value' in parsed) return parsed.value;
  findings.push(finding('request', `${parsed.problem}: ${WHOLE}`, shownAt(stated)));
  return undefined;
}

/** An empty value is shown on what states it. */
export function shownAt({ text, anchor }: Stated): Span {
  const span = wholeOf(text);
  return span.end > span.start ? span : anchor;
}

export function textOf(options: Options, name: Parameters<Options['get']>[0]): string {
  return options.get(name)?.text.text ?? '';
}

/** `token` is any text but the empty one where the token is not known yet. */
export function checkVersions({ options }: Draft, token: string, findings: Finding[]): void {
  const resourceVersion = textOf(options, 'resourceVersion');
  const watch = isOn(options.get('watch'));
  for (const problem of problemsOf(options, token, watch)) {
    // Of a match that is not written, what asks for one or forbids it is to blame.
    const stated =
      options.get(problem.field) ??
      options.get('sendInitialEvents') ??
      options.get('continue') ??
      options.get('watch');
    if (stated === undefined) continue;
    const fixes = problem.field === 'resourceVersionMatch' ? matchFixes(stated) : [];
    findings.push(finding('request', problem.message, shownAt(stated), fixes));
  }
  const stated = options.get('resourceVersion');
  if (stated === undefined) return;
  const problem = statedProblem(resourceVersion, watch ? '' : token);
  if (problem !== undefined) findings.push(finding('request', problem, shownAt(stated)));
}

/** `token` is that of a list: a watch decodes none. */
function statedProblem(resourceVersion: string, token: string): string | undefined {
  if (token === '') return versionProblem(resourceVersion);
  return resourceVersion === '' || resourceVersion === '0'
    ? undefined
    : 'specifying resource version is not allowed when using continue';
}

export function isOn(stated: Stated | undefined): boolean {
  return stated !== undefined && isTrueParameter(stated.text.text);
}

function problemsOf(options: Options, token: string, watch: boolean): RequestProblem[] {
  const resourceVersion = textOf(options, 'resourceVersion');
  const match = textOf(options, 'resourceVersionMatch');
  const events = options.get('sendInitialEvents');
  const isDefaulted =
    watch &&
    match === '' &&
    events === undefined &&
    (resourceVersion === '' || resourceVersion === '0');
  return requestProblems({
    watch,
    resourceVersion,
    // Upstream: `SetListOptionsDefaults`.
    resourceVersionMatch: isDefaulted ? 'NotOlderThan' : match,
    continueToken: token,
    sendInitialEvents: isDefaulted || (events === undefined ? undefined : isOn(events)),
    watchListEnabled: true,
  });
}

function versionProblem(text: string): string | undefined {
  try {
    parseRequestedVersion(text);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

function matchFixes({ text }: Stated): Fix[] {
  const names = MATCH_CHOICES.map((choice) => choice.text);
  if (names.includes(text.text)) return [];
  const lower = text.text.toLowerCase();
  const same = names.filter((name) => name.toLowerCase() === lower);
  return [...new Set([...same, ...nearest(text.text, names)])].flatMap((name, i): Fix[] => {
    const whole = { start: 0, end: text.text.length };
    const edits = placedEdits(text, [{ span: whole, text: name }]);
    return edits === undefined ? [] : [{ title: `Change to ${name}`, edits, preferred: i === 0 }];
  });
}

/** Whether a token is accepted does not depend on the prefix that it is put under. */
export function checkToken(token: string, stated: Stated, findings: Finding[]): void {
  try {
    decodeContinue(token, utf8('/'));
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const message = `invalid continue token: ${error.message}`;
    findings.push(finding('request', message, shownAt(stated)));
  }
}
