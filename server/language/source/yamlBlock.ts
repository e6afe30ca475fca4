/** Literal and folded block scalars. */
import { MappedTextBuilder, type MappedText } from './mappedText';

interface Line {
  /** Offset in what is written, behind the indentation that is taken off. */
  readonly start: number;
  readonly text: string;
  /** Characters of the line's end. */
  readonly breakLength: number;
}

/**
 * `written` begins with the scalar's header and stands at `base` of the document; `value` is what the
 * parser made of it. Line ends that the header takes away are left out as there.
 */
export function blockText(
  written: string,
  base: number,
  isFolded: boolean,
  value: string,
): MappedText {
  const reader = new BlockReader(base, value.length);
  const lines = linesOf(written, value);
  if (isFolded) reader.folded(lines);
  else reader.literal(lines);
  return reader.build(base + written.length);
}

function linesOf(written: string, value: string): Line[] {
  const headerEnd = written.indexOf('\n');
  if (headerEnd < 0) return [];
  const raw = rawLines(written, headerEnd + 1);
  const indent = indentOf(raw, value);
  return raw.map(({ start, text, breakLength }) => {
    const blanks = Math.min(indent, /^ */.exec(text)?.[0].length ?? 0);
    return { start: start + blanks, text: text.slice(blanks), breakLength };
  });
}

function rawLines(written: string, from: number): Line[] {
  const lines: Line[] = [];
  for (let start = from; start <= written.length;) {
    const found = written.indexOf('\n', start);
    const end = found < 0 ? written.length : found;
    const isCrLf = found > start && written.charAt(found - 1) === '\r';
    const text = written.slice(start, isCrLf ? end - 1 : end);
    lines.push({ start, text, breakLength: found < 0 ? 0 : isCrLf ? 2 : 1 });
    start = end + 1;
  }
  return lines;
}

/** Blanks that the first line with something on it has here and not in the value. */
function indentOf(lines: readonly Line[], value: string): number {
  const first = lines.find(({ text }) => /[^ ]/.test(text));
  const kept = /^ *(?=[^ \n])/m.exec(value)?.[0].length ?? 0;
  return Math.max(0, (/^ */.exec(first?.text ?? '')?.[0].length ?? 0) - kept);
}

class BlockReader {
  private readonly builder = new MappedTextBuilder();
  private left: number;

  constructor(
    private readonly base: number,
    length: number,
  ) {
    this.left = length;
  }

  build(end: number): MappedText {
    return this.builder.build(end, 'plain');
  }

  literal(lines: readonly Line[]): void {
    for (const line of lines) {
      this.run(line);
      this.breaks(1, line);
    }
  }

  /** A line end between two lines that are not indented further is a blank, or goes before empty lines. */
  folded(lines: readonly Line[]): void {
    let last: Line | undefined;
    let empty = 0;
    for (const line of lines) {
      if (line.text === '') {
        empty++;
        continue;
      }
      if (last !== undefined) this.between(last, line, empty);
      else if (lines[0] !== undefined) this.breaks(empty, lines[0]);
      this.run(line);
      last = line;
      empty = 0;
    }
    if (last !== undefined) this.breaks(empty + 1, last);
  }

  private between(last: Line, next: Line, empty: number): void {
    const isKept = isIndented(last) || isIndented(next);
    if (isKept) this.breaks(empty + 1, last);
    else if (empty > 0) this.breaks(empty, last);
    else this.put(' ', last);
  }

  private run({ text, start }: Line): void {
    const part = text.slice(0, this.left);
    this.left -= part.length;
    this.builder.run(part, this.base + start);
  }

  private breaks(count: number, behind: Line): void {
    this.put('\n'.repeat(Math.min(count, this.left)), behind);
  }

  private put(text: string, behind: Line): void {
    const part = text.slice(0, this.left);
    const end = this.base + behind.start + behind.text.length;
    this.left -= part.length;
    this.builder.piece(part, end, end + behind.breakLength);
  }
}

function isIndented({ text }: Line): boolean {
  return text.startsWith(' ') || text.startsWith('\t');
}
