/** Percent-encoding as Go's `net/url` reads it. */
import { goQuote } from '../../common/goText';
import type { Span } from '../../kube/selectors';
import { MappedTextBuilder, type MappedText } from '../source/mappedText';
import { putBytes, type WrittenByte } from '../source/byteRuns';

export type PercentDecoded =
  | { readonly text: MappedText }
  /** Upstream's text, and the characters of the source to blame. */
  | { readonly problem: string; readonly span: Span };

/**
 * Decodes a part of a text; `plus` is what a plus sign stands for: a blank in a query, itself in a
 * path. Upstream: `url.QueryUnescape`, `url.PathUnescape`.
 */
export function percentDecoded(source: MappedText, part: Span, plus: ' ' | '+'): PercentDecoded {
  const raw = source.text.slice(part.start, part.end);
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(raw);
  if (bad !== null) {
    const escape = raw.slice(bad.index, bad.index + 3);
    const start = part.start + bad.index;
    const problem = `invalid URL escape ${goQuote(escape)}`;
    return { problem, span: { start, end: start + escape.length } };
  }
  const builder = new MappedTextBuilder();
  for (let at = part.start; at < part.end;) at = putNext(builder, source.text, at, part.end, plus);
  const { text, place } = builder.build(part.end, 'percent');
  const writing = source.writing === undefined ? undefined : 'percent';
  return { text: { text, writing, place: placedIn(source, part, place) } };
}

/** A place at the end of the part stands behind its last character. */
function placedIn(
  source: MappedText,
  part: Span,
  place: (span: Span) => Span,
): (span: Span) => Span {
  return (span) => {
    const inner = place(span);
    if (inner.end > inner.start || inner.start < part.end || inner.start === 0) {
      return source.place(inner);
    }
    const behind = source.place({ start: inner.start - 1, end: inner.start }).end;
    return { start: behind, end: behind };
  };
}

/** Puts a plus sign, a run of escapes or one of other characters; returns where it ends. */
function putNext(
  builder: MappedTextBuilder,
  raw: string,
  at: number,
  limit: number,
  plus: string,
): number {
  const character = raw.charAt(at);
  if (character === '+') {
    builder.piece(plus, at, at + 1);
    return at + 1;
  }
  let end = at;
  if (character === '%') {
    const bytes: WrittenByte[] = [];
    for (; end < limit && raw.charAt(end) === '%'; end += 3) {
      bytes.push({ byte: parseInt(raw.slice(end + 1, end + 3), 16), start: end, end: end + 3 });
    }
    putBytes(builder, bytes);
    return end;
  }
  while (end < limit && raw.charAt(end) !== '%' && raw.charAt(end) !== '+') end++;
  builder.run(raw.slice(at, end), at);
  return end;
}
