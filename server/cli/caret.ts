/** Shows the place in a selector that is to blame: its line, and a caret below. */
import type { Span } from '../kube/selectors/types';
import { cell } from './output/text';
import { textWidth } from './output/width';

/** Characters of the line shown before the place at most; twice as many from it on. */
const REACH = 60;

/**
 * Two lines, indented by two: the line of `text` that holds the span, shortened around it, and
 * carets under its characters. Control characters appear escaped and the carets still fit.
 */
export function caretLines(text: string, span: Span): [string, string] {
  const start = clamp(span.start, text.length);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', start);
  const lineEnd = newline < 0 ? text.length : newline;
  const end = Math.min(Math.max(span.end, start), lineEnd);
  const from = start - lineStart > REACH ? start - REACH : lineStart;
  const shownEnd = lineEnd - start > REACH ? Math.max(end, start + REACH) : lineEnd;
  const to = Math.min(shownEnd, start + 2 * REACH);
  const before = (from > lineStart ? '…' : '') + cell(text.slice(from, start).replace(/\r$/, ''));
  const blamed = cell(text.slice(start, Math.min(end, to)));
  const after =
    cell(text.slice(Math.min(end, to), to).replace(/\r$/, '')) + (to < lineEnd ? '…' : '');
  const carets = '^'.repeat(Math.max(1, Math.min(textWidth(blamed), REACH * 2)));
  return [`  ${before}${blamed}${after}`, `  ${' '.repeat(textWidth(before))}${carets}`];
}

/** `line 2, column 5` of a text with several lines; `column 5` of one. */
export function placeText(text: string, span: Span): string {
  const start = clamp(span.start, text.length);
  const before = text.slice(0, start);
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1;
  if (!text.includes('\n')) return `column ${column}`;
  return `line ${before.split('\n').length}, column ${column}`;
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(offset, 0), length);
}
