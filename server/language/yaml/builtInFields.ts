/** What the built-in resources can be selected by. */
import { fieldLabelsOf, fieldTransformFor } from '../../kube/fields/fieldLabels';
import { findResource } from '../../kube/resources/resources';
import type { KnownFields } from '../selectors/fieldText';

/** `resource` as kubectl names it; undefined for a custom one, whose definition would have to be read. */
export function builtInFields(resource: string): KnownFields | undefined {
  const found = findResource(resource);
  if (found === undefined || found.resource.custom) return undefined;
  return {
    names: fieldLabelsOf(found.resource),
    transform: fieldTransformFor(found.resource, found.version),
  };
}
