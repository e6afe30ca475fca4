/** From a request's texts to what storage is asked, or to the API server's refusal at its door. */
import { qualifiedName } from '../common/groupResource';
import { utf8 } from '../common/bytes';
import { fieldTransformFor } from '../kube/fields/fieldLabels';
import { findResource } from '../kube/resources/resources';
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type FieldSelector,
  type LabelSelector,
} from '../kube/selectors';
import { encodeContinue } from '../store/continueToken';
import type { Predicate } from '../store/interfaces';
import { narrowList, type NarrowedList } from '../store/narrow';
import { requestProblems } from '../store/requestOptions';
import type { AskedList, ListStart } from './asked';
import type { Refusal } from './model';

/** What is listed, as far as it is known without reading anything. */
export interface ListedResource {
  /** As messages name it: `pods`, `deployments.apps`. */
  readonly name: string;
  readonly group: string;
  readonly resource: string;
  /** Storage path, such as `/pods`. */
  readonly path: string;
  readonly version: string;
  readonly isCustom: boolean;
  /** Undefined where its definition would have to be read. */
  readonly namespaced: boolean | undefined;
}

export interface ListRequest {
  readonly asked: AskedList;
  readonly resource: ListedResource;
  readonly predicate: Predicate;
  readonly narrowed: NarrowedList;
}

export interface RefusedRequest {
  readonly kind: 'refused';
  readonly at: 'decode' | 'options' | 'fields';
  readonly refusal: Refusal;
}

export type ReadRequest =
  { readonly kind: 'request'; readonly request: ListRequest } | RefusedRequest;

export function resourceOf(word: string): ListedResource {
  const found = findResource(word);
  if (found === undefined) return unknownResource(word);
  const { group, resource, prefix, custom, namespaced } = found.resource;
  return {
    name: qualifiedName({ group, resource }),
    group,
    resource,
    path: `/${prefix}`,
    version: found.version,
    isCustom: custom,
    namespaced,
  };
}

/** A short name of a custom resource, which only its definition could tell. */
function unknownResource(word: string): ListedResource {
  return {
    name: word,
    group: '',
    resource: word,
    path: `/${word}`,
    version: '',
    isCustom: true,
    namespaced: undefined,
  };
}

export function readRequest(asked: AskedList): ReadRequest {
  return readListOf(asked.named ? asGet(asked) : asked, resourceOf(asked.resource));
}

/** A get has a name and a resourceVersion: what else a list may have is not looked at. */
function asGet(asked: AskedList): AskedList {
  const none = { labelSelector: '', resourceVersionMatch: '', limit: 0n };
  return { ...asked, ...none, from: { kind: 'beginning' } };
}

/** In the order of upstream's handler: selectors, options, field labels. */
export function readListOf(asked: AskedList, resource: ListedResource): ReadRequest {
  let label: LabelSelector;
  let field: FieldSelector;
  try {
    label = parseLabelSelector(asked.labelSelector);
    field = parseFieldSelector(asked.fieldSelector);
  } catch (error) {
    return refusedBy(error, 'decode');
  }
  const problems = optionProblems(asked);
  if (problems !== undefined) {
    return { kind: 'refused', at: 'options', refusal: { status: 422, message: problems } };
  }
  try {
    field = converted(asked.fieldSelector, resource) ?? field;
  } catch (error) {
    return refusedBy(error, 'fields');
  }
  const continueToken = tokenOf(asked.from);
  const predicate: Predicate = { label, field, limit: asked.limit, continueToken };
  const request = { asked, resource, predicate, narrowed: narrowed(asked, resource, predicate) };
  return { kind: 'request', request };
}

function refusedBy(error: unknown, at: 'decode' | 'fields'): ReadRequest {
  if (!(error instanceof SelectorError)) throw error;
  return { kind: 'refused', at, refusal: { status: 400, message: error.message } };
}

/** Upstream: `NewInvalid` around the list of errors. */
function optionProblems(asked: AskedList): string | undefined {
  const texts = requestProblems({
    watch: false,
    resourceVersion: asked.resourceVersion,
    resourceVersionMatch: asked.resourceVersionMatch,
    continueToken: tokenOf(asked.from),
    sendInitialEvents: undefined,
    watchListEnabled: true,
  }).map(({ message }) => message);
  const different = [...new Set(texts)];
  if (different.length === 0) return undefined;
  const all = different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
  return `ListOptions.meta.k8s.io "" is invalid: ${all}`;
}

/** What a custom resource may be selected by stands in its definition. */
function converted(text: string, { isCustom, ...name }: ListedResource): FieldSelector | undefined {
  if (isCustom || text === '') return undefined;
  return parseFieldSelector(text, fieldTransformFor(name, name.version));
}

/** A token that is not known yet stands for any of its list: it is pinned to that list's revision. */
function tokenOf(from: ListStart): string {
  switch (from.kind) {
    case 'beginning':
      return '';
    case 'token':
      return from.token;
    case 'tokenOf':
      return encodeContinue(utf8('/x\0'), utf8('/'), UNKNOWN_REVISION);
  }
}

/** Stands for the revision of a list that has not been read. */
export const UNKNOWN_REVISION = 1n;

/** One that is named without a namespace has none, where its definition is not known. */
function narrowed(asked: AskedList, resource: ListedResource, predicate: Predicate): NarrowedList {
  const { namespace, named } = asked;
  const namespaced = resource.namespaced ?? !(named && namespace === '');
  return narrowList({ resourcePath: resource.path, namespaced, namespace, predicate });
}
