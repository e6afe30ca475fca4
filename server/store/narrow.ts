/**
 * From a request on a resource to a storage read (rule N1): a field selector that pins one namespace
 * narrows a list over all of them, one that pins one name turns it into a read of one key.
 *
 * Upstream: `ListPredicate` and the key functions in `pkg/registry/generic/registry/store.go`.
 */
import { namespaceNameErrors, pathSegmentNameErrors } from '../kube/selectors';
import type { ListOptions, Predicate } from './interfaces';
import { singleName, singleNamespace } from './predicate';

export interface ResourceListRequest {
  /** Storage path of the resource, such as `/pods`, without a slash at its end. */
  readonly resourcePath: string;
  readonly namespaced: boolean;
  /** Empty for all namespaces, and for a cluster-scoped resource. */
  readonly namespace: string;
  readonly predicate: Predicate;
}

export interface NarrowedList {
  readonly key: string;
  readonly recursive: boolean;
  /** The namespace read, empty for all. */
  readonly namespace: string;
}

function narrowedNamespace({ namespaced, namespace, predicate }: ResourceListRequest): string {
  if (!namespaced) return '';
  if (namespace !== '') return namespace;
  const demanded = singleNamespace(predicate);
  const usable = demanded !== undefined && namespaceNameErrors(demanded).length === 0;
  return usable ? demanded : '';
}

/** Whether the API server could make an object key of this name here; if not, it scans. */
function canBeKey(request: ResourceListRequest, namespace: string, name: string): boolean {
  if (request.namespaced && namespace === '') return false;
  return name !== '' && pathSegmentNameErrors(name).length === 0;
}

export function narrowList(request: ResourceListRequest): NarrowedList {
  const namespace = narrowedNamespace(request);
  const { resourcePath, predicate } = request;
  const scope = namespace === '' ? resourcePath : `${resourcePath}/${namespace}`;
  const name = singleName(predicate);
  if (name !== undefined && canBeKey(request, namespace, name)) {
    return { key: `${scope}/${name}`, recursive: false, namespace };
  }
  return { key: scope, recursive: true, namespace };
}

/** Storage options of a narrowed request. */
export function narrowedOptions(
  request: ResourceListRequest,
  version: Pick<ListOptions, 'resourceVersion' | 'resourceVersionMatch'>,
): ListOptions {
  const { key, recursive } = narrowList(request);
  return { key, recursive, predicate: request.predicate, ...version };
}
