/** Selectors among the arguments of a `kubectl` command. */
import { qualifiedName } from '../../common/groupResource';
import { findResource } from '../../kube/resources/resources';
import type { Span } from '../../kube/selectors';
import type { SelectedFrom } from '../model';
import type { MappedText } from '../source/mappedText';
import { trimmedPart } from '../source/parts';
import type { FlagValue } from '../shell/flags';
import { readFlags, type FlagUse } from '../shell/flagWords';
import type { ShellWord } from '../shell/words';
import { flagsOf } from './commandFlags';
import { placeholdersIn } from './placeholders';
import { takesSelector } from './selectingVerbs';

export interface CommandSelector {
  readonly kind: 'label' | 'field';
  /** The selector's text as kubectl trims it, in places of what the words are in. */
  readonly text: MappedText;
  /** The flag. */
  readonly anchor: Span;
  readonly from: SelectedFrom;
  /** Nothing replaces a part of it. */
  readonly isSure: boolean;
}

const PROGRAM = /(?:^|[\\/])(?:kubectl|oc)(?:\.exe)?$/;

/** Commands for which what follows is a text and no command. */
const PRINTS = /(?:^|\/)(?:echo|printf|:|alias)$/;

/** How a sentence begins, and hardly any command. */
const SENTENCE = /^[A-Z][a-z]*[,:]?$/;

/** What stands before kubectl tells that it is only spoken of. */
function isSpokenOf(before: readonly ShellWord[]): boolean {
  const [first] = before;
  return (
    before.some(({ text }) => PRINTS.test(text.text)) ||
    (first !== undefined && SENTENCE.test(first.text.text))
  );
}

/** As a clause ends, in which kubectl is spoken of. */
const PUNCTUATION = /[.,:;!…]$/;

/** Programs that give what follows to another shell, which takes quotes away. */
const HAS_SHELL = /(?:^|\/)(?:eval|parallel|ssh|su|watch)$/;

/** Whether a selector may be another text where it is read than it is here. */
function changesBehind(before: readonly ShellWord[]): (text: string) => boolean {
  const hasShell = before.some(({ text }) => HAS_SHELL.test(text.text));
  return (text) =>
    (before.length > 0 && PUNCTUATION.test(text)) || (hasShell && /['"\\]/.test(text));
}

/** The first word that is no flag, of which it is certain what it is. */
function verbOf(words: readonly ShellWord[]): string {
  return readFlags(words, flagsOf('')).operands.find(isKnown)?.text.text ?? '';
}

const isKnown = ({ isSure }: ShellWord): boolean => isSure;

/** Of all that is kubectl among the words, the first; none where it is only spoken of. */
export function commandSelectors(words: readonly ShellWord[]): CommandSelector[] {
  const at = words.findIndex(({ text, isSure }) => isSure && PROGRAM.test(text.text));
  const before = words.slice(0, Math.max(0, at));
  if (at < 0 || isSpokenOf(before)) return [];
  const isPlaceholder = placeholdersIn(before);
  const mayChange = changesBehind(before);
  const own = words
    .slice(at + 1)
    .map((word) => (isPlaceholder(word.text.text) ? { ...word, isSure: false } : word));
  const verb = verbOf(own);
  const { uses, operands: all } = readFlags(own, flagsOf(verb));
  const operands = all.slice(all.findIndex(isKnown) + 1);
  if (!takesSelector(verb, operands[0]?.text.text ?? '')) return [];
  const from = fromOf(verb, operands, uses);
  return uses.flatMap(({ flag, name, value, valueWord }) => {
    const kind = KINDS.get(flag.value);
    if (kind === undefined || value === undefined || valueWord === undefined) return [];
    const resource = flag.name === 'pod-selector' ? 'pods' : from.resource;
    const text = trimmedPart(value);
    const isSure = valueWord.isSure && !mayChange(text.text);
    return [{ kind, text, isSure, anchor: name, from: { ...from, resource } }];
  });
}

const KINDS: ReadonlyMap<FlagValue, CommandSelector['kind']> = new Map<
  FlagValue,
  CommandSelector['kind']
>([
  ['labels', 'label'],
  ['fields', 'field'],
]);

/** Verbs that are about one kind whatever follows. */
const RESOURCES: ReadonlyMap<string, string> = new Map([
  ['logs', 'pods'],
  ['drain', 'nodes'],
  ['cordon', 'nodes'],
  ['uncordon', 'nodes'],
]);

const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(['rollout', 'set']);

function fromOf(
  verb: string,
  operands: readonly ShellWord[],
  uses: readonly FlagUse[],
): SelectedFrom {
  const named = operands[WITH_SUBCOMMAND.has(verb) ? 1 : 0];
  const resource = RESOURCES.get(verb) ?? (named?.isSure === true ? named.text.text : undefined);
  const isAll = uses.some(({ flag }) => flag.name === 'all-namespaces');
  const namespace = uses.findLast(({ flag }) => flag.value === 'namespace');
  const isKnown = !isAll && namespace?.valueWord?.isSure === true;
  return {
    resource: resource === undefined ? undefined : resourceName(resource),
    namespace: isKnown ? namespace.value?.text : undefined,
  };
}

/** As kubectl names it, whatever short form was written; undefined for several. */
function resourceName(written: string): string | undefined {
  const found = findResource(written.replace(/\/.*$/, ''));
  return found && qualifiedName(found.resource);
}
