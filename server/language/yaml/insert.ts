/** New entries in maps that stand in a document. */
import { isMap } from 'yaml';
import type { Edit } from '../findings';
import { written } from '../source/writing';
import { putFirst } from './collections';
import type { Tree, Value } from './tree';

export interface NewLabel {
  readonly key: string;
  readonly value: string;
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
  const heads = below.map((key, depth) => `${indent(depth)}${key}:`);
  const lines = [...heads, ...pairs.map((pair) => indent(below.length) + pair)];
  const edit = putFirst(tree, map, { lines, inFlow });
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
