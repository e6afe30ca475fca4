/** What stands between `$'` and `'` in bash and zsh. */
import type { MappedTextBuilder } from '../source/mappedText';
import { putBytes, type WrittenByte } from '../source/byteRuns';
import { isLineBreak } from '../source/lines';
import { isEnd, type ShellText } from './shellText';

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['E', '\x1b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['?', '?'],
]);

const NUMERIC =
  /\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([?-[\]-_a-z]))/y;

interface Escape {
  readonly byte?: number;
  readonly text: string;
  readonly end: number;
}

/**
 * Puts it into the text; returns the offset of the closing quote, or where nothing of it can stand. As
 * in bash, a NUL that is written as an escape ends the text, though not the quotes.
 */
export function readAnsiQuoted(
  builder: MappedTextBuilder,
  shell: ShellText,
  start: number,
): number {
  const { text, limit } = shell;
  let bytes: WrittenByte[] = [];
  let isCut = false;
  let at = start;
  const flush = (): void => {
    putBytes(builder, bytes);
    bytes = [];
  };
  while (!isEnd(shell, at) && text.charAt(at) !== "'") {
    const escape = escapeAt(text, at, limit);
    isCut ||= escape.byte === 0;
    if (escape.byte !== undefined) {
      if (!isCut) bytes.push({ byte: escape.byte, start: at, end: escape.end });
    } else {
      flush();
      if (!isCut) builder.piece(escape.text, at, escape.end);
    }
    at = escape.end;
  }
  flush();
  return at;
}

/** The escape here, or the one character. */
function escapeAt(text: string, at: number, limit: number): Escape {
  const character = text.charAt(at);
  if (character !== '\\' || at + 1 >= limit) return { text: character, end: at + 1 };
  const next = text.charAt(at + 1);
  if (isLineBreak(next)) return { text: character, end: at + 1 };
  const simple = SIMPLE.get(next);
  if (simple !== undefined) return { text: simple, end: at + 2 };
  return numericEscape(text, at, limit) ?? { text: character, end: at + 1 };
}

function numericEscape(text: string, at: number, limit: number): Escape | undefined {
  const pattern = new RegExp(NUMERIC);
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const end = at + (match?.[0].length ?? 0);
  if (match === null || end > limit) return undefined;
  const [, hex, octal, short, long, control] = match;
  const code = short ?? long;
  if (code !== undefined) return codePointEscape(parseInt(code, 16), end);
  if (hex !== undefined) return { byte: parseInt(hex, 16), text: '', end };
  if (octal !== undefined) return { byte: parseInt(octal, 8) & 0xff, text: '', end };
  return { byte: (control ?? '').toUpperCase().charCodeAt(0) & 0x1f, text: '', end };
}

function codePointEscape(code: number, end: number): Escape {
  if (code === 0) return { byte: 0, text: '', end };
  return { text: code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code), end };
}
