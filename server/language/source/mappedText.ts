/** Text that stands in a document in another form: quoted, escaped, folded or percent-encoded. */
import type { Span } from '../../kube/selectors';
import type { Writing } from './writing';

export interface MappedText {
  readonly text: string;
  /** The characters of the document, in UTF-16 offsets, that these of the text were read from. */
  readonly place: (span: Span) => Span;
  /** How a part of the text is replaced; undefined where none can be. */
  readonly writing: Writing | undefined;
}

/** Text that stands in the document as it is, from `offset` on. */
export function plainlyMapped(
  text: string,
  offset: number,
  writing: Writing = 'plain',
): MappedText {
  const place = ({ start, end }: Span): Span => ({ start: start + offset, end: end + offset });
  return { text, writing, place };
}

/** Text of which no part can be placed: all of it stands for each. */
export function coarselyMapped(text: string, whole: Span): MappedText {
  return { text, writing: undefined, place: () => whole };
}

/** Gathers a text and where its characters stand, in order. */
export class MappedTextBuilder {
  private readonly parts: string[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /** `text` was read from `start` to `end` of the document, as one piece. */
  piece(text: string, start: number, end: number): void {
    this.parts.push(text);
    for (let i = 0; i < text.length; i++) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  /** `text` stands there as it is. */
  run(text: string, start: number): void {
    this.parts.push(text);
    for (let i = 0; i < text.length; i++) {
      this.starts.push(start + i);
      this.ends.push(start + i + 1);
    }
  }

  /** `end` is where the document's form of the text ends. */
  build(end: number, writing: Writing | undefined): MappedText {
    const { starts, ends } = this;
    const place = (span: Span): Span => {
      const start = starts[span.start] ?? end;
      return { start, end: span.end > span.start ? (ends[span.end - 1] ?? end) : start };
    };
    return { text: this.parts.join(''), writing, place };
  }
}
