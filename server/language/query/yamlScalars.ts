/** Scalars of YAML as texts that know where each character stands. */
import type { Scalar } from 'yaml';
import { coarselyMapped, MappedTextBuilder, type MappedText } from '../source/mappedText';
import type { Writing } from '../source/writing';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\t', '\t'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
]);

const CODE_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** `value` is the scalar's text as it was parsed. Without places where it goes over several lines. */
export function scalarText(source: string, scalar: Scalar, value: string): MappedText {
  const [start = 0, end = start] = scalar.range ?? [];
  const whole = { start, end };
  const raw = source.slice(start, end);
  if (/[\r\n]/.test(raw)) return coarselyMapped(value, whole);
  const mapped = mappedOf(raw, start, scalar.type);
  return mapped?.text === value ? mapped : coarselyMapped(value, whole);
}

function mappedOf(raw: string, start: number, type: Scalar['type']): MappedText | undefined {
  switch (type) {
    case 'PLAIN':
      return quoted(raw, start, 'yaml', putPlain);
    case 'QUOTE_SINGLE':
      return quoted(raw.slice(1, -1), start + 1, 'yamlSingle', putSingle);
    case 'QUOTE_DOUBLE':
      return quoted(raw.slice(1, -1), start + 1, 'yamlDouble', putDouble);
    default:
      return undefined;
  }
}

type Put = (builder: MappedTextBuilder, raw: string, start: number) => void;

function quoted(raw: string, start: number, writing: Writing, put: Put): MappedText {
  const builder = new MappedTextBuilder();
  put(builder, raw, start);
  return builder.build(start + raw.length, writing);
}

const putPlain: Put = (builder, raw, start) => {
  builder.run(raw, start);
};

const putSingle: Put = (builder, raw, start) => {
  for (let at = 0; at < raw.length;) {
    const size = raw.startsWith("''", at) ? 2 : 1;
    builder.piece(raw.charAt(at), start + at, start + at + size);
    at += size;
  }
};

const putDouble: Put = (builder, raw, start) => {
  for (let at = 0; at < raw.length;) {
    const { text, size } = escapeAt(raw, at);
    builder.piece(text, start + at, start + at + size);
    at += size;
  }
};

function escapeAt(raw: string, at: number): { readonly text: string; readonly size: number } {
  const character = raw.charAt(at);
  if (character !== '\\') return { text: character, size: 1 };
  const next = raw.charAt(at + 1);
  const length = CODE_LENGTHS.get(next);
  if (length === undefined) return { text: ESCAPES.get(next) ?? '', size: 2 };
  const code = parseInt(raw.slice(at + 2, at + 2 + length), 16);
  const isCode = code >= 0 && code <= 0x10ffff;
  return { text: isCode ? String.fromCodePoint(code) : '', size: 2 + length };
}
