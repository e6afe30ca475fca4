/** Other ways to write a selector that is right as it is. */
import { isMap, isSeq } from 'yaml';
import {
  labelSelectorMap,
  parseLabelSelectorObject,
  SelectorError,
  type LabelSelectorExpression,
  type LabelSelectorObject,
  type Span,
} from '../../kube/selectors';
import type { Edit, Fix } from '../findings';
import type { SelectorSite } from '../model';
import { written } from '../source/writing';
import { columnOf, dashBefore, withoutEntry, withoutItem } from './blockLines';
import { newEntry } from './insert';
import { readingOf, textOf, type Entry, type Tree, type Value } from './tree';
import type { Place } from './walk';

function action(title: string, edits: readonly (Edit | undefined)[] | undefined): Fix[] {
  const whole = edits?.flatMap((edit) => edit ?? []) ?? [];
  if (edits === undefined || whole.length < edits.length || whole.length === 0) return [];
  const inOrder = whole.sort((a, b) => a.span.start - b.span.start);
  return [{ title, edits: inOrder, preferred: false }];
}

/** What may be done with a structured selector and the part of it at an offset. */
export function objectActions(tree: Tree, place: Place, site: SelectorSite, at: number): Fix[] {
  const { value } = place;
  if (!value.isDirect || !isMap(value.node) || !tree.isCertain(value)) return [];
  return [
    ...labelToExpression(tree, value, at),
    ...expressionToLabel(tree, value, at),
    ...asText(tree, place, site),
  ];
}

function contains({ start, end }: Span, at: number): boolean {
  return start <= at && at <= end;
}

function labelToExpression(tree: Tree, selector: Value, at: number): Fix[] {
  const labels = blockField(tree, selector, 'matchLabels');
  const entries = labels === undefined ? [] : tree.entries(labels);
  const entry = entries.find((each) => contains(wholeEntry(each), at));
  const lines = entry?.isDirect === true ? linesOfLabel(entry) : undefined;
  if (labels === undefined || entry === undefined || lines === undefined) return [];
  const list = blockField(tree, selector, 'matchExpressions');
  return action('Write it as an expression', [
    ...(entries.length > 1 ? [withoutEntry(tree.text, wholeEntry(entry))] : []),
    ...(entries.length === 1 && list !== undefined
      ? [withoutEntry(tree.text, wholeEntry(labels))]
      : []),
    list === undefined
      ? (entries.length > 1 ? newList : listInstead)(tree, labels, lines)
      : newItem(tree, list, lines),
  ]);
}

function linesOfLabel(entry: Entry): string[] | undefined {
  const key = readingOf(entry.key);
  const value = textOf(entry);
  if (key?.as !== 'string' || value === undefined) return undefined;
  return expressionLines({ key: key.text, operator: 'In', values: [value] });
}

function expressionToLabel(tree: Tree, selector: Value, at: number): Fix[] {
  const list = blockField(tree, selector, 'matchExpressions');
  const items = list === undefined ? [] : tree.items(list);
  const item = items.find(({ span }) => contains(span, at));
  const pair = item?.isDirect === true ? labelOf(tree, item) : undefined;
  if (list === undefined || item === undefined || pair === undefined) return [];
  const labels = blockField(tree, selector, 'matchLabels');
  const isOnly = items.length === 1;
  const title = 'Write it under matchLabels';
  if (labels === undefined) {
    return isOnly
      ? action(title, [labelsInstead(tree, list, pair)])
      : action(title, [withoutItem(tree.text, item.span), labelsBefore(tree, list, pair)]);
  }
  if (tree.entries(labels).some(({ key }) => key.value === pair.key)) return [];
  const gone = isOnly
    ? withoutEntry(tree.text, wholeEntry(list))
    : withoutItem(tree.text, item.span);
  return action(title, [gone, ...(newEntry(tree, labels, [], [pair]) ?? [undefined])]);
}

/** The label that an expression asks for, where it asks for one value. */
function labelOf(tree: Tree, item: Value): Pair | undefined {
  const { map, error } = labelSelectorMap(objectOf(tree, item));
  const [label] = map ?? [];
  return error !== null || label === undefined ? undefined : { key: label[0], value: label[1] };
}

function wholeEntry({ keySpan, span }: Entry): Span {
  return { start: keySpan.start, end: span.end };
}

/** A field in block style that stands there itself. */
function blockField(tree: Tree, selector: Value, name: string): Entry | undefined {
  const entry = tree.field(selector, name);
  const { node } = entry ?? {};
  const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
  return isBlock && entry?.isDirect === true ? entry : undefined;
}

