/** Requirements of a selector in words. */
import type { FieldRequirement, LabelRequirement } from '../../kube/selectors';

/** Puts a name or value into the sentence, in code marks or without. */
export type Quote = (text: string) => string;

/** One requirement as a sentence without its full stop. Absent labels are spelled out. */
export function labelWords({ key, operator, values }: LabelRequirement, quote: Quote): string {
  const label = `label ${quote(key)}`;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return `${label} is ${list(values, 'or', quote)}`;
    case '!=':
    case 'notin':
      return `${label} is ${noneOf(values, quote)}; objects without the label match too`;
    case 'exists':
      return `${label} is there, whatever its value`;
    case '!':
      return `${label} is not there`;
    case 'gt':
      return `${label} is a whole number greater than ${boundWords(values, quote)}`;
    case 'lt':
      return `${label} is a whole number less than ${boundWords(values, quote)}`;
  }
}

function noneOf(values: readonly string[], quote: Quote): string {
  if (values.length === 1) return `anything but ${list(values, 'or', quote)}`;
  return `neither ${list(values, 'nor', quote)}`;
}

function boundWords([bound = '']: readonly string[], quote: Quote): string {
  return `${quote(bound)}; objects without the label, or with other text in it, do not match`;
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
