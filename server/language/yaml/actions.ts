/** Other ways to write a part of a structured selector that is right as it is. */
import { isMap, isSeq } from 'yaml';
import { labelKeyErrors, labelValueErrors, type Span } from '../../kube/selectors';
import type { Edit, Fix } from '../findings';
import { columnOf, dashBefore } from './blockLines';
import {
  holdsMore,
  indented,
  isBare,
  partSpan,
  putFirst,
  removal,
  withComment,
  type NewPart,
  type Removal,
} from './collections';
import { replacement } from './labelFixes';
import { readingOf, textOf, type Entry, type Tree, type Value } from './tree';

/** Undefined among the edits stands for one that cannot be made. */
function action(title: string, edits: readonly (Edit | undefined)[]): Fix[] {
  const whole = edits.flatMap((edit) => edit ?? []);
  if (whole.length < edits.length || whole.length === 0) return [];
  const inOrder = whole.sort((a, b) => a.span.start - b.span.start);
  return [{ title, edits: inOrder, preferred: false }];
}

/** What may be done with the part of a structured selector that stands at an offset. */
export function objectActions(tree: Tree, selector: Value, at: number): Fix[] {
  if (!selector.isDirect || !isMap(selector.node) || !tree.isCertain(selector)) return [];
  const parts = new SelectorParts(tree, selector);
  const { labels, list } = parts;
  if ([labels, list].some((field) => field !== undefined && !isOwn(field))) return [];
  return [
    ...(labels === undefined ? [] : labelToExpression(parts, labels, at)),
    ...(list === undefined ? [] : expressionToLabel(parts, list, at)),
  ];
}

/** A label and its value as they are written, which is the same in every place. */
interface Pair {
  readonly key: string;
  readonly value: string;
}

class SelectorParts {
  readonly labels: Entry | undefined;
  readonly list: Entry | undefined;

  constructor(
    readonly tree: Tree,
    readonly selector: Value,
  ) {
    this.labels = tree.field(selector, 'matchLabels');
    this.list = tree.field(selector, 'matchExpressions');
  }

  /** The place of a field among those that stand in the selector itself. */
  private indexOf({ keySpan }: Entry): number | undefined {
    const { node } = this.selector;
    if (!isMap(node)) return undefined;
    const index = node.items.findIndex((pair) => partSpan(pair)?.start === keySpan.start);
    return index < 0 ? undefined : index;
  }

  /** Takes a field away as a whole. */
  without(field: Entry): Removal | undefined {
    const index = this.indexOf(field);
    return index === undefined ? undefined : removal(this.tree, this.selector, index);
  }

  expression({ key, value }: Pair): NewPart {
    const name = (text: string): string => this.word(text);
    return {
      lines: [`- key: ${key}`, '  operator: In', `  values: [${value}]`],
      inFlow: `{${name('key')}: ${key}, ${name('operator')}: ${name('In')}, ${name('values')}: [${value}]}`,
    };
  }

  /** A part below a key of its own; a list between brackets. */
  below(key: string, part: NewPart, [open, close]: readonly [string, string]): NewPart {
    return {
      lines: [`${key}:`, ...part.lines.map((line) => `  ${line}`)],
      inFlow: `${this.word(key)}: ${open}${part.inFlow}${close}`,
    };
  }

  rename(field: Entry, name: string): Edit | undefined {
    const [fix] = replacement(this.tree, field.key, '', name);
    return fix?.edits[0];
  }

  private word(text: string): string {
    return this.tree.isJson ? JSON.stringify(text) : text;
  }
}

function contains({ start, end }: Span, at: number): boolean {
  return start <= at && at <= end;
}

function pairPart({ key, value }: Pair): NewPart {
  const text = `${key}: ${value}`;
  return { lines: [text], inFlow: text };
}

/** It stands in this place itself, and nothing refers to it. */
function isOwn(field: Entry | undefined): field is Entry {
  return field?.isDirect === true && isBare(field.node) && isBare(field.key);
}

function labelToExpression(parts: SelectorParts, labels: Entry, at: number): Fix[] {
  const { tree, list } = parts;
  if (!isMap(labels.node)) return [];
  const index = labels.node.items.findIndex((pair) => contains(partSpan(pair) ?? labels.span, at));
  const pair = labelAt(tree, labels, index);
  if (pair === undefined) return [];
  return moved(parts, {
    title: 'Write it as an expression',
    from: labels,
    to: list,
    index,
    part: parts.expression(pair),
    below: (part) => parts.below('matchExpressions', part, ['[', ']']),
    turned: () => labelsToList(parts, labels, pair),
  });
}

/** A part that goes from one field of the selector to the other. */
interface Move {
  readonly title: string;
  readonly from: Entry;
  readonly to: Entry | undefined;
  readonly index: number;
  readonly part: NewPart;
  /** The part with the key of the field, which is not there yet. */
  readonly below: (part: NewPart) => NewPart;
  /** The field made the other one, where it holds nothing else and there is no other one. */
  readonly turned: () => readonly (Edit | undefined)[];
}

