/** Marks of words in the order of a document. */
import type { Span } from '../../kube/selectors';
import { isSeparator, markLength } from './blocks';
import { isLineBreak, linesBetween, skipBlanks, trimmedEnd } from '../source/lines';
import type { Mark } from './model';
import { MOST_COMMENTS } from './options';

/** In order, none over another, each within one line. */
export function orderedMarks(text: string, marks: readonly Mark[]): Mark[] {
  const sorted = [...marks].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const ordered: Mark[] = [];
  let at = 0;
  for (const { span, type } of sorted) {
    if (span.start < at || span.end <= span.start) continue;
    for (const part of lineParts(text, span)) ordered.push({ span: part, type });
    at = span.end;
  }
  return ordered;
}

function* lineParts(text: string, { start, end }: Span): Generator<Span> {
  let from = start;
  for (let i = start; i < end; i++) {
    if (!isLineBreak(text.charAt(i))) continue;
    if (i > from) yield { start: from, end: i };
    from = i + 1;
  }
  if (end > from) yield { start: from, end };
}

/** Comment lines and separators; the name in `# @name x` is a variable. */
export function commentMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  for (const line of linesBetween(text, markLength(text), text.length)) {
    const start = skipBlanks(text, line.start, line.end);
    if (start >= line.end || text.charAt(start) !== '#') continue;
    const end = trimmedEnd(text, start, line.end);
    marks.push(...commentParts(text, { start, end }));
    if (marks.length >= MOST_COMMENTS) break;
  }
  return marks;
}

function commentParts(text: string, span: Span): Mark[] {
  if (isSeparator(text, span.start)) return [{ span, type: 'comment' }];
  const shown = text.slice(span.start, Math.min(span.end, span.start + 500));
  const match = /^#+[ \t]*(?=@name(?:[ \t]|$))/.exec(shown);
  if (match === null) return [{ span, type: 'comment' }];
  const keyword = span.start + match[0].length;
  const name = skipBlanks(text, keyword + '@name'.length, span.end);
  return [
    { span: { start: span.start, end: keyword }, type: 'comment' },
    { span: { start: keyword, end: keyword + '@name'.length }, type: 'keyword' },
    { span: { start: name, end: span.end }, type: 'variable' },
  ];
}
