/** Maps and lists edited in their own style, so that no comment, anchor or tag is lost. */
import { isMap, isPair, isSeq } from 'yaml';
import type { Span } from '../../kube/selectors';
import type { Edit } from '../findings';
import { columnOf, dashBefore, lineAround, withoutLines } from './blockLines';
import { spanOf, type Content, type Tree, type Value } from './tree';

/** A part to be put into a collection. */
export interface NewPart {
  /** In block style, without indent. */
  readonly lines: readonly string[];
  /** Between braces or brackets. */
  readonly inFlow: string;
}

/** What takes a part away, and the comment at its end, which has to go along with it. */
export interface Removal {
  readonly edit: Edit;
  readonly comment: string;
}

/** Nothing refers to it, and nothing tells its type. */
export function isBare(node: Content | undefined): boolean {
  return node !== undefined && node.anchor === undefined && node.tag === undefined;
}

/** Whether a comment, an anchor, an alias or a tag may stand there. No label holds such characters. */
export function holdsMore(tree: Tree, { start, end }: Span): boolean {
  return /[#&*!]/.test(tree.text.slice(start, end));
}

/** From its first character to its last. */
export function partSpan(part: unknown): Span | undefined {
  if (!isPair(part)) return spanOf(part);
  const [key, value] = [spanOf(part.key), spanOf(part.value)];
  return key && { start: key.start, end: Math.max(key.end, value?.end ?? 0) };
}

/** Undefined for the only part, where something else stands on its lines, and where more would be lost. */
export function removal(tree: Tree, { node }: Value, index: number): Removal | undefined {
  if (!(isMap(node) || isSeq(node)) || node.items.length < 2) return undefined;
  const span = partSpan(node.items[index]);
  if (span === undefined) return undefined;
  if (node.flow !== true) return fromBlock(tree, node, span);
  const next = partSpan(node.items[index + 1]);
  const last = partSpan(node.items[index - 1]);
  const start = next === undefined ? (last?.end ?? span.start) : span.start;
  const gone = { start, end: next?.start ?? span.end };
  return holdsMore(tree, gone) ? undefined : { edit: { span: gone, text: '' }, comment: '' };
}

function fromBlock(tree: Tree, node: Content, span: Span): Removal | undefined {
  const start = isSeq(node) ? dashBefore(tree.text, span.start) : span.start;
  if (start === undefined || holdsMore(tree, { start, end: span.end })) return undefined;
  const edit = withoutLines(tree.text, start, span.end);
  if (edit === undefined) return undefined;
  return { edit, comment: lineAround(tree.text, span.end).behind.trim() };
}

/** Before what is there already; undefined where that is no plain beginning of a line. */
export function putFirst(tree: Tree, { node, span }: Value, part: NewPart): Edit | undefined {
  if (!(isMap(node) || isSeq(node))) return undefined;
  if (node.flow === true) {
    const at = span.start + 1;
    const text = node.items.length === 0 ? part.inFlow : `${part.inFlow}, `;
    return { span: { start: at, end: at }, text };
  }
  const at = blockStart(tree, node);
  return at === undefined ? undefined : linesBefore(tree, at, part.lines);
}

/** Where the first part begins: a key, or the dash of an item. */
function blockStart(tree: Tree, node: Content): number | undefined {
  const first = isMap(node) || isSeq(node) ? partSpan(node.items[0]) : undefined;
  if (first === undefined) return undefined;
  return isSeq(node) ? dashBefore(tree.text, first.start) : first.start;
}

function linesBefore(tree: Tree, at: number, lines: readonly string[]): Edit | undefined {
  if (!/^ *(?:- +)*$/.test(lineAround(tree.text, at).before)) return undefined;
  return { span: { start: at, end: at }, text: indented(tree, [...lines, ''], at) };
}

/** Lines that begin in the column of an offset, the first one without its indent. */
export function indented(tree: Tree, lines: readonly string[], at: number): string {
  return lines.join(tree.lineEnd + ' '.repeat(columnOf(tree.text, at)));
}

/** With a comment at the end of its first line; undefined where it has none of its own. */
export function withComment(part: NewPart, comment: string): NewPart {
  const [first = '', ...others] = part.lines;
  return comment === '' ? part : { ...part, lines: [`${first} ${comment}`, ...others] };
}
