/** Words of a shell, with what stands in quotes in them. */
import type { Span } from '../../kube/selectors';
import { MappedTextBuilder, type MappedText } from '../source/mappedText';
import { partOf, wholeOf, wordWriting } from '../source/parts';
import type { Writing } from '../source/writing';

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
  /** No variable, command or pattern in it is replaced by something else. */
  readonly isSure: boolean;
}

/** A text that is handed to a program as it is, without a shell. */
export function literalWord(text: MappedText): ShellWord {
  const span = wholeOf(text);
  return { text, span, quoted: [{ span, writing: wordWriting(text) }], isSure: true };
}

/** A part of a word's text. */
export function wordPart(word: ShellWord, start: number, end = word.text.text.length): MappedText {
  if (start === 0 && end === word.text.text.length) return word.text;
  const part = partOf(word.text, start, end, undefined);
  return { ...part, writing: writingIn(word, part.place({ start: 0, end: end - start })) };
}

/**
 * How text is written in the place of these characters of the document; undefined where some of them
 * stand in other quotes than the others, and where no offers are written.
 */
export function writingIn(
  { quoted }: Pick<ShellWord, 'quoted'>,
  { start, end }: Span,
): Writing | undefined {
  const [first, second] = quoted.filter(({ span }) => span.start <= end && start <= span.end);
  if (first === undefined) return 'shell';
  const isWithin = first.span.start <= start && end <= first.span.end;
  return second === undefined && isWithin ? first.writing : undefined;
}

/** A word that is being read. */
export class WordBuilder {
  /** What it means; for readers of quotes. */
  readonly text = new MappedTextBuilder();
  isSure = true;
  /** The first quotes that are not closed, with what opens them. */
  unclosed: Span | undefined;
  private readonly quoted: Quoted[] = [];
  private end: number;

  constructor(private readonly start: number) {
    this.end = start;
  }

  /** `text` stands there as it is. */
  run(text: string, start: number): void {
    this.text.run(text, start);
    this.end = start + text.length;
  }

  /** `text` was read from `start` to `end`. */
  piece(text: string, start: number, end: number): void {
    this.text.piece(text, start, end);
    this.end = end;
  }

  /** Something up to `end` that a shell puts another text in the place of. */
  replaced(end: number): void {
    this.isSure = false;
    this.end = end;
  }

  /** What was read last stood in quotes, of which the closing one may be missing. */
  quote(span: Span, writing: Writing | undefined, isClosed: boolean): void {
    this.quoted.push({ span, writing });
    this.end = isClosed ? span.end + 1 : span.end;
    if (!isClosed) this.unclosed ??= { start: span.start - 1, end: span.end };
  }

  build(): ShellWord {
    const { start, end, quoted, isSure } = this;
    const last = quoted.at(-1);
    const contentEnd = last !== undefined && last.span.end === end - 1 ? last.span.end : end;
    const text = this.text.build(contentEnd, undefined);
    const writing = writingIn({ quoted }, wholeOf(text));
    return { text: { ...text, writing }, span: { start, end }, quoted, isSure };
  }
}
