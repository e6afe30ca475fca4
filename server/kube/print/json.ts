import type { JsonValue } from '../decode/jsonText';
import { jsonMembers, type MemberOrder, orderWithin } from './order';

/**
 * JSON text of a printable value, laid out as `JSON.stringify` does, with integers exact.
 * `indent` is blanks per level; 0 puts everything on one line.
 */
export function printJson(value: JsonValue, indent = 2, order: MemberOrder = 'given'): string {
  return print(value, { unit: ' '.repeat(indent), order }, '\n');
}

interface Style {
  readonly unit: string;
  readonly order: MemberOrder;
}

/** `lineBreak` is a line feed and the indentation of the line that holds the value. */
function print(value: JsonValue, style: Style, lineBreak: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { unit, order } = style;
  const inner = lineBreak + unit;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => print(item, style, inner));
    return wrap('[', items, ']', unit, lineBreak);
  }
  const colon = unit === '' ? ':' : ': ';
  const members = jsonMembers(value as Exclude<typeof value, readonly JsonValue[]>, order).map(
    ([name, item]) => {
      const within = { unit, order: orderWithin(order, name) };
      return JSON.stringify(name) + colon + print(item, within, inner);
    },
  );
  return wrap('{', members, '}', unit, lineBreak);
}

function wrap(
  open: string,
  parts: readonly string[],
  close: string,
  unit: string,
  lineBreak: string,
): string {
  if (parts.length === 0 || unit === '') return open + parts.join(',') + close;
  const inner = lineBreak + unit;
  return open + inner + parts.join(`,${inner}`) + lineBreak + close;
}
