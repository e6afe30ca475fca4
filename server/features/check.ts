/** Checks a query while it is typed; nothing is sent. */
import { pastedToken } from '../language/tokens';
import { utf8 } from '../common/bytes';
import type { CacheStatus } from '../cache/interfaces';
import { cellText } from '../kube/print/cellText';
import { nearestText } from '../kube/resources/suggest';
import {
  namespaceNameErrors,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldTransform,
} from '../kube/selectors';
import type { CheckResult, ListQuery, QueryField, QueryProblem } from '../protocol/model';
import { decodeContinue, TokenError } from '../store/continueToken';
import { StoreError } from '../store/errors';
import { parseRequestedVersion } from '../store/resourceVersion';
import type { ConnectionHolder } from './connectionHolder';
import { FailureError } from './failures';
import { knownTarget, type KnownTarget } from './knownTargets';
import { listOptionsOf, parseLimit, requestProblemsOf } from './query';
import { readQuery } from './queryParams';
import type { Router } from './router';
import type { CacheDesk } from './watchCaches/cacheDesk';

export function registerCheck(router: Router, holder: ConnectionHolder, caches: CacheDesk): void {
  router.handle('etcdList/check', readQuery, (query) => {
    const known = knownTarget(query.resource.trim(), holder.current);
    const result = checkQuery(query, known);
    return query.serveFrom === undefined ? result : { ...result, ...fromCache(query, known) };
  });

  const fromCache = (query: ListQuery, known: KnownTarget): Partial<CheckResult> => {
    const target = known.kind === 'target' ? known.target : undefined;
    const cache = target && caches.running(holder.current, target);
    if (cache === undefined) return target?.kind === 'values' ? {} : { fillsCache: true };
    return staysInCache(query, cache.status()) ? { unlimited: false } : {};
  };
}

/** Whether a cache surely serves this list itself (rules C2, C4); etcd may be asked for others. */
function staysInCache(
  { resourceVersion, resourceVersionMatch, continueToken }: ListQuery,
  { supportsProgress }: Pick<CacheStatus, 'supportsProgress'>,
): boolean {
  if (continueToken !== '' || resourceVersionMatch === 'Exact') return false;
  return resourceVersion === '' ? supportsProgress : true;
}

export function checkQuery(query: ListQuery, known: KnownTarget): CheckResult {
  const label = checkLabels(query.labelSelector);
  const field = checkFields(query.fieldSelector, transformOf(known));
  const problems = [
    ...checkResource(query, known),
    ...checkNamespace(query, known),
    ...label.problems,
    ...field.problems,
    ...checkLimit(query.limit),
    ...checkVersion(query),
    ...checkToken(query),
  ];
  return {
    problems,
    labelRequirements: label.requirements,
    fieldRequirements: field.requirements,
    unlimited: (parseLimit(query.limit) ?? 1n) <= 0n && !readsOneKey(query, known),
  };
}

/** A field selector may turn the list into a read of one key (rule N1). */
function readsOneKey(query: ListQuery, known: KnownTarget): boolean {
  if (known.kind !== 'target') return false;
  try {
    return !listOptionsOf(query, known.target).recursive;
  } catch (error) {
    if (error instanceof FailureError) return false;
    throw error;
  }
}

function whole(
  query: ListQuery,
  field: QueryField,
  severity: QueryProblem['severity'],
  message: string,
): QueryProblem {
  return { field, severity, message, start: 0, end: query[field].length };
}

function checkResource(query: ListQuery, known: KnownTarget): QueryProblem[] {
  const problem = (severity: QueryProblem['severity'], message: string): QueryProblem[] => [
    whole(query, 'resource', severity, message),
  ];
  const word = query.resource.trim();
  if (word === '') return problem('error', 'Write a resource, such as pods.');
  if (/^[/\s]*$/.test(word)) {
    return problem('error', 'An empty prefix would read every key: write one, such as /registry/.');
  }
  if (known.kind === 'custom') {
    return problem(
      'warning',
      `${known.name} is no built-in resource; its definition is looked up when the list runs.`,
    );
  }
  if (known.kind === 'target') return [];
  const names = known.nearest().map(cellText);
  const nearest = names.length === 0 ? 'none is called nearly so' : nearestText(names);
  return known.certain
    ? problem('error', `There is no resource "${cellText(word)}": ${nearest}.`)
    : problem(
        'warning',
        `"${cellText(word)}" is no built-in resource: ${nearest}. Custom resources are looked up when the list runs.`,
      );
}

