/** Commands in the text of a shell, read with its quotes; nothing is expanded or run. */
import { MappedTextBuilder, type MappedText } from '../source/mappedText';
import type { Writing } from '../source/writing';

export interface ShellWord {
  /** Places are offsets in the shell's text. */
  readonly text: MappedText;
  /** No variable, command or pattern in it is replaced by something else. */
  readonly isSure: boolean;
}

export type ShellCommand = readonly ShellWord[];

const DEEPEST = 30;

/** All simple commands, those of substitutions among them. */
export function shellCommands(text: string): ShellCommand[] {
  return new ShellReader(text).read();
}

/** A word that is being read. */
class WordBuilder {
  private readonly builder = new MappedTextBuilder();
  private readonly writings = new Set<Writing>();
  private end = 0;
  isSure = true;

  put(text: string, start: number, end: number, writing: Writing): void {
    this.builder.piece(text, start, end);
    this.writings.add(writing);
    this.end = end;
  }

  /** A quote opens before `start`. */
  quoted(start: number, writing: Writing): void {
    this.writings.add(writing);
    this.end = start;
  }

  build(): ShellWord {
    const [only, ...others] = this.writings;
    const writing = others.length === 0 ? (only ?? 'shell') : undefined;
    return { text: this.builder.build(this.end, writing), isSure: this.isSure };
  }
}

/** A list of commands: the whole text, or one within parentheses or backticks. */
interface Frame {
  readonly closing: ')' | '`' | '';
  /** The frame around it was between double quotes. */
  readonly isInDouble: boolean;
  words: ShellWord[];
  word: WordBuilder | undefined;
  /** The next word belongs to a redirection. */
  isRedirected: boolean;
}

class ShellReader {
  private readonly commands: ShellCommand[] = [];
  private readonly frames: Frame[] = [];
  private frame: Frame = newFrame('', false);
  private isInDouble = false;
  private at = 0;
  /** Ends of here documents whose text begins with the next line. */
  private hereEnds: string[] = [];

  constructor(private readonly text: string) {}

  read(): ShellCommand[] {
    while (this.at < this.text.length && this.frames.length < DEEPEST) {
      if (this.isInDouble) this.double();
      else this.plain();
    }
    // What was left open at the end is read as far as it goes.
    while (this.frames.length > 0) this.close();
    this.endCommand();
    return this.commands;
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
    if (character === "'") this.single();
    else if (character === '"') this.openDouble();
    else if (character === '\\') this.escape();
    else if (character === '$' || character === '`') this.dollar();
    else this.letters();
  }

  private letters(): void {
    const word = /[^\s'"\\$`;&|(){}<>#]+|[#{}]/y;
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0] ?? this.text.charAt(this.at);
    if (/[*?[\]~{}]/.test(found)) this.word().isSure = false;
    this.run(found, 'shell');
  }

  /** Braces separate commands only where they stand alone. */
  private isInWord(character: string): boolean {
    if (character !== '{' && character !== '}') return false;
    const next = this.text.charAt(this.at + 1);
    return this.frame.word !== undefined || !(next === '' || /[\s;]/.test(next));
  }

  private run(text: string, writing: Writing): void {
    const word = this.word();
    for (const character of text) {
      const end = this.at + character.length;
      word.put(character, this.at, end, writing);
      this.at = end;
    }
  }

  private single(): void {
    const start = this.at + 1;
    const found = this.text.indexOf("'", start);
    const end = found < 0 ? this.text.length : found;
    this.word().quoted(start, 'shellSingle');
    this.at = start;
    this.run(this.text.slice(start, end), 'shellSingle');
    this.at = Math.min(this.text.length, end + 1);
  }

  private openDouble(): void {
    this.word().quoted(this.at + 1, 'shellDouble');
    this.isInDouble = true;
    this.at++;
  }

  private double(): void {
    const { text, at } = this;
    const character = text.charAt(at);
    if (character === '"') {
      this.isInDouble = false;
      this.at++;
    } else if (character === '\\') this.escapeInDouble();
    else if (character === '`' && this.frame.closing === '`') this.closeHere();
    else if (character === '$' || character === '`') this.dollar();
    else {
      const letters = /[^"\\$`]+/y;
      letters.lastIndex = at;
      this.run(letters.exec(text)?.[0] ?? character, 'shellDouble');
    }
  }

  private escapeInDouble(): void {
    const next = this.text.charAt(this.at + 1);
    if (next === '\n') this.at += 2;
    else if ('"\\$`'.includes(next) && next !== '') this.escaped(next, 'shellDouble');
    else this.run('\\', 'shellDouble');
  }

  private escape(): void {
    const rest = /\\\r?\n/y;
    rest.lastIndex = this.at;
    const fold = rest.exec(this.text)?.[0];
    if (fold !== undefined) this.at += fold.length;
    else this.escaped(this.text.charAt(this.at + 1), 'shell');
  }

  private escaped(character: string, writing: Writing): void {
    const end = Math.min(this.text.length, this.at + 2);
    this.word().put(character, this.at, end, writing);
    this.at = end;
  }

  private dollar(): void {
    const { text, at } = this;
    this.word().isSure = false;
    if (text.startsWith('$((', at)) this.skipTo('))', 3);
    else if (text.startsWith('$(', at)) this.open(')', 2);
    else if (text.charAt(at) === '`') this.open('`', 1);
    else if (text.startsWith('${', at)) this.skipTo('}', 2);
    else {
      const name = /\$(?:\w+|[^\s'"])?/y;
      name.lastIndex = at;
      this.at += name.exec(text)?.[0].length ?? 1;
    }
  }

  private skipTo(closing: string, length: number): void {
    const end = this.text.indexOf(closing, this.at + length);
    this.at = end < 0 ? this.text.length : end + closing.length;
  }

  private open(closing: ')' | '`', length: number): void {
    this.frames.push(this.frame);
    this.frame = newFrame(closing, this.isInDouble);
    this.isInDouble = false;
    this.at += length;
  }

  private closeHere(): void {
    this.close();
    this.at++;
  }

  private close(): void {
    this.endCommand();
    const around = this.frames.pop();
    if (around === undefined) return;
    this.isInDouble = this.frame.isInDouble;
    this.frame = around;
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
    return (this.frame.word ??= new WordBuilder());
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

function newFrame(closing: Frame['closing'], isInDouble: boolean): Frame {
  return { closing, isInDouble, words: [], word: undefined, isRedirected: false };
}
