/** Commands in the text of a shell, read with its quotes; nothing is expanded or run. */
import { readAnsi, readDoubleEscape, readEscape, readInDouble, readSingle } from './quotes';
import { behindJoint, isAnsiQuote, isExpansion, type ShellText } from './shellText';
import { WordBuilder, type ShellWord } from './words';

/** Places are offsets in the shell's text. */
type Words = readonly ShellWord[];

const DEEPEST = 30;

export interface Script {
  /** All simple commands, those of substitutions among them. */
  readonly commands: readonly Words[];
  /** False for one that is nested so deep that it was not read to its end. */
  readonly isWhole: boolean;
}

export function readScript(text: string): Script {
  return new ShellReader(text).read();
}

/** A list of commands: the whole text, or one within parentheses or backticks. */
interface Frame {
  readonly closing: ')' | '`' | '';
  /** Behind the double quote that is open in it. */
  doubleStart: number | undefined;
  words: ShellWord[];
  word: WordBuilder | undefined;
  /** The next word belongs to a redirection. */
  isRedirected: boolean;
}

class ShellReader {
  private readonly commands: Words[] = [];
  private readonly frames: Frame[] = [];
  private readonly shell: ShellText;
  private frame: Frame = newFrame('');
  private at = 0;
  /** Ends of here documents whose text begins with the next line. */
  private hereEnds: string[] = [];

  constructor(private readonly text: string) {
    this.shell = { text, limit: text.length, isOneLine: false };
  }

  read(): Script {
    while (this.at < this.text.length && this.frames.length < DEEPEST) {
      if (this.frame.doubleStart !== undefined) this.double();
      else this.plain();
    }
    const isWhole = this.at >= this.text.length;
    // What was left open at the end is read as far as it goes.
    while (this.frames.length > 0) this.close();
    this.endDouble(false);
    this.endCommand();
    return { commands: this.commands, isWhole };
  }

  private plain(): void {
    const character = this.text.charAt(this.at);
    if (!this.endsWord(character)) this.inWord(character);
  }

  /** What ends a word, or stands between words. */
  private endsWord(character: string): boolean {
    if (' \t\r'.includes(character)) this.end(1);
    else if (character === '\n') this.newLine();
    else if (character === this.frame.closing) this.closeHere();
    else if (';&|(){}'.includes(character) && !this.isInWord(character)) this.separate();
    else if (character === '#' && this.frame.word === undefined) this.comment();
    else if (character === '<' || character === '>') this.redirect(character);
    else return false;
    return true;
  }

  private inWord(character: string): void {
    if (character === "'") this.take(readSingle);
    else if (character === '"') this.openDouble();
    else if (character === '\\') this.escape();
    else if (isAnsiQuote(this.shell, this.at)) this.take(readAnsi);
    else if (character === '$' || character === '`') this.dollar();
    else this.letters();
  }

  private letters(): void {
    const word = /[^\s'"\\$`;&|(){}<>#]+|[#{}]/y;
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0] ?? this.text.charAt(this.at);
    if (/[*?[\]~{}]/.test(found)) this.word().isSure = false;
    this.word().run(found, this.at);
    this.at += found.length;
  }

  /** Braces separate commands only where they stand alone. */
  private isInWord(character: string): boolean {
    if (character !== '{' && character !== '}') return false;
    const next = this.text.charAt(this.at + 1);
    return this.frame.word !== undefined || !(next === '' || /[\s;]/.test(next));
  }

  private take(read: typeof readSingle): void {
    this.at = read(this.word(), this.shell, this.at);
  }

  private openDouble(): void {
    this.word();
    this.at++;
    this.frame.doubleStart = this.at;
  }

  private double(): void {
    const character = this.text.charAt(this.at);
    if (character === '"') {
      this.endDouble(true);
      this.at++;
    } else if (character === '\\') this.take(readDoubleEscape);
    else if (character === '`' && this.frame.closing === '`') this.closeHere();
    else if (character === '$' || character === '`') this.dollar();
    else this.take(readInDouble);
  }

