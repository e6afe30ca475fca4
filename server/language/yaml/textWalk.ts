/** Selectors that stand anywhere in YAML as text, of whatever it is. */
import { isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import type { Span } from '../../kube/selectors';
import type { EmptyMeaning, SelectedFrom } from '../model';
import type { MappedText } from '../source/mappedText';
import { readScript } from '../shell/script';
import { literalWord, type ShellWord } from '../shell/words';
import { commandSelectors, type CommandSelector } from '../kubectl/commandSelectors';
import { cutShort, type CutShort } from '../kubectl/cutShort';
import { groupOf } from './kinds';
import { SCRIPT_TOO_DEEP, SCRIPT_TOO_LONG } from './limits';
import { fromBeside } from './selectorSite';
import { isSubstituted } from './templates';
import { readingOf, spanOf, type Tree } from './tree';

export interface FoundText {
  readonly kind: 'label' | 'field';
  readonly mapped: MappedText;
  readonly anchor: Span;
  readonly from: SelectedFrom;
  readonly empty: EmptyMeaning;
  readonly mayBeProse: boolean;
  /** Of a selector in a command: the shell's text, and the selector in places of that. */
  readonly command?: { readonly shell: MappedText; readonly text: MappedText };
  /** The shell takes it apart, so that this is not what is meant. */
  readonly cut?: CutShort;
  /** Braces or brackets stand around it. */
  readonly isInFlow: boolean;
}

const SELECTOR_KEY = /^(?:extra[-_]?)?(label|field)[-_]?selectors?$/i;
const SHELL_KEY =
  /^(?:run|scripts?|commands?|cmds?|args|before_script|after_script|shell|inline|exec|entrypoint|bash|sh|source|content)$/;
/** Below these stand names and descriptions of fields, and examples. */
const ABOUT_FIELDS =
  /^(?:properties|patternProperties|definitions|components|schemas?|openAPIV3Schema|description)$/;
/** A selector with its key, but for one that is an object. */
const WORTH_IT =
  /(?:label|field)[-_]?selectors?["']?[ \t]*:(?:[ \t]*[^ \t\r\n{#]|[ \t]*(?:#.*)?\r?\n[ \t\r\n]*(?![\w"'-]+:)[^ \t\r\n#])|kubectl|\boc\b/i;

/** False where nothing would be found. */
export function mayHoldTexts(text: string): boolean {
  return WORTH_IT.test(text);
}

/** Told of what was not looked at, or not all of it. */
export type Unseen = (span: Span, message: string) => void;

interface Visitors {
  readonly visit: (found: Omit<FoundText, 'isInFlow'>) => void;
  readonly unseen: Unseen;
}

export function findTexts(
  tree: Tree,
  visit: (found: FoundText) => void,
  unseen: Unseen = () => undefined,
): void {
  const ahead: { readonly node: unknown; readonly isInFlow: boolean }[] = [
    { node: tree.root().node, isInFlow: false },
  ];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { node } = next;
    if (!isMap(node) && !isSeq(node)) continue;
    const isInFlow = next.isInFlow || node.flow === true;
    const visitors = (value: unknown): Visitors => ({
      visit: (found) => {
        visit({ ...found, isInFlow: isInFlow || (isSeq(value) && value.flow === true) });
      },
      unseen,
    });
    const below = isMap(node) ? inMap(tree, node, visitors) : node.items;
    for (const each of below) ahead.push({ node: each, isInFlow });
  }
}

/** What is to be looked at next. */
function inMap(tree: Tree, map: YAMLMap, visitors: (value: unknown) => Visitors): unknown[] {
  const beside = new Beside(tree, map);
  return map.items.flatMap(({ key, value }) => {
    const name = textIn(key) ?? '';
    if (ABOUT_FIELDS.test(name)) return [];
    const selector = SELECTOR_KEY.exec(name)?.[1]?.toLowerCase();
    if (selector !== undefined) inSelector(tree, beside, { key, value, selector }, visitors(value));
    else if (SHELL_KEY.test(name)) inShell(tree, beside, { name, value }, visitors(value));
    return isMap(value) || isSeq(value) ? [value] : [];
  });
}

function inSelector(
  tree: Tree,
  { from }: Beside,
  pair: { readonly key: unknown; readonly value: unknown; readonly selector: string },
  { visit }: Visitors,
): void {
  const anchor = spanOf(pair.key);
  if (anchor === undefined) return;
  const kind = pair.selector === 'field' ? 'field' : 'label';
  for (const mapped of textsIn(tree, pair.value)) {
    visit({ kind, mapped, anchor, from, empty: 'unknown', mayBeProse: true });
  }
}

/** What stands in the same map, looked for once. */
class Beside {
  private known: { readonly from: SelectedFrom; readonly command: unknown } | undefined;
  private readonly taken = new Set<string>();

  constructor(
    private readonly tree: Tree,
    private readonly map: YAMLMap,
  ) {}

  /** Who selects often says beside it of what kind, and where. */
  get from(): SelectedFrom {
    return this.look().from;
  }

  /** What the command beside these arguments begins with; for each key once, since one may be repeated. */
  takeCommand(name: string, given: unknown): readonly unknown[] {
    const { command } = this.look();
    if (!isSeq(command) || command === given || this.taken.has(name)) return [];
    this.taken.add(name);
    return command.items;
  }

  private look() {
    if (this.known !== undefined) return this.known;
    const fact = (name: string): string | undefined => plainTextIn(this.tree, this.field(name));
    const version = fact('apiVersion');
    const group = fact('group') ?? (version && groupOf(version));
    const isGroupOpen =
      group === undefined && ['group', 'apiVersion'].some((name) => textIn(this.field(name)));
    const kind = isGroupOpen ? undefined : fact('kind');
    const from = fromBeside(kind ?? '', group, fact('namespace'));
    this.known = { from, command: this.field('command') };
    return this.known;
  }

  private field(name: string): unknown {
    return this.map.items.find(({ key }) => isScalar(key) && key.value === name)?.value;
  }
}

function textIn(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

/** Undefined also where something replaces a part of it. */
function plainTextIn(tree: Tree, node: unknown): string | undefined {
  const text = textIn(node);
  const span = spanOf(node);
  const isOpen = text === undefined || span === undefined || isReplaced(tree, text, span);
  return isOpen ? undefined : text;
}

function isReplaced(tree: Tree, text: string, span: Span): boolean {
  return tree.touchesTemplate(span) || isSubstituted(text);
}

/** A scalar, or each of a list of scalars. */
function textsIn(tree: Tree, value: unknown): MappedText[] {
  const nodes = isSeq(value) ? value.items : [value];
  return nodes.flatMap((node) => {
    const isText = isScalar(node) && readingOf(node)?.as === 'string';
    return isText ? (tree.mapped(node) ?? []) : [];
  });
}

function inShell(
  tree: Tree,
  beside: Beside,
  { name, value }: { readonly name: string; readonly value: unknown },
  visitors: Visitors,
): void {
  if (isScalar(value)) shellText(tree, value, visitors);
  if (!isSeq(value)) return;
  const words = wordsOf(tree, value.items);
  const before = wordsOf(tree, beside.takeCommand(name, value));
  for (const found of commandSelectors([...before, ...words])) told(tree, found, words, visitors);
  for (const item of value.items) if (isScalar(item)) shellText(tree, item, visitors);
}

/** A list of arguments, which no shell sees. */
function wordsOf(tree: Tree, items: readonly unknown[]): ShellWord[] {
  return items.flatMap((item) => {
    const text = isScalar(item) ? tree.mapped(item) : undefined;
    return text === undefined ? [] : [withTemplates(tree, literalWord(text), ({ span }) => span)];
  });
}

/** A word that something other than a shell replaces a part of is not sure either. */
function withTemplates(tree: Tree, word: ShellWord, placeOf: (word: ShellWord) => Span): ShellWord {
  const isSure = word.isSure && !isReplaced(tree, word.text.text, placeOf(word));
  return { ...word, isSure };
}

/** The words of the command itself were met where it stands. */
function told(
  tree: Tree,
  found: CommandSelector,
  words: readonly ShellWord[],
  { visit }: Visitors,
): void {
  const start = words[0]?.text.place({ start: 0, end: 0 }).start ?? 0;
  if (found.isSure && found.anchor.start >= start && !tree.touchesTemplate(found.anchor)) {
    visit(placed(found));
  }
}

/** Longer ones are no commands that a person wrote. */
const LONGEST = 200_000;

function shellText(tree: Tree, node: Scalar, { visit, unseen }: Visitors): void {
  const { value } = node;
  if (typeof value !== 'string' || !/(?:kubectl|\boc)\s/.test(value)) return;
  const span = spanOf(node) ?? { start: 0, end: 0 };
  if (value.length > LONGEST) {
    unseen(span, SCRIPT_TOO_LONG);
    return;
  }
  const mapped = tree.mapped(node);
  if (mapped === undefined) return;
  const { commands, isWhole } = readScript(mapped.text);
  const placeOf = (word: ShellWord): Span => mapped.place(word.span);
  const read = commands.map((words) => words.map((word) => withTemplates(tree, word, placeOf)));
  for (const found of read.flatMap(commandSelectors)) {
    if (found.isSure) visit(placed(found, mapped));
  }
  if (!isWhole) unseen(span, SCRIPT_TOO_DEEP);
}

/** From places in the shell's text to places in the document; without one they are that already. */
function placed(
  { kind, text, anchor, from }: CommandSelector,
  shell?: MappedText,
): Omit<FoundText, 'isInFlow'> {
  const rest = { kind, from, empty: 'all', mayBeProse: false } as const;
  if (shell === undefined) return { ...rest, mapped: text, anchor };
  const place = (span: Span): Span => shell.place(text.place(span));
  // In quotes of YAML two ways of quoting would meet.
  const isInShell = text.writing === undefined || text.writing === 'shell';
  const nested = isInShell ? undefined : 'word';
  const writing = shell.writing === 'plain' ? text.writing : nested;
  const mapped = { text: text.text, writing, place };
  const cut = kind === 'label' ? cutShort(shell.text, text) : undefined;
  const found = { ...rest, mapped, anchor: shell.place(anchor), command: { shell, text } };
  return cut === undefined ? found : { ...found, cut };
}
