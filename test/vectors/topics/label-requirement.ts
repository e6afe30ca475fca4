import {
  aggregateText,
  equalRequirements,
  labelSelectorOf,
  newRequirement,
  requirementErrors,
  requirementText,
  sortedValues,
} from '../../../server/kube/selectors';
import type { Columns } from '../harness';
import { defineTopic, UnknownShape } from '../harness';
import { byCall, columns, text, texts } from '../read';
import { rawRequirement, requirements } from '../selectors';

function create(input: Columns): unknown {
  const [key, operator] = [text(input, 'key'), text(input, 'operator')];
  const values = texts(input, 'values');
  const errors = requirementErrors(key, operator, values);
  if (errors.length > 0) return { ok: false, errors, error: aggregateText(errors) };
  return { ok: true, text: requirementText(newRequirement(key, operator, values)) };
}

function safeSort(input: Columns): unknown {
  const values = texts(input, 'values');
  const before = JSON.stringify(values);
  return { values: sortedValues(values), inputUnchanged: JSON.stringify(values) === before };
}

function equal(input: Columns): unknown {
  const [a, b] = [columns(input, 'a'), columns(input, 'b')];
  if (a === null || b === null) throw new UnknownShape('two requirements are to be compared');
  return { equal: equalRequirements(rawRequirement(a), rawRequirement(b)) };
}

const calls = new Map<string, (input: Columns) => unknown>([
  ['new', create],
  ['print', (input) => ({ text: labelSelectorOf(requirements(input, 'requirements')).toString() })],
  ['safeSort', safeSort],
  ['equal', equal],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
