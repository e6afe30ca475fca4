/** A query of a file as `get` would run it, and as a command line of `get`. */
import { unescapeFieldValue } from '../../kube/selectors';
import type { QueryRequest } from '../../language/query/model';
import { pageSize } from '../../language/query/paging';
import type { StreamMode } from '../../store/interfaces';
import type { GetPlan, Paging, RunPlan } from '../args/plan';

const STREAMS: Readonly<Record<QueryRequest['readMode'], StreamMode>> = {
  auto: 'auto',
  pages: 'off',
  stream: 'on',
};

/** `token` is the one that it goes on from, empty for none. */
export function getPlanOf(request: QueryRequest, token: string, plan: RunPlan): GetPlan {
  const { resource, namespace, labelSelector } = request;
  const name = nameOf(request);
  return {
    command: 'get',
    target: resource.startsWith('/')
      ? { kind: 'prefix', prefix: resource }
      : { kind: 'resource', resource, name },
    namespace: namespace === '' ? undefined : namespace,
    labelSelector,
    fieldSelector: name === undefined ? request.fieldSelector : '',
    paging: pagingOf(request),
    output: plan.output,
    continueToken: token,
    resourceVersion: request.resourceVersion,
    resourceVersionMatch: request.resourceVersionMatch,
    skipUnreadable: request.skipUnreadable || plan.skipUnreadable,
    showSecrets: plan.showSecrets,
    receipt: plan.receipt,
    stream: STREAMS[request.readMode],
    gates: plan.gates,
    serveFrom: { kind: 'etcd' },
    metricsFile: undefined,
    explain: false,
    connection: plan.connection,
  };
}

/** Of the one object that is asked for: without it the read fails, as a client's does. */
function nameOf({ named, mayBeMissing, fieldSelector }: QueryRequest): string | undefined {
  if (!named || mayBeMissing === true) return undefined;
  const name = unescapeFieldValue(fieldSelector.slice(fieldSelector.indexOf('=') + 1));
  return typeof name === 'string' ? name : undefined;
}

function pagingOf({ limit, paging }: QueryRequest): Paging {
  const size = pageSize(limit);
  return paging === 'toEnd'
    ? { kind: 'chunks', size }
    : { kind: 'limit', limit: size, follow: false };
}

/** What is read, as arguments; without a token, and without what chooses the output. */
export function requestWords(plan: GetPlan): string[] {
  const { target, namespace, labelSelector, fieldSelector, paging, stream } = plan;
  const { resourceVersion, resourceVersionMatch } = plan;
  return [
    'get',
    ...targetWords(target),
    ...(namespace === undefined ? [] : ['-n', namespace]),
    ...(labelSelector === '' ? [] : ['-l', labelSelector]),
    ...(fieldSelector === '' ? [] : ['--field-selector', fieldSelector]),
    ...(isOne(target) ? [] : [pagingWord(paging)]),
    ...(resourceVersion === '' ? [] : [`--resource-version=${resourceVersion}`]),
    ...(resourceVersionMatch === '' ? [] : [`--resource-version-match=${resourceVersionMatch}`]),
    ...(stream === 'auto' ? [] : [`--stream=${stream}`]),
    ...(plan.skipUnreadable ? ['--skip-unreadable'] : []),
  ];
}

const isOne = (target: GetPlan['target']): boolean =>
  target.kind === 'resource' && target.name !== undefined;

function targetWords(target: GetPlan['target']): string[] {
  if (target.kind === 'prefix') return [target.prefix];
  return target.name === undefined ? [target.resource] : [target.resource, target.name];
}

function pagingWord(paging: Paging): string {
  return paging.kind === 'chunks' ? `--chunk-size=${paging.size}` : `--limit=${paging.limit}`;
}

/** All of it, for a command that goes on where the list ended. */
export function goOnWords(plan: GetPlan, { connectionWords, featureGates }: RunPlan): string[] {
  return [
    ...requestWords(plan),
    ...(featureGates === '' ? [] : [`--feature-gates=${featureGates}`]),
    ...(plan.output === 'table' ? [] : ['-o', plan.output]),
    ...(plan.showSecrets ? ['--show-secrets'] : []),
    ...(plan.receipt === 'text' ? [] : [`--receipt=${plan.receipt}`]),
    ...connectionWords,
  ];
}
