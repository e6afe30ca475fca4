/** New entries in maps that stand in a document. */
import { isMap } from 'yaml';
import type { Edit } from '../findings';
import { written } from '../source/writing';
import { indented, putFirst } from './collections';
import { readingOf, type Entry, type Tree, type Value } from './tree';

export interface NewLabel {
  readonly key: string;
  readonly value: string;
}

/** The same for what a key of a map holds; below a key that has nothing behind its colon too. */
export function newBelow(
  tree: Tree,
  entry: Entry,
  below: readonly string[],
  labels: readonly NewLabel[],
): Edit[] | undefined {
  const { keySpan, isDirect } = entry;
  const isNothing = readingOf(entry.node)?.as === 'null' && entry.span.start === entry.span.end;
  if (!isDirect || !isNothing || tree.isJson) return newEntry(tree, entry, below, labels);
  const { text } = tree;
  const line = /^["']?[ \t]*:[ \t]*(?:#[^\r\n]*)?(?=\r?(?:\n|$))/.exec(text.slice(keySpan.end));
  const lines = linesOf(below, labels);
  if (line === null || lines === undefined) return undefined;
  const at = keySpan.end + line[0].length;
  const put = indented(tree, ['', ...lines.map((each) => `  ${each}`)], keySpan.start);
  return [{ span: { start: at, end: at }, text: put }];
}

function linesOf(below: readonly string[], labels: readonly NewLabel[]): string[] | undefined {
  const pairs = labels.flatMap(({ key, value }) => pairText(key, value) ?? []);
  if (pairs.length < labels.length) return undefined;
  const heads = below.map((key, depth) => `${indent(depth)}${key}:`);
  return [...heads, ...pairs.map((pair) => indent(below.length) + pair)];
}

/**
 * Labels below these keys, put before what the map holds already, in its style. Undefined where the map
 * does not stand in this place itself, is empty in block style, or where a text has no form on one line.
 */
export function newEntry(
  tree: Tree,
  map: Value,
  below: readonly string[],
  labels: readonly NewLabel[],
): Edit[] | undefined {
  if (!map.isDirect || !isMap(map.node)) return undefined;
  const { isJson } = tree;
  const pairs = labels.flatMap(
    ({ key, value }) => (isJson ? jsonPair : pairText)(key, value) ?? [],
  );
  if (pairs.length < labels.length) return undefined;
  const inFlow = below.reduceRight(
    (text, key) => `${isJson ? `"${key}"` : key}: {${text}}`,
    pairs.join(', '),
  );
  const edit = putFirst(tree, map, { lines: linesOf(below, labels) ?? [], inFlow });
  return edit && [edit];
}

function indent(depth: number): string {
  return ' '.repeat(2 * depth);
}

function pairText(key: string, value: string): string | undefined {
  const keyText = written(key, 'yaml');
  const valueText = written(value, 'yaml');
  return keyText === undefined || valueText === undefined ? undefined : `${keyText}: ${valueText}`;
}

function jsonPair(key: string, value: string): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
}
