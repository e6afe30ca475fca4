/** Topics of a request's other options, through every form of a query. */
import { goQuote } from '../../../server/common/goText';
import type { Span } from '../../../server/kube/selectors';
import { FINDINGS, type Finding } from '../../../server/language/findings';
import type { Query } from '../../../server/language/query/model';
import { explainToken } from '../../../server/language/tokenFacts';
import { hexOf, utf8Of } from '../bytes';
import type { VectorCase } from '../harness';
import { text, texts } from '../read';
import { openedIn } from './look';
import { Unwritten } from './pieces';
import { REQUEST_FORMS, type RequestOptions } from './requests';
import type { Answer, LanguageTopic } from './topic';

interface Told {
  readonly message: string;
  readonly at: Span | undefined;
}

interface SeenRequest {
  readonly errors: readonly Told[];
  readonly findings: readonly Finding[];
  readonly places: ReadonlyMap<string, Span>;
  readonly query: Query;
}

type SeeRequest = (options: RequestOptions) => SeenRequest | Unwritten;

function ofRequests(
  topic: string,
  answer: (vector: VectorCase, see: SeeRequest, form: string) => Answer,
  more: readonly string[] = [],
): LanguageTopic {
  const used = REQUEST_FORMS.filter(
    ({ name }) => topic === 'name-validation' || name !== 'kubectl',
  ).filter(
    ({ name }) => topic !== 'name-validation' || /^(?:list|kubectl|query document)$/.test(name),
  );
  return {
    topic,
    forms: [...used.map(({ name }) => name), ...more],
    answer: (vector, name) => answer(vector, (options) => look(name, options), name),
  };
}

function look(name: string, options: RequestOptions): SeenRequest | Unwritten {
  const form = REQUEST_FORMS.find((each) => each.name === name)!;
  const written = form.write(options);
  if (written instanceof Unwritten) return written;
  const file = openedIn(form, written.text);
  const { findings } = file.analysis();
  const [query, ...more] = file.queries?.queries() ?? [];
  if (query === undefined || more.length > 0) throw new Error('not one query');
  const errors = findings
    .filter(({ code }) => FINDINGS[code].severity === 'error')
    .map(({ message, span }) => ({ message, at: span }));
  if ((errors.length === 0) !== (query.request !== undefined)) {
    throw new Error(
      `${errors.length} errors, and ${query.request === undefined ? 'no' : 'a'} request`,
    );
  }
  return { errors, findings, places: written.places, query };
}

/** Those of storage, which looks at a request later, are of other topics. */
const OF_REQUEST = /^(?:resourceVersionMatch|sendInitialEvents): /;

const listOptionsApi = ofRequests('list-options-api', ({ input, expect }, see) => {
  const { watch, resourceVersionMatch, sendInitialEvents, watchListEnabled } = input;
  if (sendInitialEvents !== null && watchListEnabled !== true) {
    return new Unwritten('the feature is on where nothing else is said');
  }
  const options: Record<string, string | number | boolean> = { limit: Number(input['limit']) };
  for (const name of ['resourceVersion', 'resourceVersionMatch', 'continue']) {
    const value = text(input, name);
    if (value !== '') options[name] = value;
  }
  if (watch === true) options['watch'] = true;
  if (sendInitialEvents !== null) options['sendInitialEvents'] = sendInitialEvents === true;
  const seen = see(options);
  if (seen instanceof Unwritten) return seen;
  const errors = [...(texts(expect, 'errors') ?? [])];
  const isEarly = ['', '0'].includes(text(input, 'resourceVersion'));
  // The API server makes a legacy watch one that sends initial events before it checks.
  const isDefaulted =
    watch === true && isEarly && resourceVersionMatch === '' && sendInitialEvents === null;
  if (isDefaulted && input['continue'] !== '') errors.push(FORBIDDEN);
  return {
    got: inOrder(seen.errors.filter(({ message }) => OF_REQUEST.test(message))),
    expected: inOrder(errors.map((message) => ({ message, at: blamed(message, seen.places) }))),
  };
});

const FORBIDDEN =
  'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided';

/** The option that the error names, or the one without which there would be no error. */
function blamed(message: string, places: ReadonlyMap<string, Span>): Span | undefined {
  const [name = ''] = message.split(':', 1);
  return places.get(name) ?? places.get('continue') ?? places.get('watch');
}

