/** Label selectors made of requirements, and the one that selects nothing. */

import { goSort } from '../../common/goSort';
import { compareUtf8 } from '../../common/goText';
import type { RawLabelRequirement } from './labelRequirement';
import { newRequirement, requirementMatcher, requirementText } from './labelRequirement';
import type { LabelRequirement, LabelSelector, StringSet } from './types';

/** The conjunction of its requirements, in the order given. Upstream: `internalSelector`. */
class RequirementsSelector implements LabelSelector {
  private readonly matchers: readonly ((labels: StringSet) => boolean)[];

  constructor(readonly requirements: readonly LabelRequirement[]) {
    this.matchers = requirements.map((requirement) => requirementMatcher(requirement));
  }

  empty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: StringSet): boolean {
    return this.matchers.every((matches) => matches(labels));
  }

  /** Only the first requirement on the key is asked. */
  requiresExactMatch(key: string): string | undefined {
    const first = this.requirements.find((requirement) => requirement.key === key);
    if (first === undefined || !['=', '==', 'in'].includes(first.operator)) return undefined;
    return first.values.length === 1 ? first.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.map((requirement) => requirementText(requirement)).join(',');
  }
}

/** Selects no object at all; prints as empty text. Upstream: `labels.Nothing`. */
class NothingSelector implements LabelSelector {
  readonly requirements = [];
  empty(): boolean {
    return false;
  }
  matches(_labels: StringSet): boolean {
    return false;
  }
  requiresExactMatch(_key: string): undefined {
    return undefined;
  }
  toString(): string {
    return '';
  }
}

export const everythingLabels: LabelSelector = new RequirementsSelector([]);
export const nothingLabels: LabelSelector = new NothingSelector();

/** Whether this is the selector of nothing; contradictions are not looked for. */
export function matchesNothing(selector: LabelSelector): boolean {
  return selector instanceof NothingSelector;
}

/** A selector of requirements that are taken as they are: unchecked and unsorted. */
export function labelSelectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  return new RequirementsSelector(requirements);
}

/** Requirements in upstream's order: by key, and equal keys where Go's sort puts them. */
export function sortRequirements<T extends RawLabelRequirement>(requirements: readonly T[]): T[] {
  const sorted = [...requirements];
  goSort(sorted, (a, b) => compareUtf8(a.key, b.key) < 0);
  return sorted;
}

/** A selector with more requirements; the one of nothing stays as it is. Upstream: `Add`. */
export function addRequirements(
  selector: LabelSelector,
  requirements: readonly LabelRequirement[],
): LabelSelector {
  if (matchesNothing(selector)) return selector;
  return labelSelectorOf(sortRequirements([...selector.requirements, ...requirements]));
}

/** Upstream: `Requirements.String`, with a blank behind each comma. */
export function requirementsText(requirements: readonly RawLabelRequirement[]): string {
  return requirements.map((requirement) => requirementText(requirement)).join(', ');
}

/** Demands exactly these labels, unchecked. Null selects everything. Upstream: `SelectorFromSet`. */
export function labelSelectorFromSet(labels: StringSet | null): LabelSelector {
  const requirements = [...(labels ?? [])].map(([key, value]): LabelRequirement => ({
    key,
    operator: '=',
    values: [value],
  }));
  return labelSelectorOf(sortRequirements(requirements));
}

/**
 * Like `labelSelectorFromSet`, but throws `SelectorError` at the first label that is not valid.
 *
 * Upstream: `ValidatedSelectorFromSet`.
 */
export function validatedLabelSelectorFromSet(labels: StringSet | null): LabelSelector {
  const requirements = [...(labels ?? [])].map(([key, value]) => newRequirement(key, '=', [value]));
  return labelSelectorOf(sortRequirements(requirements));
}
