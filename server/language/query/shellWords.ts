/** Words as a POSIX shell splits one command, with `$'…'` of bash and zsh. Nothing is expanded. */
import type { Span } from '../../kube/selectors';
import { MappedTextBuilder, type MappedText } from '../source/mappedText';
import type { Writing } from '../source/writing';
import { readAnsiQuoted } from './ansiQuote';
import { isBlank, isLineBreak } from '../source/lines';
import { partOf } from '../source/parts';

/** What stands between quotes, which are not part of the span. */
export interface Quoted {
  readonly span: Span;
  /** Undefined between `$'` and `'`. */
  readonly writing: Writing | undefined;
}

export interface ShellWord {
  readonly text: MappedText;
  /** Quotes included. */
  readonly span: Span;
  readonly quoted: readonly Quoted[];
}

/**
 * `operator`: the shell would take the character for itself. `expansion`: it would put something else
 * in its place. `unclosed`: a quote that its line does not close.
 */
export type ShellProblemKind = 'operator' | 'expansion' | 'unclosed';

export interface ShellProblem {
  readonly kind: ShellProblemKind;
  readonly span: Span;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** The first of each kind. */
  readonly problems: readonly ShellProblem[];
  readonly comment: Span | undefined;
  /** Before the line break that ends it. */
  readonly end: number;
}

/**
 * Splits the command that starts at this offset; a line goes on behind a backslash at its end. A
 * character that the shell would not leave alone is taken as it is, and told.
 */
export function splitShell(text: string, start: number, limit: number): ShellCommand {
  return new Splitter(text, start, limit).split();
}

/** A part of a word's text. */
export function wordPart(word: ShellWord, start: number, end = word.text.text.length): MappedText {
  const part = partOf(word.text, start, end, undefined);
  return { ...part, writing: writingIn(word, part.place({ start: 0, end: end - start })) };
}

/**
 * How text is written in the place of these characters of the document; undefined where some of them
 * stand in other quotes than the others, and where no offers are written.
 */
export function writingIn({ quoted }: ShellWord, { start, end }: Span): Writing | undefined {
  const [first, second] = quoted.filter(({ span }) => span.start <= end && start <= span.end);
  if (first === undefined) return 'shell';
  const isWithin = first.span.start <= start && end <= first.span.end;
  return second === undefined && isWithin ? first.writing : undefined;
}

const OPERATORS = '|&;<>()';
const PLAIN_END = ' \t\r\n\'"\\$`' + OPERATORS;

class Splitter {
  private readonly words: ShellWord[] = [];
  private readonly problems: ShellProblem[] = [];
  private builder = new MappedTextBuilder();
  private quoted: Quoted[] = [];

  constructor(
    private readonly text: string,
    private at: number,
    private readonly limit: number,
  ) {}

  split(): ShellCommand {
    let comment: Span | undefined;
    for (;;) {
      this.skipBlanks();
      if (this.isEnd(this.at)) break;
      if (this.text.charAt(this.at) === '#') {
        comment = { start: this.at, end: this.lineEnd(this.at) };
        this.at = comment.end;
        break;
      }
      this.readWord();
    }
    return { words: this.words, problems: this.problems, comment, end: this.at };
  }

  private isEnd(at: number): boolean {
    return at >= this.limit || isLineBreak(this.text.charAt(at));
  }

  private lineEnd(from: number): number {
    let end = from;
    while (!this.isEnd(end)) end++;
    return end;
  }

  /** Behind the line break that a backslash here takes away; undefined where there is none. */
  private behindJoint(): number | undefined {
    const next = this.at + 1;
    if (this.text.charAt(this.at) !== '\\' || next > this.limit || !this.isEnd(next)) {
      return undefined;
    }
    const isPair = this.text.startsWith('\r\n', next);
    return Math.min(this.limit, next + (isPair ? 2 : 1));
  }

  private skipBlanks(): void {
    for (;;) {
      if (this.at < this.limit && isBlank(this.text.charAt(this.at))) {
        this.at++;
        continue;
      }
      const joined = this.at < this.limit ? this.behindJoint() : undefined;
      if (joined === undefined) return;
      this.at = joined;
    }
  }

