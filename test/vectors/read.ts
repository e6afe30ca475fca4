/** Reads columns of a case's input; what is not of the asked-for kind is an `UnknownShape`. */

import type { Columns } from './harness';
import { isColumns, UnknownShape } from './harness';

function wrong(input: Columns, column: string, wanted: string): UnknownShape {
  return new UnknownShape(`input.${column} is not ${wanted}: ${JSON.stringify(input[column])}`);
}

export function has(input: Columns, column: string): boolean {
  return Object.hasOwn(input, column);
}

export function text(input: Columns, column: string): string {
  const value = input[column];
  if (typeof value !== 'string') throw wrong(input, column, 'a text');
  return value;
}

export function flag(input: Columns, column: string): boolean {
  const value = input[column];
  if (typeof value !== 'boolean') throw wrong(input, column, 'true or false');
  return value;
}

/** Absent and null are both null. */
export function texts(input: Columns, column: string): string[] | null {
  const value = input[column] ?? null;
  if (value === null) return null;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw wrong(input, column, 'a list of texts');
  }
  return value;
}

/** Absent and null are both the empty list. */
export function list(input: Columns, column: string): Columns[] {
  const value = input[column] ?? [];
  if (!Array.isArray(value) || !value.every(isColumns))
    throw wrong(input, column, 'a list of objects');
  return value;
}

/** Absent and null are both null. */
export function columns(input: Columns, column: string): Columns | null {
  const value = input[column] ?? null;
  if (value !== null && !isColumns(value)) throw wrong(input, column, 'an object');
  return value;
}

/** A map of texts, also with names like `__proto__`. Absent and null are both null. */
export function textMap(input: Columns, column: string): Map<string, string> | null {
  const value = columns(input, column);
  if (value === null) return null;
  return new Map(Object.keys(value).map((name) => [name, text(value, name)]));
}

/** The runner for a case's `call`. */
export function byCall(
  input: Columns,
  calls: ReadonlyMap<string, (input: Columns) => unknown>,
): unknown {
  const call = calls.get(text(input, 'call'));
  if (call === undefined) throw wrong(input, 'call', 'a known call');
  return call(input);
}
