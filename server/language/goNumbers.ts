/** Numbers and truth values as Go reads them. */
import { goQuote } from '../common/goText';
import { parseInt64 } from '../kube/selectors';

export type GoParsed<T> = { readonly value: T } | { readonly problem: string };

/** Upstream: `strconv.ParseInt(text, 10, 64)`, as the API server reads numbers in a query. */
export function goParseInt(text: string): GoParsed<bigint> {
  const value = parseInt64(text);
  if (value !== undefined) return { value };
  return intProblem(text, /^[+-]?[0-9]+$/.test(text));
}

/**
 * With the prefixes and underscores of Go's literals, as pflag reads whole numbers.
 * Upstream: `strconv.ParseInt(text, 0, 64)`.
 */
export function goParseIntLiteral(text: string): GoParsed<bigint> {
  const match =
    /^([+-]?)(?:(0[xX](?:_?[0-9a-fA-F])+)|(0[bB](?:_?[01])+)|0[oO]?((?:_?[0-7])+)|(0|[1-9](?:_?[0-9])*))$/.exec(
      text,
    );
  if (match === null) return intProblem(text, false);
  const [, sign, hex, binary, octal, decimal] = match;
  const digits = hex ?? binary ?? (octal === undefined ? (decimal ?? '') : `0o${octal}`);
  const size = sizeOf(digits.replaceAll('_', ''));
  const value = sign === '-' ? -size : size;
  return value >= -(2n ** 63n) && value < 2n ** 63n ? { value } : intProblem(text, true);
}

/** Making a number of a huge text would take long: what cannot fit is cut, and still too large. */
function sizeOf(literal: string): bigint {
  const [, prefix = '', digits = ''] = /^(0[xXbBoO])?0*(.*)$/s.exec(literal) ?? [];
  return BigInt(prefix + (digits === '' ? '0' : digits.slice(0, 70)));
}

function intProblem(text: string, isNumber: boolean): { readonly problem: string } {
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  return { problem: `strconv.ParseInt: parsing ${goQuote(text)}: ${why}` };
}

/** Upstream: `strconv.ParseBool`. */
export function goParseBool(text: string): GoParsed<boolean> {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return { value: true };
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return { value: false };
  return { problem: `strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax` };
}

/**
 * How the API server takes a truth value of a query: anything but `0` and `false` is true, the empty
 * text too. Upstream: `runtime.Convert_Slice_string_To_bool`.
 */
export function isTrueParameter(text: string): boolean {
  return text !== '0' && text.toLowerCase() !== 'false';
}