function moved(parts: SelectorParts, move: Move): Fix[] {
  const { tree, selector } = parts;
  const { title, from, to, index, part, below, turned } = move;
  const isOnly = (isMap(from.node) || isSeq(from.node)) && from.node.items.length === 1;
  if (isOnly && to === undefined) return action(title, turned());
  const gone = isOnly ? parts.without(from) : removal(tree, from, index);
  if (gone === undefined || (gone.comment !== '' && flowOf(to ?? selector))) return [];
  const put = withComment(part, gone.comment);
  const added = to === undefined ? putFirst(tree, selector, below(put)) : putFirst(tree, to, put);
  return action(title, [gone.edit, added]);
}

function flowOf({ node }: Value): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

/** Undefined where it is no label that is valid, stands there itself and stands there once. */
function labelAt(tree: Tree, labels: Entry, index: number): Pair | undefined {
  const entries = tree.entries(labels);
  const start = isMap(labels.node) ? partSpan(labels.node.items[index])?.start : undefined;
  const entry = entries.find(({ keySpan, isDirect }) => isDirect && keySpan.start === start);
  const read = entry && readingOf(entry.key);
  if (!isOwn(entry) || read?.as !== 'string') return undefined;
  const others = entries.filter(({ key }) => key.value === entry.key.value);
  const [key, value] = [asWritten(tree, entry.keySpan), writtenValue(tree, entry)];
  const isValid = labelKeyErrors(read.text).length === 0;
  if (others.length > 1 || !isValid || key === undefined || value === undefined) return undefined;
  return { key, value };
}

/** A label's value that is valid, with its quotes. */
function writtenValue(tree: Tree, value: Value): string | undefined {
  const text = textOf(value);
  if (text === undefined || labelValueErrors(text).length > 0) return undefined;
  return isBare(value.node) && value.isDirect ? asWritten(tree, value.span) : undefined;
}

/** Undefined for what stands on several lines, and for nothing. */
function asWritten(tree: Tree, { start, end }: Span): string | undefined {
  const text = tree.text.slice(start, end);
  return text === '' || /[\r\n#]/.test(text) ? undefined : text;
}

/** The only label, turned where it stands. */
function labelsToList(parts: SelectorParts, labels: Entry, pair: Pair): (Edit | undefined)[] {
  const { tree } = parts;
  const { lines, inFlow } = parts.expression(pair);
  const { span } = labels;
  if (holdsMore(tree, span)) return [];
  const text = flowOf(labels) ? `[${inFlow}]` : indented(tree, lines, span.start);
  return [parts.rename(labels, 'matchExpressions'), { span, text }];
}

function expressionToLabel(parts: SelectorParts, list: Entry, at: number): Fix[] {
  const { tree, labels } = parts;
  const items = tree.items(list);
  const index = items.findIndex(({ span }) => contains(span, at));
  const item = items[index];
  const found = item && expressionLabel(tree, item);
  if (item === undefined || found === undefined) return [];
  const { pair, key } = found;
  const known = labels === undefined ? [] : tree.entries(labels);
  if (known.some((each) => each.key.value === key)) return [];
  return moved(parts, {
    title: 'Write it under matchLabels',
    from: list,
    to: labels,
    index,
    part: pairPart(pair),
    below: (part) => parts.below('matchLabels', part, ['{', '}']),
    turned: () => listToLabels(parts, list, item, pair),
  });
}

/** The label that an expression asks for, where it asks for one value. */
function expressionLabel(
  tree: Tree,
  item: Value,
): { readonly pair: Pair; readonly key: string } | undefined {
  if (!item.isDirect || !isBare(item.node) || holdsMore(tree, item.span)) return undefined;
  const list = tree.field(item, 'values');
  const [value, ...others] = list === undefined ? [] : tree.items(list);
  const isIn = textOf(tree.field(item, 'operator')) === 'In';
  const key = labelKey(tree, tree.field(item, 'key'));
  if (!isIn || key === undefined || value === undefined || others.length > 0) return undefined;
  const written = writtenValue(tree, value);
  return written === undefined
    ? undefined
    : { pair: { key: key.written, value: written }, key: key.text };
}

/** A valid key of a label that is written as a value. */
function labelKey(tree: Tree, field: Entry | undefined) {
  const text = textOf(field);
  const written = field && asWritten(tree, field.span);
  const isValid = text !== undefined && labelKeyErrors(text).length === 0;
  return isValid && written !== undefined ? { text, written } : undefined;
}

/** The only expression, turned where it stands. */
function listToLabels(
  parts: SelectorParts,
  list: Entry,
  item: Value,
  pair: Pair,
): (Edit | undefined)[] {
  const { tree } = parts;
  const { inFlow } = pairPart(pair);
  const name = parts.rename(list, 'matchLabels');
  if (flowOf(list)) {
    if (holdsMore(tree, list.span)) return [];
    return [name, { span: list.span, text: `{${inFlow}}` }];
  }
  const dash = dashBefore(tree.text, item.span.start);
  if (dash === undefined) return [];
  // An item may begin below the first letter of its list's key, a label may not.
  const missing = columnOf(tree.text, list.keySpan.start) + 2 - columnOf(tree.text, dash);
  const pad = ' '.repeat(Math.max(0, missing));
  return [name, { span: { start: dash, end: item.span.end }, text: pad + inFlow }];
}