function objectOf(tree: Tree, item: Value): LabelSelectorObject {
  const text = (name: string): string => textOf(tree.field(item, name)) ?? '';
  const list = tree.field(item, 'values');
  const values = list === undefined ? [] : tree.items(list).map((value) => textOf(value));
  const known = values.flatMap((value) => value ?? []);
  const operator = known.length === values.length ? text('operator') : '';
  const expression = { key: text('key'), operator, values: known };
  return { matchLabels: new Map(), matchExpressions: [expression] };
}

/** Lines of an item, without indent; undefined where a text has no form on one line. */
function expressionLines({ key, operator, values }: LabelSelectorExpression): string[] | undefined {
  const keyText = written(key, 'yaml');
  const texts = (values ?? []).map((value) => written(value, 'yaml'));
  if (keyText === undefined || texts.includes(undefined)) return undefined;
  const lines = [`- key: ${keyText}`, `  operator: ${operator}`];
  return texts.length === 0 ? lines : [...lines, `  values: [${texts.join(', ')}]`];
}

function joined(lines: readonly string[], column: number): string {
  return lines.join(`\n${' '.repeat(column)}`);
}

/** Before the first item. */
function newItem(tree: Tree, list: Entry, lines: readonly string[]): Edit | undefined {
  const [first] = tree.items(list);
  const dash = first && dashBefore(tree.text, first.span.start);
  if (dash === undefined) return undefined;
  const text = joined([...lines, ''], columnOf(tree.text, dash));
  return { span: { start: dash, end: dash }, text };
}

/** A list before the map that has the labels. */
function newList(tree: Tree, { keySpan: { start } }: Entry, lines: readonly string[]): Edit {
  const all = ['matchExpressions:', ...lines.map((line) => `  ${line}`), ''];
  return { span: { start, end: start }, text: joined(all, columnOf(tree.text, start)) };
}

function listInstead(tree: Tree, labels: Entry, lines: readonly string[]): Edit {
  const span = wholeEntry(labels);
  const all = ['matchExpressions:', ...lines.map((line) => `  ${line}`)];
  return { span, text: joined(all, columnOf(tree.text, span.start)) };
}

interface Pair {
  readonly key: string;
  readonly value: string;
}

function labelLines({ key, value }: Pair): string[] | undefined {
  const [keyText, valueText] = [written(key, 'yaml'), written(value, 'yaml')];
  if (keyText === undefined || valueText === undefined) return undefined;
  return ['matchLabels:', `  ${keyText}: ${valueText}`];
}

function labelsInstead(tree: Tree, list: Entry, pair: Pair): Edit | undefined {
  const span = wholeEntry(list);
  const lines = labelLines(pair);
  return lines && { span, text: joined(lines, columnOf(tree.text, span.start)) };
}

function labelsBefore(tree: Tree, { keySpan: { start } }: Entry, pair: Pair): Edit | undefined {
  const lines = labelLines(pair);
  const text = lines && joined([...lines, ''], columnOf(tree.text, start));
  return text === undefined ? undefined : { span: { start, end: start }, text };
}

/** For a field that takes the other form; comments inside would be lost. */
function asText(tree: Tree, { anchor, value }: Place, { selects }: SelectorSite): Fix[] {
  const text = selects?.length === 1 ? written(selects[0]?.labels ?? '', 'yaml') : undefined;
  const span = { start: anchor.end, end: value.span.end };
  if (text === undefined || tree.text.slice(span.start, span.end).includes('#')) return [];
  return action('Write the selector as one text', [{ span, text: `: ${text}` }]);
}

/** What may be done with a selector that is the value of a key. */
export function textActions(
  tree: Tree,
  entry: { readonly anchor: Span; readonly span: Span },
  text: string,
): Fix[] {
  const lines = objectLines(text);
  if (lines === undefined) return [];
  const column = columnOf(tree.text, entry.anchor.start) + 2;
  const span = { start: entry.anchor.end, end: entry.span.end };
  const put = `:\n${' '.repeat(column)}${joined(lines, column)}`;
  return action('Write the selector as matchLabels and matchExpressions', [{ span, text: put }]);
}

function objectLines(text: string): string[] | undefined {
  try {
    const { matchLabels, matchExpressions } = parseLabelSelectorObject(text);
    const labels = [...matchLabels].map(([key, value]) => labelLines({ key, value })?.[1]);
    const expressions = matchExpressions.map((each) => expressionLines(each));
    if (labels.includes(undefined) || expressions.includes(undefined)) return undefined;
    const list = expressions.flatMap((lines) => (lines ?? []).map((line) => `  ${line}`));
    const all = [
      ...(labels.length === 0 ? [] : ['matchLabels:', ...labels.flatMap((line) => line ?? [])]),
      ...(list.length === 0 ? [] : ['matchExpressions:', ...list]),
    ];
    return all.length === 0 ? undefined : all;
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
