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

/** Takes an entry away with its lines; undefined where something else stands on them. */
export function withoutEntry(text: string, { start, end }: Span): Edit | undefined {
  return withoutLines(text, start, end);
}

/** Takes an item of a list away with its dash. */
export function withoutItem(text: string, { start, end }: Span): Edit | undefined {
  const dash = dashBefore(text, start);
  return dash === undefined ? undefined : withoutLines(text, dash, end);
}

/** The dash of the item that begins there, on the same line. */
export function dashBefore(text: string, start: number): number | undefined {
  const before = /-[ \t]+$/.exec(text.slice(lineStart(text, start), start));
  return before === null ? undefined : start - before[0].length;
}

function withoutLines(text: string, start: number, end: number): Edit | undefined {
  const from = lineStart(text, start);
  const to = behindLine(text, end);
  if (text.slice(from, start).trim() !== '') return undefined;
  if (!/^\s*(?:#|$)/.test(text.slice(end, to))) return undefined;
  return { span: { start: from, end: to }, text: '' };
}
