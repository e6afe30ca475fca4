/** Plain and quoted scalars: escapes and lines that are folded into one. */
import { MappedTextBuilder, type MappedText } from './mappedText';
import type { Writing } from './writing';

export type FlowType = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE';

const WRITINGS: Readonly<Record<FlowType, Writing>> = {
  PLAIN: 'yaml',
  QUOTE_SINGLE: 'yamlSingle',
  QUOTE_DOUBLE: 'yamlDouble',
};

const ORDINARY: Readonly<Record<FlowType, RegExp>> = {
  PLAIN: /[^ \t\r\n]+/y,
  QUOTE_SINGLE: /[^ \t\r\n']+/y,
  QUOTE_DOUBLE: /[^ \t\r\n\\]+/y,
};

/** `written` with its quotes, which stands at `base` of the document. */
export function flowText(written: string, base: number, type: FlowType): MappedText {
  return new FlowReader(written, base, type).read();
}

class FlowReader {
  private readonly builder = new MappedTextBuilder();
  private readonly ordinary: RegExp;
  private readonly end: number;
  private at: number;

  constructor(
    private readonly written: string,
    private readonly base: number,
    private readonly type: FlowType,
  ) {
    const quote = type === 'QUOTE_SINGLE' ? "'" : '"';
    const isQuoted = type !== 'PLAIN';
    const isClosed = written.length > 1 && written.endsWith(quote);
    this.at = isQuoted ? 1 : 0;
    this.end = isQuoted && isClosed ? written.length - 1 : written.length;
    this.ordinary = new RegExp(ORDINARY[type]);
  }

  read(): MappedText {
    while (this.at < this.end) {
      const character = this.written.charAt(this.at);
      if (' \t\r\n'.includes(character)) this.blanks();
      else if (this.type === 'QUOTE_DOUBLE' && character === '\\') this.escape();
      else if (this.type === 'QUOTE_SINGLE' && character === "'") this.piece("'", 2);
      else this.run(this.wordEnd());
    }
    return this.builder.build(this.base + this.end, WRITINGS[this.type]);
  }

  private wordEnd(): number {
    this.ordinary.lastIndex = this.at;
    const length = this.ordinary.exec(this.written)?.[0].length ?? 1;
    return Math.min(this.end, this.at + length);
  }

  /** Blanks around a line's end go, one line's end is a blank, of more all but the first stay. */
  private blanks(): void {
    const { written, at, end } = this;
    let behind = at;
    let lines = 0;
    while (behind < end && ' \t\r\n'.includes(written.charAt(behind))) {
      if (written.charAt(behind) === '\n') lines++;
      behind++;
    }
    if (lines === 0) this.run(behind);
    else this.piece(lines === 1 ? ' ' : '\n'.repeat(lines - 1), behind - at);
  }

  private escape(): void {
    const { written, at } = this;
    const folded = /\\\r?\n[ \t]*/y;
    folded.lastIndex = at;
    const fold = folded.exec(written)?.[0];
    if (fold !== undefined) {
      this.piece('', fold.length);
      return;
    }
    const code = written.charAt(at + 1);
    const digits = HEX_DIGITS.get(code);
    if (digits === undefined) this.piece(SHORT.get(code) ?? `\\${code}`, 2);
    else this.piece(character(written.slice(at + 2, at + 2 + digits)) ?? '\ufffd', 2 + digits);
  }

  private run(behind: number): void {
    this.builder.run(this.written.slice(this.at, behind), this.base + this.at);
    this.at = behind;
  }

  private piece(text: string, length: number): void {
    const start = this.base + this.at;
    this.builder.piece(text, start, start + length);
    this.at += length;
  }
}

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

const SHORT: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['\t', '\t'],
]);

function character(hex: string): string | undefined {
  const code = /^[0-9a-fA-F]+$/.test(hex) ? parseInt(hex, 16) : NaN;
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
