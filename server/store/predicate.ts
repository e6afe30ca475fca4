/** Matching one object against a list's selectors. Upstream: `storage.SelectionPredicate`. */
import type { FieldSelector, LabelSelector, StringSet } from '../kube/selectors/types';
import type { ObjectAttributes, Predicate } from './interfaces';

type Selectors = Pick<Predicate, 'label' | 'field'>;

/** True when the predicate filters nothing. */
export function isUnfiltered({ label, field }: Selectors): boolean {
  return (label?.empty() ?? true) && (field?.empty() ?? true);
}

export function matchesAttributes(selectors: Selectors, attributes: ObjectAttributes): boolean {
  const labelsMatch = selectors.label?.matches(attributes.labels) ?? true;
  return labelsMatch && (selectors.field?.matches(attributes.fields) ?? true);
}

/**
 * Whether an object is selected. Attributes are read only when there is something to match, and
 * what reading them throws is passed on.
 */
export function matches(selectors: Selectors, read: () => ObjectAttributes): boolean {
  return isUnfiltered(selectors) || matchesAttributes(selectors, read());
}

type Narrowing = Pick<Predicate, 'field' | 'continueToken'>;

function demanded({ field, continueToken }: Narrowing, name: string): string | undefined {
  return continueToken === '' ? field?.requiresExactMatch(name) : undefined;
}

/** The namespace the field selector pins; never with a continue token (rule N1). */
export const singleNamespace = (predicate: Narrowing): string | undefined =>
  demanded(predicate, 'metadata.namespace');

/** The object name the field selector pins; never with a continue token (rule N1). */
export const singleName = (predicate: Narrowing): string | undefined =>
  demanded(predicate, 'metadata.name');

export interface IndexMatch {
  /** `l:` and a label's name, or `f:` and a field's. */
  readonly index: string;
  readonly value: string;
}

/** Indexes that can narrow the search to one value. Upstream: `MatcherIndex`. */
export function matcherIndex(input: {
  readonly label: LabelSelector | undefined;
  readonly field: FieldSelector | undefined;
  readonly indexLabels: readonly string[];
  readonly indexFields: readonly string[];
  /** Of the request; empty for all namespaces. */
  readonly namespace: string;
}): IndexMatch[] {
  const found: IndexMatch[] = [];
  for (const name of input.indexFields) {
    const value = input.field?.requiresExactMatch(name);
    const scoped = name === 'metadata.namespace' && input.namespace !== '';
    if (value !== undefined) found.push({ index: `f:${name}`, value });
    else if (scoped) found.push({ index: `f:${name}`, value: input.namespace });
  }
  for (const name of input.indexLabels) {
    const value = input.label?.requiresExactMatch(name);
    if (value !== undefined) found.push({ index: `l:${name}`, value });
  }
  return found;
}

/**
 * Selectable fields every object has: its name, and its namespace unless it is cluster-scoped.
 * Upstream: `DefaultClusterScopedAttr`, `DefaultNamespaceScopedAttr`.
 */
export function defaultFields(name: string, namespace: string | undefined): StringSet {
  const fields = new Map([['metadata.name', name]]);
  if (namespace !== undefined) fields.set('metadata.namespace', namespace);
  return fields;
}
