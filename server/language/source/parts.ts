/** Parts of mapped texts, and the way back from the document. */
import type { Span } from '../../kube/selectors';
import type { MappedText } from './mappedText';
import type { Writing } from './writing';

/** The text from `start` to `end`. An empty place at its end stands behind its last character. */
export function partOf(
  mapped: MappedText,
  start: number,
  end: number,
  writing: Writing | undefined,
): MappedText {
  const place = (span: Span): Span => {
    const from = span.start + start;
    if (span.end > span.start) return mapped.place({ start: from, end: span.end + start });
    if (from < end || from === 0) return mapped.place({ start: from, end: from });
    const behind = mapped.place({ start: from - 1, end: from }).end;
    return { start: behind, end: behind };
  };
  return { text: mapped.text.slice(start, end), writing, place };
}

/** The whole of the text in the document. */
export function wholeOf(mapped: MappedText): Span {
  return mapped.place({ start: 0, end: mapped.text.length });
}

/** How a word of a selector is written within the text: in a plain scalar of YAML the rest stays plain. */
export function wordWriting({ writing }: MappedText): Writing | undefined {
  return writing === 'yaml' ? 'word' : writing;
}

/** The offset in the text that stands at this one of the document, or the next that does. */
export function textOffset(mapped: MappedText, offset: number): number {
  let low = 0;
  let high = mapped.text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (mapped.place({ start: middle, end: middle }).start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without white space at its ends, as Go's `strings.TrimSpace` takes it. */
export function trimmedPart(mapped: MappedText): MappedText {
  const { text, writing } = mapped;
  const blank = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
  let start = 0;
  let end = text.length;
  while (start < end && blank.test(text.charAt(start))) start++;
  while (end > start && blank.test(text.charAt(end - 1))) end--;
  return start === 0 && end === text.length ? mapped : partOf(mapped, start, end, writing);
}
