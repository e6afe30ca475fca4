/**
 * Fields of a label selector that it does not have.
 *
 * Upstream: `NewStrictDecodingError` (`apimachinery/pkg/runtime/error.go`).
 */
import { isMap, isScalar } from 'yaml';
import { nearest } from '../../common/nearest';
import type { Fix } from '../findings';
import { columnOf } from './blockLines';
import { replacement } from './labelFixes';
import type { Report } from './report';
import type { Entry, Tree, Value } from './tree';
import type { Place } from './walk';

const FIELDS: readonly string[] = ['matchLabels', 'matchExpressions'];

/** Those that are not being typed. */
export function unknownFields(tree: Tree, selector: Value): Entry[] {
  return tree
    .entries(selector, (key) => typeof key === 'string' && !FIELDS.includes(key))
    .filter(({ isHalfTyped }) => !isHalfTyped);
}

export function tellUnknown(report: Report, place: Place, unknown: readonly Entry[]): void {
  const below = belowLabels(report.tree, place.value, unknown);
  for (const entry of unknown) {
    const name = String(entry.key.value);
    const message = `strict decoding error: unknown field "${place.path}.${name}"`;
    const fixes = isScalar(entry.node) ? below : renamed(report.tree, entry, name);
    report.about(entry.keySpan, 'request', message, fixes);
  }
}

function renamed(tree: Tree, entry: Entry, name: string): Fix[] {
  return nearest(name, FIELDS, 1).flatMap((near) =>
    entry.isDirect ? replacement(tree, entry.key, `Change to ${near}`, near) : [],
  );
}

/** All of them at once, where they are all that the selector holds. */
function belowLabels(tree: Tree, { node, isDirect }: Value, unknown: readonly Entry[]): Fix[] {
  const [first] = unknown;
  const last = unknown.at(-1);
  if (!isDirect || !isMap(node) || first === undefined || last === undefined) return [];
  if (node.items.length !== unknown.length || !unknown.every((each) => isPlain(tree, each))) {
    return [];
  }
  const title = 'Put it below matchLabels';
  const put = (at: number, text: string) => ({ span: { start: at, end: at }, text });
  if (node.flow === true) {
    const name = tree.isJson ? '"matchLabels"' : 'matchLabels';
    const edits = [put(first.keySpan.start, `${name}: {`), put(last.span.end, '}')];
    return [{ title, edits, preferred: true }];
  }
  const indent = ' '.repeat(columnOf(tree.text, first.keySpan.start) + 2);
  const edits = unknown.map(({ keySpan }, i) =>
    put(keySpan.start, i === 0 ? `matchLabels:${tree.lineEnd}${indent}` : '  '),
  );
  return [{ title, edits, preferred: true }];
}

/** A value on the line of its key. */
function isPlain(tree: Tree, { node, isDirect, keySpan, span }: Entry): boolean {
  const isOneLine = !tree.text.slice(keySpan.start, span.end).includes('\n');
  return isDirect && isScalar(node) && isOneLine && span.end > keySpan.end;
}
