/** Requirements of a selector in words. */
import type { FieldRequirement, LabelRequirement } from '../../kube/selectors';

/** Puts a name or value into the sentence, in code marks or without. */
export type Quote = (text: string) => string;

/** One requirement as a sentence without its full stop. Absent labels are spelled out. */
export function labelWords({ key, operator, values }: LabelRequirement, quote: Quote): string {
  const label = `label ${quote(key)}`;
  const [first = ''] = values;
  switch (operator) {
    case '=':
    case '==':
      return `${label} is ${value(first, quote)}`;
    case '!=':
      return `${label} is anything but ${value(first, quote)}; objects without the label match too`;
    case 'in':
      return values.length === 1
        ? `${label} is ${value(first, quote)}`
        : `${label} is ${list(values, 'or', quote)}`;
    case 'notin':
      return values.length === 1
        ? `${label} is anything but ${value(first, quote)}; objects without the label match too`
        : `${label} is neither ${list(values, 'nor', quote)}; objects without the label match too`;
    case 'exists':
      return `${label} is there, whatever its value`;
    case '!':
      return `${label} is not there`;
    case 'gt':
      return `${label} is a whole number greater than ${quote(first)}; objects without the label, or with other text in it, do not match`;
    case 'lt':
      return `${label} is a whole number less than ${quote(first)}; objects without the label, or with other text in it, do not match`;
  }
}

/** One requirement on a field as such a sentence; a field that is not there has the empty text. */
export function fieldWords(
  { field, operator, value: asked }: FieldRequirement,
  quote: Quote,
): string {
  const name = `field ${quote(field)}`;
  if (asked === '') {
    return operator === '=' ? `${name} is empty or not there` : `${name} is there and not empty`;
  }
  if (operator === '=') return `${name} is ${quote(asked)}`;
  return `${name} is anything but ${quote(asked)}; objects where it is empty match too`;
}

function value(text: string, quote: Quote): string {
  return text === '' ? 'the empty text' : quote(text);
}

function list(values: readonly string[], word: 'or' | 'nor', quote: Quote): string {
  const quoted = values.map((each) => value(each, quote));
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${word} ${last}`;
}
