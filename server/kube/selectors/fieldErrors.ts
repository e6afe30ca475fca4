/** Validation errors that name a field, in the words of `k8s.io/apimachinery/pkg/util/validation/field`. */

import { goJsonString, goJsonStrings, goQuote } from '../../common/goText';

export type FieldErrorType =
  'FieldValueInvalid' | 'FieldValueNotSupported' | 'FieldValueRequired' | 'FieldValueForbidden';

export interface FieldError {
  readonly type: FieldErrorType;
  /** The path of the field, printed. */
  readonly field: string;
  /** The whole text, field included. */
  readonly message: string;
}

/** A path as it prints; null is upstream's nil path. */
export type FieldPath = string | null;

export function child(path: FieldPath, name: string): string {
  return path === null ? name : `${path}.${name}`;
}

export function subscript(path: FieldPath, key: string | number): string {
  return `${path ?? ''}[${key}]`;
}

/**
 * The value that an error prints: a plain string as Go's `%q`, and a string of a named type, a list
 * or whatever else as Go's JSON.
 */
export type BadValue =
  | { readonly text: string }
  | { readonly named: string }
  | { readonly list: readonly string[] | null }
  | { readonly json: string };

function printedValue(value: BadValue): string {
  if ('text' in value) return goQuote(value.text);
  if ('named' in value) return goJsonString(value.named);
  return 'list' in value ? goJsonStrings(value.list) : value.json;
}

function error(type: FieldErrorType, path: FieldPath, body: string): FieldError {
  const field = path ?? '<nil>';
  return { type, field, message: `${field}: ${body}` };
}

export function invalid(path: FieldPath, value: BadValue, detail: string): FieldError {
  return error('FieldValueInvalid', path, `Invalid value: ${printedValue(value)}: ${detail}`);
}

export function notSupported(
  path: FieldPath,
  value: BadValue,
  supported: readonly string[],
): FieldError {
  const list = supported.map((name) => goQuote(name)).join(', ');
  const body = `Unsupported value: ${printedValue(value)}: supported values: ${list}`;
  return error('FieldValueNotSupported', path, body);
}

export function required(path: FieldPath, detail: string): FieldError {
  return error('FieldValueRequired', path, `Required value: ${detail}`);
}

export function forbidden(path: FieldPath, detail: string): FieldError {
  return error('FieldValueForbidden', path, `Forbidden: ${detail}`);
}

/**
 * One text for several errors: one alone, more in brackets, equal ones once.
 *
 * Upstream: `ErrorList.ToAggregate` and `aggregate.Error`.
 */
export function aggregateText(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(({ message }) => message))];
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}
