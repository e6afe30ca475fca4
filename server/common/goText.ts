/** Texts as Go writes them: quoting, JSON strings and the order of strings. */

import { isGoPrintable } from './goPrintable';

const quoteEscapes = new Map<number, string>([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

const jsonEscapes = new Map<number, string>([
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

/** A byte that is no part of a valid sequence, as `runes` reports it. */
const invalidByte = -1;

/**
 * Go's `%q` of a string: double-quoted, with everything escaped that is not printable.
 *
 * Bytes may be anything; one that is not UTF-8 is written `\xNN`. In a text, lone surrogates
 * count as U+FFFD, which is what they become in UTF-8.
 *
 * Upstream: `strconv.Quote`.
 */
export function goQuote(text: string | Uint8Array): string {
  if (typeof text === 'string' && /^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  return `"${escaped(text, quotedRune)}"`;
}

/**
 * A JSON string as Go's encoder writes it by default: `<`, `>`, `&`, U+2028 and U+2029 are
 * escaped too, and each byte that is not UTF-8 becomes the six characters `\ufffd`.
 *
 * Upstream: `encoding/json` (`Marshal`), Go 1.22 and later.
 */
export function goJsonString(text: string | Uint8Array): string {
  return `"${escaped(text, jsonRune)}"`;
}

/** Text of bytes with U+FFFD for each byte that is not UTF-8, as Go's decoders and `range` see them. */
export function goUtf8(bytes: Uint8Array): string {
  const out: string[] = [];
  eachRune(bytes, (rune) => out.push(rune === invalidByte ? '\ufffd' : String.fromCodePoint(rune)));
  return out.join('');
}

/** A list of strings as Go's JSON encoder writes it; null is Go's nil list. */
export function goJsonStrings(texts: readonly string[] | null): string {
  return texts === null ? 'null' : `[${texts.map((text) => goJsonString(text)).join(',')}]`;
}

/** A map of strings as Go's JSON encoder writes it, keys in the order of their bytes; null is nil. */
export function goJsonMap(map: ReadonlyMap<string, string> | null): string {
  if (map === null) return 'null';
  const pairs = [...map].sort(([a], [b]) => compareUtf8(a, b));
  return `{${pairs.map((pair) => pair.map((text) => goJsonString(text)).join(':')).join(',')}}`;
}

/** The order of the UTF-8 bytes, which is Go's order of strings: negative, zero or positive. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (isSurrogate(x) || isSurrogate(y)) return compareRunes(a, b, i);
    return x - y;
  }
  return a.length - b.length;
}

/** The number of UTF-8 bytes of a text: Go's `len`. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** `from` is the first differing unit; a pair that it splits is compared whole. */
function compareRunes(a: string, b: string, from: number): number {
  const before = a.charCodeAt(from - 1);
  let i = before >= 0xd800 && before <= 0xdbff ? from - 1 : from;
  let j = i;
  while (i < a.length && j < b.length) {
    const x = runeAt(a, i);
    const y = runeAt(b, j);
    if (x !== y) return x - y;
    i += a.codePointAt(i) === x && x > 0xffff ? 2 : 1;
    j += b.codePointAt(j) === y && y > 0xffff ? 2 : 1;
  }
  return a.length - i - (b.length - j);
}

function runeAt(text: string, at: number): number {
  const rune = text.codePointAt(at) ?? 0;
  return isSurrogate(rune) ? 0xfffd : rune;
}

function escaped(text: string | Uint8Array, write: (rune: number, byte: number) => string): string {
  const out: string[] = [];
  if (typeof text === 'string') {
    for (const character of text) out.push(write(runeAt(character, 0), 0));
  } else {
    eachRune(text, (rune, byte) => out.push(write(rune, byte)));
  }
  return out.join('');
}

function quotedRune(rune: number, byte: number): string {
  if (rune === invalidByte) return `\\x${hex(byte, 2)}`;
  const short = quoteEscapes.get(rune);
  if (short !== undefined) return short;
  if (isGoPrintable(rune)) return String.fromCodePoint(rune);
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

function jsonRune(rune: number): string {
  if (rune === invalidByte) return '\\ufffd';
  const short = jsonEscapes.get(rune);
  if (short !== undefined) return short;
  return needsJsonEscape(rune) ? `\\u${hex(rune, 4)}` : String.fromCodePoint(rune);
}

/** Control characters, `<`, `>`, `&` and the two separators that JavaScript once broke lines at. */
function needsJsonEscape(rune: number): boolean {
  return rune < 0x20 || [0x3c, 0x3e, 0x26, 0x2028, 0x2029].includes(rune);
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

/** Decodes as Go does: each byte that is no part of a valid sequence stands alone. */
function eachRune(bytes: Uint8Array, visit: (rune: number, byte: number) => void): void {
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i] ?? 0;
    const size = sequenceSize(first);
    const rune = size === 1 ? first : sequenceRune(bytes, i, first, size);
    visit(rune, first);
    i += rune === invalidByte ? 1 : size;
  }
}

/** The size that a first byte announces; 0 when no sequence starts with it. */
function sequenceSize(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

const smallestOfSize = [0, 0, 0x80, 0x800, 0x10000];

function sequenceRune(bytes: Uint8Array, at: number, first: number, size: number): number {
  if (size === 0 || at + size > bytes.length) return invalidByte;
  let rune = first & (0x7f >> size);
  for (let i = 1; i < size; i++) {
    const next = bytes[at + i] ?? 0;
    if ((next & 0xc0) !== 0x80) return invalidByte;
    rune = (rune << 6) | (next & 0x3f);
  }
  const tooLong = rune < (smallestOfSize[size] ?? 0);
  return tooLong || rune > 0x10ffff || isSurrogate(rune) ? invalidByte : rune;
}
