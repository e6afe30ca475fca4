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

/** From 1 on; the column counts UTF-16 units. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

export class Lines {
  /** Offsets at which lines begin. */
  private readonly starts: readonly number[];

  /** A line ends with a line feed, a carriage return, or both. */
  constructor(private readonly text: string) {
    const starts = [0];
    for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
    this.starts = starts;
  }

  at(offset: number): LinePosition {
    const { starts } = this;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** The characters of a line, without its end. */
  lineOf(offset: number): { readonly text: string; readonly start: number } {
    const { line } = this.at(offset);
    const start = this.starts[line - 1] ?? 0;
    const next = this.starts[line] ?? this.text.length;
    let end = next;
    while (end > start && isLineBreak(this.text.charAt(end - 1))) end--;
    return { text: this.text.slice(start, end), start };
  }
}