  private endDouble(isClosed: boolean): void {
    const { frame, at } = this;
    if (frame.doubleStart === undefined) return;
    this.word().quote({ start: frame.doubleStart, end: at }, 'shellDouble', isClosed);
    frame.doubleStart = undefined;
  }

  /** What a backslash and the end of a line take away begins no word. */
  private escape(): void {
    const joined = behindJoint(this.shell, this.at);
    if (joined !== undefined) this.at = joined;
    else this.take(readEscape);
  }

  private dollar(): void {
    const { text, at, shell } = this;
    const isReplaced = isExpansion(shell, at) || text.charAt(at) === '`';
    const isOdd = text.startsWith('$"', at) && this.frame.doubleStart === undefined;
    if (!isReplaced && !isOdd) {
      this.word().run('$', at);
      this.at++;
      return;
    }
    const word = this.word();
    if (text.startsWith('$((', at)) this.skipTo('))', 3);
    else if (text.startsWith('$(', at)) this.open(')', 2);
    else if (text.charAt(at) === '`') this.open('`', 1);
    else if (text.startsWith('${', at)) this.skipTo('}', 2);
    else this.skipName();
    word.replaced(this.at);
  }

  private skipName(): void {
    const name = /\$(?:\w+|[^\s'"\\])?/y;
    name.lastIndex = this.at;
    this.at += name.exec(this.text)?.[0].length ?? 1;
  }

  private skipTo(closing: string, length: number): void {
    const end = this.text.indexOf(closing, this.at + length);
    this.at = end < 0 ? this.text.length : end + closing.length;
  }

  private open(closing: ')' | '`', length: number): void {
    this.frames.push(this.frame);
    this.frame = newFrame(closing);
    this.at += length;
  }

  private closeHere(): void {
    this.close();
    this.at++;
    this.frame.word?.replaced(this.at);
  }

  private close(): void {
    this.endDouble(false);
    this.endCommand();
    const around = this.frames.pop();
    if (around !== undefined) this.frame = around;
  }

  private redirect(character: string): void {
    const here = /<<-?\s*(?:'([^'\n]*)'|"([^"\n]*)"|([\w.-]+))/y;
    here.lastIndex = this.at;
    const match = this.text.startsWith('<<<', this.at) ? null : here.exec(this.text);
    // A number before it names a file descriptor; it is no word of the command.
    this.end(0);
    if (match !== null && character === '<') {
      this.hereEnds.push(match[1] ?? match[2] ?? match[3] ?? '');
      this.at += match[0].length;
      return;
    }
    const signs = /[<>&]+/y;
    signs.lastIndex = this.at;
    this.at += signs.exec(this.text)?.[0].length ?? 1;
    this.frame.isRedirected = true;
  }

  private newLine(): void {
    this.endCommand();
    this.at++;
    for (const end of this.hereEnds) this.skipHere(end);
    this.hereEnds = [];
  }

  private skipHere(end: string): void {
    while (this.at < this.text.length) {
      const found = this.text.indexOf('\n', this.at);
      const lineEnd = found < 0 ? this.text.length : found;
      const line = this.text.slice(this.at, lineEnd);
      this.at = Math.min(this.text.length, lineEnd + 1);
      if (line.trim() === end) return;
    }
  }

  private comment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private separate(): void {
    this.endCommand();
    this.at++;
  }

  private word(): WordBuilder {
    return (this.frame.word ??= new WordBuilder(this.at));
  }

  private end(length: number): void {
    const { frame } = this;
    this.at += length;
    if (frame.word === undefined) return;
    if (!frame.isRedirected) frame.words.push(frame.word.build());
    frame.word = undefined;
    frame.isRedirected = false;
  }

  private endCommand(): void {
    this.end(0);
    const { frame } = this;
    frame.isRedirected = false;
    if (frame.words.length > 0) this.commands.push(frame.words);
    frame.words = [];
  }
}

function newFrame(closing: Frame['closing']): Frame {
  return { closing, doubleStart: undefined, words: [], word: undefined, isRedirected: false };
}
