/** Blocks of a query file: between lines that begin with `###`. */
import type { Span } from '../../kube/selectors';
import { lineFrom, skipBlanks, trimmedEnd, type Line } from '../source/lines';
import type { NamePart } from './references';

export interface Block {
  /** From its separator, which the first block may lack, to before the next one. */
  readonly span: Span;
  /** The line of the separator, without what ends it. */
  readonly separator: Span | undefined;
  /** What stands behind the `#`s; empty for none. */
  readonly title: string;
  /** The first two that are given: one is too many. */
  readonly names: readonly NamePart[];
  /** Where its request begins; undefined without one. */
  readonly request: number | undefined;
  /** The line of the request, else of the block's begin; from 0. */
  readonly line: number;
}

export interface Blocks {
  readonly blocks: readonly Block[];
  /** Where what was not looked at begins. */
  readonly rest: number | undefined;
}

const SEPARATOR = /^#{3,}[ \t]*/;
const NAME = /^#+[ \t]*@name(?:[ \t]+(.*))?$/;
/** What is looked at of a title or a name; none that is taken is longer. */
const LONGEST_COMMENT = 500;

export function readBlocks(text: string, most: number): Blocks {
  const reader = new BlockReader(text, most);
  return reader.read();
}

/** Whether a line separates blocks; `start` is its first character that is no blank. */
export function isSeparator(text: string, start: number): boolean {
  return text.startsWith('###', start);
}

/** The length of a byte order mark. */
export function markLength(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

interface Open {
  start: number;
  separator: Span | undefined;
  title: string;
  names: NamePart[];
  request: number | undefined;
  line: number;
}

class BlockReader {
  private readonly blocks: Block[] = [];
  private open: Open;
  private number = 0;

  constructor(
    private readonly text: string,
    private readonly most: number,
  ) {
    this.open = opened(markLength(text), 0);
  }

  read(): Blocks {
    const { text, most } = this;
    for (let at = markLength(text); at < text.length; this.number++) {
      const line = lineFrom(text, at, text.length);
      const start = skipBlanks(text, at, line.end);
      if (start < line.end && isSeparator(text, start)) {
        this.close(line.start);
        if (this.blocks.length >= most) return { blocks: this.blocks, rest: line.start };
        this.open = opened(line.start, this.number);
        this.readSeparator(start, line);
      } else if (start < line.end) this.readLine(start, line);
      at = line.next;
    }
    this.close(text.length);
    return { blocks: this.blocks, rest: undefined };
  }

  /** What stands before the first separator is a block only when there is something in it. */
  private close(end: number): void {
    const { start, ...rest } = this.open;
    const isEmpty =
      rest.separator === undefined && rest.request === undefined && rest.names.length === 0;
    if (!isEmpty) this.blocks.push({ ...rest, span: { start, end } });
  }

  private readSeparator(start: number, line: Line): void {
    const end = trimmedEnd(this.text, start, line.end);
    const shown = this.text.slice(start, Math.min(end, start + LONGEST_COMMENT));
    this.open.separator = { start, end };
    this.open.title = shown.replace(SEPARATOR, '').trim();
  }

  private readLine(start: number, line: Line): void {
    if (this.text.charAt(start) === '#') this.readComment(start, line);
    else if (this.open.request === undefined) {
      this.open.request = start;
      this.open.line = this.number;
    }
  }

  private readComment(start: number, line: Line): void {
    if (this.open.names.length > 1) return;
    const end = Math.min(trimmedEnd(this.text, start, line.end), start + LONGEST_COMMENT);
    const match = NAME.exec(this.text.slice(start, end));
    if (match === null) return;
    const [, name = ''] = match;
    const from = end - name.length;
    const span = name === '' ? { start, end } : { start: from, end };
    this.open.names.push({ text: name, span });
  }
}

function opened(start: number, line: number): Open {
  return { start, separator: undefined, title: '', names: [], request: undefined, line };
}
