/**
 * What the definition of a custom resource says that its keys do not: scope, names, versions and
 * selectable fields. Definitions are stored as JSON.
 */
import { isObject, member, parseJsonObject, type JsonObject } from '../kube/decode/jsonText';
import { DecodeError } from '../kube/decode/errors';

export interface CustomDefinition {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  /** In the definition's order, each with the JSON paths declared as selectable. */
  readonly versions: readonly CustomVersion[];
}

export interface CustomVersion {
  readonly name: string;
  readonly storage: boolean;
  readonly selectablePaths: readonly string[];
}

/** Below the root, without slashes at its ends. */
export const DEFINITIONS_PREFIX = 'apiextensions.k8s.io/customresourcedefinitions';

/** Throws `DecodeError` when the value is not a definition. */
export function parseDefinition(value: Uint8Array): CustomDefinition {
  const spec = objectAt(parseJsonObject(value), 'spec');
  const names = objectAt(spec, 'names');
  const group = textAt(spec, 'group');
  const plural = textAt(names, 'plural');
  if (group === '' || plural === '') {
    throw new DecodeError('the definition of a custom resource lacks its group or plural name');
  }
  return {
    group,
    plural,
    singular: textAt(names, 'singular'),
    kind: textAt(names, 'kind'),
    shortNames: textsOf(member(names, 'shortNames')),
    namespaced: textAt(spec, 'scope') !== 'Cluster',
    versions: objectsOf(member(spec, 'versions')).map(versionOf),
  };
}

/** Whether kubectl would take this word for the resource. */
export function isCalled(definition: CustomDefinition, word: string): boolean {
  const { plural, singular, kind, shortNames } = definition;
  return [plural, singular, kind.toLowerCase(), ...shortNames].includes(word.toLowerCase());
}

function versionOf(version: JsonObject): CustomVersion {
  return {
    name: textAt(version, 'name'),
    storage: member(version, 'storage') === true,
    selectablePaths: objectsOf(member(version, 'selectableFields')).map((field) =>
      textAt(field, 'jsonPath'),
    ),
  };
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = member(object, name);
  return isObject(value) ? value : {};
}

function textAt(object: JsonObject, name: string): string {
  const value = member(object, name);
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function objectsOf(value: ReturnType<typeof member>): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
