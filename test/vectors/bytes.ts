/** Bytes of a case's input. */
import { UnknownShape, type Columns } from './harness';
import { has, text } from './read';

export function utf8Of(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The column as UTF-8, or its `Hex` sibling when the bytes are not text. */
export function bytes(input: Columns, column: string): Uint8Array {
  if (has(input, column) && input[column] !== null) return utf8Of(text(input, column));
  return new Uint8Array(Buffer.from(text(input, `${column}Hex`), 'hex'));
}

/** A number that may be written as decimal text. */
export function integer(input: Columns, column: string): bigint {
  const value = input[column];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?[0-9]+$/.test(value)) return BigInt(value);
  throw new UnknownShape(`input.${column} is not an integer: ${JSON.stringify(value)}`);
}
