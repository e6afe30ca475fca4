/** New entries in maps that stand in a document. */
import { isMap } from 'yaml';
import type { Edit } from '../findings';
import { written } from '../source/writing';
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
  const isJson = tree.text.trimStart().startsWith('{');
  const pairs = labels.map(({ key, value }) => (isJson ? jsonPair : pairText)(key, value));
  if (pairs.includes(undefined)) return undefined;
  if (map.node.flow === true) {
    const inside = below.reduceRight(
      (text, key) => `${isJson ? `"${key}"` : key}: {${text}}`,
      pairs.join(', '),
    );
    const start = map.span.start + 1;
    return [
      { span: { start, end: start }, text: map.node.items.length === 0 ? inside : `${inside}, ` },
    ];
  }
  const [first] = tree.entries(map);
  if (first === undefined) return undefined;
  const { start } = first.keySpan;
  const column = start - (tree.text.lastIndexOf('\n', start - 1) + 1);
  const keys = below.map((key, depth) => `${depth === 0 ? '' : indent(column, depth)}${key}:`);
  const rest = pairs.map((pair, i) =>
    i === 0 && below.length === 0 ? String(pair) : indent(column, below.length) + String(pair),
  );
  const text = [...keys, ...rest, ''].join('\n') + ' '.repeat(column);
  return [{ span: { start, end: start }, text }];
}

function indent(column: number, depth: number): string {
  return ' '.repeat(column + 2 * depth);
}

function pairText(key: string, value: string): string | undefined {
  const keyText = written(key, 'yaml');
  const valueText = written(value, 'yaml');
  return keyText === undefined || valueText === undefined ? undefined : `${keyText}: ${valueText}`;
}

function jsonPair(key: string, value: string): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
}
