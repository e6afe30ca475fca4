/**
 * A document with a mark put where the cursor is. Parsed with it, whatever is half typed has a scalar
 * in it that can be found, on an empty line and behind a colon too.
 */
import type { Span } from '../../kube/selectors';
import type { MappedText } from '../source/mappedText';

/** Of the private use area, so that no one writes it, and that YAML takes for a letter. */
export const MARK = '\ue000';

export function marked(text: string, at: number): string {
  return text.slice(0, at) + MARK + text.slice(at);
}

/** A span of the marked text as one of the text. */
function unmarked({ start, end }: Span, at: number): Span {
  return { start: start > at ? start - 1 : start, end: end > at ? end - 1 : end };
}

export interface MarkedText {
  /** Without the mark. */
  readonly text: string;
  /** Where it was. */
  readonly cursor: number;
  /** A part of the text in the document without the mark. */
  place(span: Span): Span;
}

/** Undefined where the mark is not in it. */
export function withoutMark(mapped: MappedText, at: number): MarkedText | undefined {
  const cursor = mapped.text.indexOf(MARK);
  if (cursor < 0) return undefined;
  const text = mapped.text.slice(0, cursor) + mapped.text.slice(cursor + 1);
  const place = ({ start, end }: Span): Span => {
    // The mark stands for an empty part at its place.
    if (start === end && start === cursor) return { start: at, end: at };
    const from = start < cursor ? start : start + 1;
    const to = end <= cursor ? end : end + 1;
    return unmarked(mapped.place({ start: from, end: Math.max(from, to) }), at);
  };
  return { text, cursor, place };
}
