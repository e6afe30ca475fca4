/** Field selectors made of requirements, and the one that selects nothing. */

import { compareUtf8 } from '../../common/goText';
import { escapeFieldValue } from './fieldEscape';
import type { FieldRequirement, FieldSelector, StringSet } from './types';

/** The conjunction of its requirements. An absent field equals the empty text. */
class RequirementsSelector implements FieldSelector {
  constructor(readonly requirements: readonly FieldRequirement[]) {}

  empty(): boolean {
    return this.requirements.length === 0;
  }

  matches(fields: StringSet): boolean {
    return this.requirements.every(
      ({ field, operator, value }) => ((fields.get(field) ?? '') === value) === (operator === '='),
    );
  }

  requiresExactMatch(field: string): string | undefined {
    const demanding = this.requirements.find(
      (requirement) => requirement.field === field && requirement.operator === '=',
    );
    return demanding?.value;
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** A selector of requirements that are taken as they are. */
export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  return new RequirementsSelector(requirements);
}

/**
 * Demands exactly these fields, in the order of their names; null selects everything. Upstream
 * (`fields.SelectorFromSet`) leaves the order to chance.
 */
export function fieldSelectorFromSet(fields: StringSet | null): FieldSelector {
  const requirements = [...(fields ?? [])].map(([field, value]): FieldRequirement => ({
    field,
    operator: '=',
    value,
  }));
  return fieldSelectorOf(requirements.sort((a, b) => compareUtf8(a.field, b.field)));
}
