/** Who owns which fields of an object: `metadata.managedFields`, without which no real object is stored. */
import { utf8 } from '../common/bytes';
import type { Manager } from './seedWriter';

/** Names of fields; below each its own fields, or none. A list of names stands for fields without any. */
export interface OwnedFields {
  readonly [name: string]: OwnedFields | readonly string[];
}

/** Plain names are fields; entries of a list come as `k:{…}`, and the element itself as `.`. */
const keyOf = (name: string): string =>
  name === '.' || name.startsWith('k:') ? name : `f:${name}`;

type FieldSet = { [key: string]: FieldSet };

/** The set as `fieldsV1` holds it (upstream: `structured-merge-diff/fieldpath`). */
export function fieldSet(owned: OwnedFields | readonly string[]): FieldSet {
  const isList = (one: OwnedFields | readonly string[]): one is readonly string[] =>
    Array.isArray(one);
  const entries: [string, FieldSet][] = isList(owned)
    ? owned.map((name) => [keyOf(name), {}])
    : Object.entries(owned).map(([name, inner]) => [keyOf(name), fieldSet(inner)]);
  return Object.fromEntries(entries);
}

export function fieldSetBytes(owned: OwnedFields): Uint8Array {
  return utf8(JSON.stringify(fieldSet(owned)));
}

/** The labels and annotations that a manager set, all of them. */
export function ownedMetadata(
  labels: Iterable<string>,
  annotations: Iterable<string>,
): OwnedFields {
  return { annotations: ['.', ...annotations], labels: ['.', ...labels] };
}

export function manager(
  name: string,
  apiVersion: string,
  time: number,
  owned: OwnedFields,
): Manager {
  return { name, apiVersion, time, fields: fieldSetBytes(owned) };
}
