/** What objects of a resource can be selected by. */
import type { GroupResource } from '../../common/groupResource';
import {
  customFieldTransform,
  fieldLabelsOf,
  fieldTransformFor,
} from '../../kube/fields/fieldLabels';
import { customFieldName } from '../../kube/fields/selectableFields';
import { findResource } from '../../kube/resources/resources';
import type { FieldTransform } from '../../kube/selectors';

/** What may be selected by, where that is known. */
export interface KnownFields {
  readonly names: readonly string[];
  /** Throws `SelectorError` with upstream's text for any other field. */
  readonly transform: FieldTransform;
}

/** Of a resource that is not built in, the fields that all have. */
export function fieldsOf(resource: GroupResource, version: string): KnownFields {
  return { names: fieldLabelsOf(resource), transform: fieldTransformFor(resource, version) };
}

/** `word` as kubectl takes it; undefined for a custom one, whose definition would have to be read. */
export function builtInFields(word: string): KnownFields | undefined {
  const found = findResource(word);
  if (found === undefined || found.resource.custom) return undefined;
  return fieldsOf(found.resource, found.version);
}

/** `paths` are the JSON paths of the definition's selectable fields. */
export function customFields(namespaced: boolean, paths: readonly string[]): KnownFields {
  const scope = namespaced ? ['metadata.name', 'metadata.namespace'] : ['metadata.name'];
  return {
    names: [...scope, ...paths.map(customFieldName)],
    transform: customFieldTransform(namespaced, paths),
  };
}
