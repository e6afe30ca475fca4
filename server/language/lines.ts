/** Lines and columns of offsets, for those who speak in them. */

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
    while (end > start && isLineBreak(this.text.charCodeAt(end - 1))) end--;
    return { text: this.text.slice(start, end), start };
  }
}

function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
