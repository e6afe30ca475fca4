import type { LabelSelector } from '../../../server/kube/selectors';
import {
  addRequirements,
  convertToLabels,
  equalLabels,
  everythingLabels,
  formatLabels,
  labelSelectorFromSet,
  labelSelectorOf,
  labelsConflict,
  matchesNothing,
  mergeLabels,
  nothingLabels,
  parseLabelSelector,
  stringSetText,
  validatedLabelSelectorFromSet,
} from '../../../server/kube/selectors';
import type { Columns } from '../harness';
import { defineTopic, UnknownShape } from '../harness';
import { byCall, has, text, textMap } from '../read';
import { orError, requirements } from '../selectors';

function set(input: Columns, column: string): Map<string, string> {
  return textMap(input, column) ?? new Map<string, string>();
}

function selectorOf(input: Columns): LabelSelector {
  return has(input, 'selector')
    ? parseLabelSelector(text(input, 'selector'))
    : labelSelectorOf(requirements(input, 'requirements'));
}

function shown(selector: LabelSelector): Columns {
  return { canonical: selector.toString(), empty: selector.empty() };
}

function exactMatch(input: Columns): unknown {
  const value = selectorOf(input).requiresExactMatch(text(input, 'label'));
  return { found: value !== undefined, value: value ?? '' };
}

function add(input: Columns): unknown {
  const base = parseLabelSelector(text(input, 'selector'));
  const selector = addRequirements(base, requirements(input, 'requirements'));
  return { requirements: selector.requirements, canonical: selector.toString() };
}

function convert(input: Columns): unknown {
  const { labels, error } = convertToLabels(text(input, 'selector'));
  return { labels, error: error?.message };
}

const named = new Map([
  ['everything', everythingLabels],
  ['nothing', nothingLabels],
]);

function nothing(input: Columns): unknown {
  if (!has(input, 'which')) return { nothing: matchesNothing(selectorOf(input)) };
  const selector = named.get(text(input, 'which'));
  if (selector === undefined) throw new UnknownShape('neither everything nor nothing');
  return {
    nothing: matchesNothing(selector),
    matchesAny: selector.matches(new Map()),
    selectable: !matchesNothing(selector),
    ...shown(selector),
  };
}

const calls = new Map<string, (input: Columns) => unknown>([
  ['requiresExactMatch', exactMatch],
  ['add', add],
  ['setString', (input) => ({ text: stringSetText(set(input, 'labels')) })],
  ['formatLabels', (input) => ({ text: formatLabels(set(input, 'labels')) })],
  ['fromSet', (input) => shown(labelSelectorFromSet(textMap(input, 'labels')))],
  [
    'validatedFromSet',
    (input) => orError(() => shown(validatedLabelSelectorFromSet(textMap(input, 'labels')))),
  ],
  ['convertToLabelsMap', convert],
  [
    'has',
    (input) => {
      const labels = set(input, 'labels');
      const label = text(input, 'label');
      return { has: labels.has(label), get: labels.get(label) ?? '' };
    },
  ],
  ['conflicts', (input) => ({ conflicts: labelsConflict(set(input, 'a'), set(input, 'b')) })],
  ['merge', (input) => ({ labels: mergeLabels(set(input, 'a'), set(input, 'b')) })],
  ['equals', (input) => ({ equals: equalLabels(set(input, 'a'), set(input, 'b')) })],
  ['matchesNothing', nothing],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
