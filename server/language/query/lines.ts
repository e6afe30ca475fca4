/** Lines as editors count them: LF, CR LF or a lone CR ends one. */
import type { Span } from '../../kube/selectors';

export interface Line {
  readonly start: number;
  /** Before what ends it. */
  readonly end: number;
  /** Where the next one starts; the length of the text behind the last. */
  readonly next: number;
}

/** The line that starts at this offset; nothing at or behind `limit` is looked at. */
export function lineFrom(text: string, start: number, limit: number): Line {
  const ending = /\r\n?|\n/g;
  ending.lastIndex = start;
  const match = ending.exec(text);
  if (match === null || match.index >= limit) return { start, end: limit, next: limit };
  return { start, end: match.index, next: Math.min(limit, match.index + match[0].length) };
}

export function* linesBetween(
  text: string,
  start: number,
  limit: number,
): Generator<Line, void, undefined> {
  for (let at = start; at < limit;) {
    const line = lineFrom(text, at, limit);
    yield line;
    at = line.next;
  }
}

/** The first offset from `at` on that holds neither blank nor tabulator. */
export function skipBlanks(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && isBlank(text.charAt(end))) end++;
  return end;
}

/** The end of what stands between two offsets, without blanks behind it. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(text.charAt(last - 1))) last--;
  return last;
}

/** Without blanks and line breaks at its end. */
export function withoutBlankEnd(text: string, { start, end }: Span): Span {
  let last = end;
  while (last > start && (isBlank(text.charAt(last - 1)) || isLineBreak(text.charAt(last - 1)))) {
    last--;
  }
  return { start, end: last };
}

export function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

export function isLineBreak(character: string): boolean {
  return character === '\n' || character === '\r';
}
