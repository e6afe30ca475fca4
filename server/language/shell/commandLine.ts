/** One command as a POSIX shell splits it, with `$'…'` of bash and zsh. Nothing is expanded. */
import type { Span } from '../../kube/selectors';
import { isBlank } from '../source/lines';
import { readAnsi, readDoubleEscape, readEscape, readInDouble, readSingle } from './quotes';
import { behindJoint, isAnsiQuote, isEnd, isExpansion, type ShellText } from './shellText';
import { WordBuilder, type ShellWord } from './words';

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
  return new Splitter({ text, limit, isOneLine: true }, start).split();
}

const OPERATORS = '|&;<>()';
const PLAIN_END = ' \t\r\n\'"\\$`' + OPERATORS;

class Splitter {
  private readonly words: ShellWord[] = [];
  private readonly problems: ShellProblem[] = [];
  private readonly text: string;

  constructor(
    private readonly shell: ShellText,
    private at: number,
  ) {
    this.text = shell.text;
  }

  split(): ShellCommand {
    let comment: Span | undefined;
    for (;;) {
      this.skipBlanks();
      if (isEnd(this.shell, this.at)) break;
      if (this.text.charAt(this.at) === '#') {
        comment = { start: this.at, end: this.lineEnd(this.at) };
        this.at = comment.end;
        break;
      }
      this.readWord();
    }
    return { words: this.words, problems: this.problems, comment, end: this.at };
  }

  private lineEnd(from: number): number {
    let end = from;
    while (!isEnd(this.shell, end)) end++;
    return end;
  }

  private skipBlanks(): void {
    for (;;) {
      if (this.at < this.shell.limit && isBlank(this.text.charAt(this.at))) {
        this.at++;
        continue;
      }
      const joined = behindJoint(this.shell, this.at);
      if (joined === undefined) return;
      this.at = joined;
    }
  }

  private readWord(): void {
    const word = new WordBuilder(this.at);
    while (!isEnd(this.shell, this.at) && !isBlank(this.text.charAt(this.at))) {
      this.readPiece(word);
    }
    if (word.unclosed !== undefined) this.note('unclosed', word.unclosed);
    this.words.push(word.build());
  }

  private readPiece(word: WordBuilder): void {
    const character = this.text.charAt(this.at);
    if (character === "'") this.at = readSingle(word, this.shell, this.at);
    else if (character === '"') this.readDouble(word);
    else if (character === '\\') this.at = readEscape(word, this.shell, this.at);
    else if (character === '$') this.readDollar(word);
    else if (character === '`') this.readOdd(word, 'expansion');
    else if (OPERATORS.includes(character)) this.readOdd(word, 'operator');
    else this.readPlain(word);
  }

  private readPlain(word: WordBuilder): void {
    const start = this.at;
    while (this.at < this.shell.limit && !PLAIN_END.includes(this.text.charAt(this.at))) this.at++;
    word.run(this.text.slice(start, this.at), start);
  }

  private readOdd(word: WordBuilder, kind: ShellProblemKind): void {
    this.note(kind, { start: this.at, end: this.at + 1 });
    word.run(this.text.charAt(this.at), this.at);
    word.isSure = false;
    this.at++;
  }

  private note(kind: ShellProblemKind, span: Span): void {
    if (!this.problems.some((problem) => problem.kind === kind)) this.problems.push({ kind, span });
  }

  private readDouble(word: WordBuilder): void {
    const { shell, text } = this;
    const start = this.at + 1;
    this.at = start;
    while (!isEnd(shell, this.at) && text.charAt(this.at) !== '"') this.readQuoted(word);
    const isClosed = !isEnd(shell, this.at);
    word.quote({ start, end: this.at }, 'shellDouble', isClosed);
    if (isClosed) this.at++;
  }

  private readQuoted(word: WordBuilder): void {
    const character = this.text.charAt(this.at);
    if (character === '\\') this.at = readDoubleEscape(word, this.shell, this.at);
    else if (character === '`') this.readOdd(word, 'expansion');
    else if (character === '$' && isExpansion(this.shell, this.at)) this.readOdd(word, 'expansion');
    else this.at = readInDouble(word, this.shell, this.at);
  }

  private readDollar(word: WordBuilder): void {
    const { shell, at } = this;
    if (isAnsiQuote(shell, at)) this.at = readAnsi(word, shell, at);
    // Shells do not agree on $".
    else if (isExpansion(shell, at) || this.text.startsWith('$"', at)) {
      this.readOdd(word, 'expansion');
    } else {
      word.run('$', at);
      this.at++;
    }
  }
}