  private readWord(): void {
    const start = this.at;
    this.builder = new MappedTextBuilder();
    this.quoted = [];
    let end = start;
    while (!this.isEnd(this.at) && !isBlank(this.text.charAt(this.at))) {
      const isJoint = this.behindJoint() !== undefined;
      this.readPiece();
      // A joint behind the last character is no part of the word.
      if (!isJoint) end = this.at;
    }
    const last = this.quoted.at(-1);
    const contentEnd = last !== undefined && last.span.end === end - 1 ? last.span.end : end;
    const { quoted } = this;
    const text = this.builder.build(contentEnd, quoted.length === 0 ? 'shell' : undefined);
    this.words.push({ text, span: { start, end }, quoted });
  }

  private readPiece(): void {
    const character = this.text.charAt(this.at);
    if (character === "'") this.readSingle();
    else if (character === '"') this.readDouble();
    else if (character === '\\') this.readEscape();
    else if (character === '$') this.readDollar();
    else if (character === '`') this.readOdd('expansion');
    else if (OPERATORS.includes(character)) this.readOdd('operator');
    else this.readPlain();
  }

  private readPlain(): void {
    const start = this.at;
    while (this.at < this.limit && !PLAIN_END.includes(this.text.charAt(this.at))) this.at++;
    this.builder.run(this.text.slice(start, this.at), start);
  }

  private readOdd(kind: ShellProblemKind): void {
    this.note(kind, { start: this.at, end: this.at + 1 });
    this.builder.run(this.text.charAt(this.at), this.at);
    this.at++;
  }

  private note(kind: ShellProblemKind, span: Span): void {
    if (!this.problems.some((problem) => problem.kind === kind)) this.problems.push({ kind, span });
  }

  private readEscape(): void {
    const joined = this.behindJoint();
    if (joined !== undefined) {
      this.at = joined;
      return;
    }
    this.builder.piece(this.text.charAt(this.at + 1), this.at, this.at + 2);
    this.at += 2;
  }

  private readSingle(): void {
    const start = this.at + 1;
    let end = start;
    while (!this.isEnd(end) && this.text.charAt(end) !== "'") end++;
    this.builder.run(this.text.slice(start, end), start);
    this.close(start, end, 'shellSingle');
  }

  /** Ends quotes at `end`, where the closing one stands or the line ends. */
  private close(start: number, end: number, writing: Writing | undefined): void {
    this.quoted.push({ span: { start, end }, writing });
    this.at = end;
    if (this.isEnd(end)) this.note('unclosed', { start: start - 1, end });
    else this.at = end + 1;
  }

  private readDouble(): void {
    const start = this.at + 1;
    this.at = start;
    while (!this.isEnd(this.at) && this.text.charAt(this.at) !== '"') this.readInDouble();
    this.close(start, this.at, 'shellDouble');
  }

  private readInDouble(): void {
    const character = this.text.charAt(this.at);
    if (character === '\\') this.readDoubleEscape();
    else if (character === '`') this.readOdd('expansion');
    else if (character === '$' && this.isExpansion()) this.readOdd('expansion');
    else {
      const start = this.at;
      do this.at++;
      while (this.at < this.limit && !'"\\`$\r\n'.includes(this.text.charAt(this.at)));
      this.builder.run(this.text.slice(start, this.at), start);
    }
  }

  /** Only `$`, a backquote, `"` and another one lose their meaning behind a backslash there. */
  private readDoubleEscape(): void {
    const next = this.text.charAt(this.at + 1);
    if (this.at + 1 < this.limit && '$`"\\'.includes(next)) {
      this.builder.piece(next, this.at, this.at + 2);
      this.at += 2;
      return;
    }
    const joined = this.behindJoint();
    if (joined === undefined) this.builder.run('\\', this.at);
    this.at = joined ?? this.at + 1;
  }

  /** Also where the line goes on right behind the dollar, so that anything may follow. */
  private isExpansion(): boolean {
    const next = this.at + 1 < this.limit ? this.text.charAt(this.at + 1) : '';
    if (next === '\\') return this.isEnd(this.at + 2);
    return /[A-Za-z0-9_{(@*#?$!-]/.test(next);
  }

  private readDollar(): void {
    if (this.text.charAt(this.at + 1) === "'" && this.at + 1 < this.limit) {
      const start = this.at + 2;
      const end = readAnsiQuoted(this.builder, this.text, start, this.limit);
      this.close(start, end, undefined);
    } else if (this.isExpansion() || this.text.startsWith('$"', this.at)) {
      // Shells do not agree on $".
      this.readOdd('expansion');
    } else {
      this.builder.run('$', this.at);
      this.at++;
    }
  }
}
