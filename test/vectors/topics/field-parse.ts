import type { FieldSelector, FieldTransform } from '../../../server/kube/selectors';
import {
  escapeFieldValue,
  fieldSelectorFromSet,
  parseFieldSelector,
  SelectorError,
  splitFieldTerm,
  splitFieldTerms,
  stringSetText,
  unescapeFieldValue,
} from '../../../server/kube/selectors';
import type { Columns } from '../harness';
import { defineTopic } from '../harness';
import { byCall, columns, has, text, textMap, texts } from '../read';
import { orError } from '../selectors';

function splitTerms(input: Columns): unknown {
  const terms = splitFieldTerms(text(input, 'text'));
  return { terms: terms.length > 0 ? terms : null };
}

function splitTerm(input: Columns): unknown {
  const split = splitFieldTerm(text(input, 'text'));
  if (split === undefined) return { lhs: '', op: '', rhs: '', ok: false };
  return { lhs: split.field, op: split.operator, rhs: split.value, ok: true };
}

function unescape(input: Columns): unknown {
  const output = unescapeFieldValue(text(input, 'text'));
  return typeof output === 'string'
    ? { output }
    : { errorKind: output.kind, error: output.message };
}

function transformOf(input: Columns): FieldTransform | undefined {
  if (!has(input, 'transform') && !has(input, 'failOn')) return undefined;
  const changes = columns(input, 'transform') ?? {};
  return (field, value) => {
    if (input['failOn'] === field) {
      throw new SelectorError(`transform refused ${field}`, { start: 0, end: 0 });
    }
    const [newField = '', newValue = ''] = texts(changes, field) ?? [field, value];
    return [newField, newValue === '$value' ? value : newValue];
  };
}

function shown(selector: FieldSelector): Columns {
  return { canonical: selector.toString(), empty: selector.empty() };
}

function parse(input: Columns): unknown {
  return orError(() => {
    const selector = parseFieldSelector(text(input, 'text'), transformOf(input));
    return { requirements: selector.requirements, ...shown(selector) };
  });
}

const calls = new Map<string, (input: Columns) => unknown>([
  ['splitTerms', splitTerms],
  ['splitTerm', splitTerm],
  ['escape', (input) => ({ output: escapeFieldValue(text(input, 'text')) })],
  ['unescape', unescape],
  ['parse', parse],
  ['setString', (input) => ({ text: stringSetText(textMap(input, 'fields') ?? new Map()) })],
  ['fromSet', (input) => shown(fieldSelectorFromSet(textMap(input, 'fields')))],
]);

export const run = defineTopic({ actual: ({ input }) => byCall(input, calls) });
