import type { LabelSelectorObject } from '../../../server/kube/selectors';
import {
  formatLabelSelectorObject,
  labelSelectorMap,
  labelSelectorOfObject,
  matchesNothing,
  parseLabelSelectorObject,
  validateLabelSelectorObject,
} from '../../../server/kube/selectors';
import type { Columns } from '../harness';
import { defineTopic } from '../harness';
import { byCall, columns, flag, list, text, textMap, texts } from '../read';
import { orError } from '../selectors';

function objectOf(input: Columns): LabelSelectorObject | null {
  const object = columns(input, 'labelSelector');
  if (object === null) return null;
  return {
    matchLabels: textMap(object, 'matchLabels') ?? new Map<string, string>(),
    matchExpressions: list(object, 'matchExpressions').map((expression) => ({
      key: text(expression, 'key'),
      operator: text(expression, 'operator'),
      values: texts(expression, 'values'),
    })),
  };
}

function asSelector(input: Columns): unknown {
  return orError(() => {
    const selector = labelSelectorOfObject(objectOf(input));
    return {
      canonical: selector.toString(),
      empty: selector.empty(),
      nothing: matchesNothing(selector),
      selectable: !matchesNothing(selector),
    };
  });
}

function match(input: Columns): unknown {
  const labels = textMap(input, 'labels') ?? new Map<string, string>();
  return orError(() => ({ match: labelSelectorOfObject(objectOf(input)).matches(labels) }));
}

function asMap(input: Columns): unknown {
  const { map, error } = labelSelectorMap(objectOf(input));
  return { map, error: error ?? undefined };
}

function validate(input: Columns): unknown {
  const options = {
    allowInvalidValues: flag(input, 'allowInvalidValues'),
    allowUnknownOperator: flag(input, 'allowUnknownOperator'),
  };
  const errors = validateLabelSelectorObject(objectOf(input), 'spec.selector', options);
  return { errors: errors.map(({ message }) => message) };
}

const calls = new Map<string, (input: Columns) => unknown>([
  ['asSelector', asSelector],
  ['match', match],
  ['asMap', asMap],
  [
    'parse',
    (input) =>
      orError(() => ({ labelSelector: parseLabelSelectorObject(text(input, 'selector')) })),
  ],
  ['format', (input) => ({ text: formatLabelSelectorObject(objectOf(input)) })],
  ['validate', validate],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
