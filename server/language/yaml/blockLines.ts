/** Entries and items in block style, as the lines they stand on. */
import type { Span } from '../../kube/selectors';
import type { Edit } from '../findings';

/** From the line's first column. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function behindLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** What stands on the line of an offset before and behind it. */
export function lineAround(
  text: string,
  offset: number,
): { readonly before: string; readonly behind: string } {
  const start = lineStart(text, offset);
  return {
    before: text.slice(start, offset),
    behind: text.slice(offset, behindLine(text, offset)),
  };
}

/** Takes an item of a list away with its dash. */
export function withoutItem(text: string, { start, end }: Span): Edit | undefined {
  const dash = dashBefore(text, start);
  return dash === undefined ? undefined : withoutLines(text, dash, end);
}

/** What stands between a dash and its item; more was written by no person. */
const FAR = 200;

/** The dash of the item that begins there, on the same line. */
export function dashBefore(text: string, start: number): number | undefined {
  const before = /-[ \t]+$/.exec(text.slice(Math.max(0, start - FAR), start));
  return before === null ? undefined : start - before[0].length;
}

/** Takes lines away; undefined where something else than a comment stands on them too. */
export function withoutLines(text: string, start: number, end: number): Edit | undefined {
  const from = lineStart(text, start);
  const to = behindLine(text, end);
  if (text.slice(from, start).trim() !== '') return undefined;
  if (!/^\s*(?:#|$)/.test(text.slice(end, to))) return undefined;
  return { span: { start: from, end: to }, text: '' };
}
