/** Text that comes in pieces, as lines. */

/** Characters; a longer line is no line of a scrape, and is not kept. */
const LONGEST_LINE = 1024 * 1024;

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** False for the last line of a text that ends without a line break. */
  readonly ended: boolean;
  /** `text` is its beginning only. */
  readonly cut: boolean;
}

export class Lines {
  private rest = '';
  private cut = false;
  private count = 0;

  constructor(private readonly onLine: (line: Line) => void) {}

  push(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.give(text.slice(start, end), true);
      start = end + 1;
    }
    this.keep(text.slice(start));
  }

  /** What is left is the last line. */
  end(): void {
    if (this.rest !== '' || this.cut) this.give('', false);
  }

  private keep(text: string): void {
    if (this.rest.length + text.length <= LONGEST_LINE) this.rest += text;
    else this.cut = true;
  }

  private give(last: string, ended: boolean): void {
    if (this.rest !== '') this.keep(last);
    const whole = this.rest === '' ? last : this.rest;
    const text = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    const cut = this.cut || text.length > LONGEST_LINE;
    this.rest = '';
    this.cut = false;
    this.count++;
    this.onLine({ text, number: this.count, ended, cut });
  }
}
