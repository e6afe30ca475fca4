/**
 * Reads the three fields of a token's JSON as Go's decoder fills the struct: names match without
 * regard to case, a later duplicate wins, null leaves the earlier value, unknown fields are ignored,
 * and the first mismatched type is the error, reported only after the whole text was checked.
 */
import { goUtf8 } from '../common/goText';
import { checkJson } from './goJsonScanner';

export interface TokenFields {
  v: string;
  rv: bigint;
  start: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const opens = new Set([0x7b, 0x5b]);
const closes = new Set([0x7d, 0x5d]);
const separators = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2c, 0x3a]);

/** End of the string that starts at `at`, in text known to be valid JSON. */
function stringEnd(bytes: Uint8Array, at: number): number {
  let i = at + 1;
  while (bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i + 1;
}

function scalarEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && !separators.has(bytes[i] ?? 0) && !closes.has(bytes[i] ?? 0)) i++;
  return i;
}

function nestedEnd(bytes: Uint8Array, at: number): number {
  let depth = 0;
  for (let i = at; ;) {
    const byte = bytes[i] ?? 0;
    if (byte === quote) {
      i = stringEnd(bytes, i);
      continue;
    }
    if (opens.has(byte)) depth++;
    if (closes.has(byte) && --depth === 0) return i + 1;
    i++;
  }
}

/** Spans of the alternating keys and values of the top-level object. */
function topLevelSpans(bytes: Uint8Array, open: number): Span[] {
  const spans: Span[] = [];
  for (let at = open + 1; ;) {
    while (separators.has(bytes[at] ?? 0)) at++;
    const byte = bytes[at] ?? 0;
    if (closes.has(byte)) return spans;
    const start = at;
    if (byte === quote) at = stringEnd(bytes, at);
    else at = opens.has(byte) ? nestedEnd(bytes, at) : scalarEnd(bytes, at);
    spans.push({ start, end: at });
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Text of a valid JSON string; invalid bytes and lone surrogates become U+FFFD. */
function stringText(bytes: Uint8Array, { start, end }: Span): string {
  const body = goUtf8(bytes.subarray(start + 1, end - 1));
  const text = body.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gu, (_, hex?: string, escape?: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return simpleEscapes[escape ?? ''] ?? escape ?? '';
  });
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd');
}

/** The field a JSON name fills: equal without regard to case, the long s and the Kelvin sign folded. */
function fieldOf(name: string): keyof TokenFields | undefined {
  const folded = name.replaceAll('\u017f', 's').replace(/[A-Z]/g, (c) => c.toLowerCase());
  return folded === 'v' || folded === 'rv' || folded === 'start' ? folded : undefined;
}

type Kind = 'string' | 'number' | 'bool' | 'null' | 'object' | 'array';

function kindOf(byte: number): Kind {
  switch (String.fromCharCode(byte)) {
    case '"':
      return 'string';
    case '{':
      return 'object';
    case '[':
      return 'array';
    case 't':
    case 'f':
      return 'bool';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}

function integer(text: string): bigint | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Fills one field; returns Go's error text when the value is of the wrong type. */
function fill(
  fields: TokenFields,
  field: keyof TokenFields,
  bytes: Uint8Array,
  value: Span,
): string | undefined {
  const kind = kindOf(bytes[value.start] ?? 0);
  if (kind === 'null') return undefined;
  const target = `Go struct field continueToken.${field} of type`;
  if (field === 'rv') {
    const literal = goUtf8(bytes.subarray(value.start, value.end));
    const parsed = kind === 'number' ? integer(literal) : undefined;
    const shown = kind === 'number' ? `number ${literal}` : kind;
    if (parsed === undefined) return `json: cannot unmarshal ${shown} into ${target} int64`;
    fields.rv = parsed;
    return undefined;
  }
  if (kind !== 'string') return `json: cannot unmarshal ${kind} into ${target} string`;
  fields[field] = stringText(bytes, value);
  return undefined;
}

/** Throws `Error` with Go's text when the bytes are not JSON or a field has the wrong type. */
export function parseTokenJson(bytes: Uint8Array): TokenFields {
  checkJson(bytes);
  const open = bytes.findIndex((byte) => !separators.has(byte));
  const kind = kindOf(bytes[open] ?? 0);
  const fields: TokenFields = { v: '', rv: 0n, start: '' };
  if (kind === 'null') return fields;
  if (kind !== 'object') {
    throw new Error(`json: cannot unmarshal ${kind} into Go value of type storage.continueToken`);
  }
  const spans = topLevelSpans(bytes, open);
  let problem: string | undefined;
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const [name, value] = [spans[i], spans[i + 1]];
    if (name === undefined || value === undefined) break;
    const field = fieldOf(stringText(bytes, name));
    if (field === undefined) continue;
    problem ??= fill(fields, field, bytes, value);
  }
  if (problem !== undefined) throw new Error(problem);
  return fields;
}
