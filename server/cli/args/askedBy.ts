/** What `get` would ask, as an API server would see it. */
import { findResource } from '../../kube/resources/resources';
import { escapeFieldValue } from '../../kube/selectors';
import type { AskedList } from '../../explain/asked';
import { usageError } from '../exit';
import { cell } from '../output/text';
import type { GetPlan } from './plan';

/** Throws `CliError` for a name without the namespace that it is in. */
export function askedBy(plan: GetPlan): AskedList {
  const { target, paging } = plan;
  const name = target.kind === 'resource' ? target.name : undefined;
  if (name !== undefined) requireNamespace(plan);
  return {
    resource: target.kind === 'prefix' ? target.prefix : target.resource,
    namespace: plan.namespace ?? '',
    labelSelector: plan.labelSelector,
    fieldSelector:
      name === undefined ? plan.fieldSelector : `metadata.name=${escapeFieldValue(name)}`,
    limit: paging.kind === 'chunks' ? (name === undefined ? paging.size : 0n) : paging.limit,
    resourceVersion: plan.resourceVersion,
    resourceVersionMatch: plan.resourceVersionMatch,
    from:
      plan.continueToken === ''
        ? { kind: 'beginning' }
        : { kind: 'token', token: plan.continueToken },
    named: name !== undefined,
    toEnd: paging.kind === 'chunks' || paging.follow,
    stream: plan.stream,
    watch: false,
  };
}

function requireNamespace({ target, namespace }: GetPlan): void {
  if (target.kind !== 'resource' || namespace !== undefined) return;
  if (findResource(target.resource)?.resource.namespaced !== true) return;
  throw usageError(
    `${cell(target.resource)} are namespaced: say with -n in which namespace "${cell(target.name ?? '')}" is`,
  );
}