function checkNamespace(query: ListQuery, known: KnownTarget): QueryProblem[] {
  const { namespace } = query;
  if (namespace === '') return [];
  const problem = (severity: QueryProblem['severity'], message: string): QueryProblem[] => [
    whole(query, 'namespace', severity, message),
  ];
  if (known.kind === 'target' && known.target.kind === 'values') {
    return problem('error', 'A namespace does not go with a prefix: append it to the prefix.');
  }
  if (known.kind === 'target' && !known.target.namespaced) {
    const { name } = known.target;
    return problem('warning', `${name} are not namespaced: the namespace has no effect.`);
  }
  if (namespace.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return problem('error', 'A namespace has no empty, "." or ".." parts.');
  }
  const wrong = namespaceNameErrors(namespace)[0];
  return wrong === undefined ? [] : problem('warning', `No namespace has this name: ${wrong}`);
}

interface Checked {
  readonly problems: QueryProblem[];
  readonly requirements: number;
}

function checkLabels(text: string): Checked {
  return checkSelector('labelSelector', text, () => parseLabelSelector(text));
}

function checkFields(text: string, transform: FieldTransform): Checked {
  return checkSelector('fieldSelector', text, () => parseFieldSelector(text, transform));
}

function checkSelector(
  field: 'labelSelector' | 'fieldSelector',
  text: string,
  parse: () => { readonly requirements: readonly unknown[] },
): Checked {
  if (text === '') return { problems: [], requirements: 0 };
  try {
    return { problems: [], requirements: parse().requirements.length };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    const { start, end } = error.span;
    const problem: QueryProblem = { field, severity: 'error', message: error.message, start, end };
    return { problems: [problem], requirements: 0 };
  }
}

/** Where the fields are not known, any will do. */
function transformOf(known: KnownTarget): FieldTransform {
  if (known.kind === 'target') return known.target.fieldTransform;
  return (field, value) => [field, value];
}

function checkLimit(text: string): QueryProblem[] {
  const limit = parseLimit(text);
  const place = { field: 'limit' as const, start: 0, end: text.length };
  if (limit === undefined) {
    return [
      {
        ...place,
        severity: 'error',
        message: 'The limit must be a whole number of at most 9223372036854775807, such as 500.',
      },
    ];
  }
  if (limit >= 0n) return [];
  return [
    { ...place, severity: 'warning', message: 'The API server takes a negative limit as none.' },
  ];
}

function checkVersion(query: ListQuery): QueryProblem[] {
  const problems = requestProblemsOf(query).map(({ message }) =>
    whole(query, 'resourceVersionMatch', 'error', message),
  );
  const { resourceVersion, continueToken } = query;
  if (continueToken !== '') {
    if (resourceVersion === '' || resourceVersion === '0') return problems;
    const message = 'specifying resource version is not allowed when using continue';
    return [...problems, whole(query, 'resourceVersion', 'error', message)];
  }
  try {
    parseRequestedVersion(resourceVersion);
    return problems;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [...problems, whole(query, 'resourceVersion', 'error', error.message)];
  }
}

/** Whether a token is accepted does not depend on the prefix it is put under. */
function checkToken(query: ListQuery): QueryProblem[] {
  const { continueToken } = query;
  if (continueToken === '') return [];
  try {
    decodeContinue(continueToken, utf8('/'));
    return [];
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const message = `invalid continue token: ${error.message}${insteadOf(continueToken)}`;
    return [whole(query, 'continueToken', 'error', message)];
  }
}

/** What to do where a token was pasted with something around it. */
function insteadOf(text: string): string {
  const { token } = pastedToken(text);
  if (token === text) return '';
  try {
    decodeContinue(token, utf8('/'));
    return '; write the token alone, without what stands around it';
  } catch (error) {
    if (error instanceof TokenError) return '';
    throw error;
  }
}