function inOrder(told: readonly Told[]): Told[] {
  return [...told].sort((a, b) => (a.message < b.message ? -1 : 1));
}

const INSPECTOR = 'hover and inspector';

const continueDecode = ofRequests(
  'continue-decode',
  ({ input, expect }, see, form) => {
    const token = text(input, 'token');
    if (form === INSPECTOR)
      return inspected(token, text(input, 'keyPrefix'), 'errorDetail' in expect);
    if (token === '') return new Unwritten('an empty token is none');
    const seen = see({ limit: 5, continue: token });
    if (seen instanceof Unwritten) return seen;
    const [error, ...more] = seen.errors;
    if (error === undefined) {
      const source = seen.query.request?.continue;
      const isTaken = source?.kind === 'token' && source.token === token;
      return { got: { isTaken }, expected: { isTaken: 'rv' in expect } };
    }
    const before = 'invalid continue token: ';
    const told = { message: error.message, at: error.at };
    const wanted = 'error' in expect ? text(expect, 'error') : text(expect, 'errorPrefix');
    const column = 'error' in expect ? 'message' : 'messagePrefix';
    const expected = { [column]: before + wanted, at: seen.places.get('continue') };
    return { got: { ...told, others: more.length }, expected: { ...expected, others: 0 } };
  },
  [INSPECTOR],
);

/** The columns of the case itself. */
function inspected(token: string, prefix: string, hasDetail: boolean): Answer {
  const { accepted, upstreamError, verdict } = explainToken(token, utf8Of(prefix));
  if (accepted !== undefined) {
    const key = new TextDecoder('utf-8', { ignoreBOM: true }).decode(accepted.key);
    return { got: { key, keyHex: hexOf(accepted.key), rv: String(accepted.resourceVersion) } };
  }
  const error = upstreamError.replace(/^invalid continue token: /, '');
  const detail = hasDetail
    ? { errorDetail: error.replace(/^continue key is not valid: /, '') }
    : {};
  return { got: { errorKind: ERROR_KINDS[verdict], error, ...detail } };
}

const ERROR_KINDS: Readonly<Record<string, string>> = {
  notAToken: 'GenericInvalidKey',
  uncleanStart: 'GenericInvalidKey',
  unrecognizedVersion: 'UnrecognizedEncodedVersion',
  zeroRevision: 'InvalidStartRV',
  emptyStart: 'EmptyStartKey',
};

const resourceVersion = ofRequests('resource-version', ({ input, expect }, see) => {
  if (input['call'] !== 'parse') return new Unwritten('it is about an answer');
  const version = text(input, 'version');
  const seen = see({ limit: 5, resourceVersion: version });
  if (seen instanceof Unwritten) return seen;
  if (!('error' in expect)) {
    const asked = seen.query.request?.resourceVersion;
    return { got: { errors: seen.errors, asked }, expected: { errors: [], asked: version } };
  }
  // The list's own text around that of the version's parser.
  const message = `invalid resource version: ${text(expect, 'error')}`;
  return { got: seen.errors, expected: [{ message, at: seen.places.get('resourceVersion') }] };
});

/** The name of a namespace. */
const nameValidation = ofRequests('name-validation', ({ input, expect }, see) => {
  const name = text(input, 'value');
  const check = text(input, 'check');
  if (name === '') return new Unwritten('an empty namespace is none');
  if (check !== 'pathSegmentName' && check !== 'dns1123Label') {
    return new Unwritten('no namespace is held to it');
  }
  const seen = see({ namespace: name });
  if (seen instanceof Unwritten) return seen;
  const at = seen.places.get('namespace');
  const errors = texts(expect, 'errors') ?? [];
  if (check === 'pathSegmentName') {
    const message = `invalid namespace ${goQuote(name)}: [${errors.join(' ')}]`;
    return { got: seen.errors, expected: errors.length === 0 ? [] : [{ message, at }] };
  }
  if (seen.errors.length > 0) return new Unwritten('it cannot be a part of a path either');
  const told = seen.findings
    .filter(({ code }) => code === 'no-effect')
    .map(({ message, span }) => ({ message, at: span }));
  const [first] = errors;
  const expected =
    first === undefined ? [] : [{ message: `No namespace has this name: ${first}`, at }];
  return { got: told, expected };
});

export const REQUEST_TOPICS: readonly LanguageTopic[] = [
  listOptionsApi,
  continueDecode,
  resourceVersion,
  nameValidation,
];
