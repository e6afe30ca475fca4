/**
 * Selectable fields: what a field selector can ask of an object, read out of its stored bytes
 * without decoding the rest (rule F2).
 */
import { FIELD_TABLE } from './fieldTable';
import { compileRules, type FieldPlan } from './readPlan';
import { parseJsonPath } from './jsonPath';
import type { FieldRule } from './rule';

export interface SelectableFields {
  /** True adds `metadata.namespace`: upstream leaves it out for cluster-scoped objects. */
  readonly namespaced: boolean;
  /** True adds `name`, a historical alias some kinds carry in their field set. */
  readonly nameAlias: boolean;
  /** What to read from an object stored in this version. */
  planFor(apiVersion: string): FieldPlan;
}

export interface ResourceName {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
}

/** The two metadata fields, or the name alone for a cluster-scoped resource. */
export function metadataFields(namespaced: boolean): SelectableFields {
  const plan = compileRules([]);
  return { namespaced, nameAlias: false, planFor: () => plan };
}

/**
 * Selectable fields of a built-in resource. `namespaced` is used for those without fields of their
 * own, which have the metadata fields only.
 */
export function selectableFieldsOf(name: ResourceName, namespaced: boolean): SelectableFields {
  const entry = FIELD_TABLE.find(
    (row) => row.resource === name.resource && row.groups.includes(name.group),
  );
  if (entry === undefined) return metadataFields(namespaced);
  const plans = entry.forms.map((form) => ({ ...form, plan: compileRules(form.rules) }));
  const none = compileRules([]);
  return {
    namespaced: entry.namespaced,
    nameAlias: entry.nameAlias ?? false,
    planFor: (apiVersion) =>
      plans.find((form) => form.group === groupOf(apiVersion))?.plan ?? plans[0]?.plan ?? none,
  };
}

/**
 * Selectable fields of a custom resource: its definition's `selectableFields`, as JSON paths such
 * as `.spec.color`. Throws `RangeError` on a path that is not a plain one.
 */
export function customSelectableFields(
  namespaced: boolean,
  jsonPaths: readonly string[],
): SelectableFields {
  const rules = jsonPaths.map((path): FieldRule => ({
    name: customFieldName(path),
    type: 'any',
    sources: [{ wire: [], json: parseJsonPath(path) }],
    absent: '',
  }));
  const plan = compileRules(rules);
  return { namespaced, nameAlias: false, planFor: () => plan };
}

/** The label of a declared field: its path without the leading dot. */
export function customFieldName(jsonPath: string): string {
  return jsonPath.startsWith('.') ? jsonPath.slice(1) : jsonPath;
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
