/** Other ways to write a selector that stands in YAML as one text. */
import { parseLabelSelectorObject, SelectorError, type Span } from '../../kube/selectors';
import type { Edit, Fix } from '../findings';
import { objectLines } from '../selectors/objectLines';
import { textActions, type SelectorText } from '../selectors/textActions';
import { placedEdits, withEdits } from '../source/edits';
import type { MappedText } from '../source/mappedText';
import { textOffset, wholeOf } from '../source/parts';
import { indented } from './collections';
import type { FoundText } from './textWalk';
import type { Tree } from './tree';

export function scalarActions(tree: Tree, selector: SelectorText, at: number): Fix[] {
  return textActions(selector, tree.text, at);
}

interface CommandText extends SelectorText {
  readonly shell: MappedText;
  readonly isInFlow: boolean;
}

/** Of a selector among the words of a shell's command; `text` has its places in the shell's text. */
export function commandActions(
  tree: Tree,
  { shell, text, kind, isInFlow }: CommandText,
  at: number,
): Fix[] {
  return textActions({ kind, text }, shell.text, textOffset(shell, at)).flatMap((fix) => {
    const edits = shellEdits(tree, shell, fix.edits, isInFlow);
    return edits === undefined ? [] : [{ ...fix, edits }];
  });
}

/** Edits of a shell's text as those of the document; undefined where they cannot be written there. */
export function shellEdits(
  tree: Tree,
  shell: MappedText,
  edits: readonly Edit[],
  isInFlow: boolean,
): Edit[] | undefined {
  return plainEdits(tree, shell, edits, isInFlow) ?? placedEdits(shell, edits);
}

/** Of a plain scalar that stays one with these edits; undefined for any other. */
function plainEdits(
  tree: Tree,
  shell: MappedText,
  edits: readonly Edit[],
  isInFlow: boolean,
): Edit[] | undefined {
  const { start, end } = wholeOf(shell);
  if (shell.writing !== 'yaml' || tree.text.slice(start, end) !== shell.text) return undefined;
  const after = withEdits(shell.text, edits);
  const isPlain = /^[A-Za-z]/.test(after) && !/: | #|:$|[\t\r\n]/.test(after);
  if (!isPlain || (isInFlow && /[[\]{},]/.test(after))) return undefined;
  return edits.map(({ span, text }) => ({ span: shell.place(span), text }));
}

/** Only where nobody knows that the field takes nothing but a text. */
export function objectInstead(tree: Tree, found: FoundText): Fix[] {
  const lines = linesFor(found.mapped.text) ?? [];
  const { start, end } = found.anchor;
  const below = lines.map((line) => `  ${line}`);
  const edit = instead(tree, found, [`${tree.text.slice(start, end)}:`, ...below]);
  if (lines.length === 0 || edit === undefined) return [];
  return [
    { title: 'Write it as matchLabels and matchExpressions', edits: [edit], preferred: false },
  ];
}

/** These lines in the place of an entry; undefined where something else belongs to it. */
export function instead(
  tree: Tree,
  { mapped, anchor }: Pick<FoundText, 'mapped' | 'anchor'>,
  lines: readonly string[],
): Edit | undefined {
  const { start, end } = valueSpan(mapped);
  const between = tree.text.slice(anchor.end, start);
  // Neither a comment nor braces.
  if (!/^ *:\s+$/.test(between) || !isAlone(tree, anchor.start, end)) return undefined;
  const span = { start: anchor.start, end };
  return { span, text: indented(tree, lines, anchor.start) };
}

/** With its quotes. */
function valueSpan(mapped: MappedText): Span {
  const { start, end } = wholeOf(mapped);
  const isQuoted = mapped.writing === 'yamlSingle' || mapped.writing === 'yamlDouble';
  return isQuoted ? { start: start - 1, end: end + 1 } : { start, end };
}

/** The entry has its lines for itself, but for a comment behind it. */
function isAlone(tree: Tree, start: number, end: number): boolean {
  const { text } = tree;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const behind = /^[^\n]*/.exec(text.slice(end, end + 1000))?.[0] ?? '';
  return /^ *(?:- +)*$/.test(before) && /^[ \t\r]*(?:#|$)/.test(behind);
}

function linesFor(text: string): string[] | undefined {
  try {
    return objectLines(parseLabelSelectorObject(text));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
