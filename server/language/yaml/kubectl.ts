/** Selectors among the arguments of a `kubectl` command. */
import { BUILT_IN, findResource } from '../../kube/resources/resources';
import type { Span } from '../../kube/selectors';
import type { SelectedFrom } from '../model';
import type { MappedText } from '../source/mappedText';
import { wordPart, type ShellWord } from '../shell/words';

export interface CommandSelector {
  readonly kind: 'label' | 'field';
  /** The selector's text, in places of what the words are in. */
  readonly text: MappedText;
  /** The flag, and the selector where they are one word. */
  readonly anchor: Span;
  readonly from: SelectedFrom;
  /** Nothing replaces a part of it. */
  readonly isSure: boolean;
}

const PROGRAM = /(?:^|[\\/])(?:kubectl|oc)(?:\.exe)?$/;

/** Flags that take the next word where they have no value of their own. */
const VALUED = new Set(
  (
    'namespace context cluster user kubeconfig server token as as-group request-timeout output filename ' +
    'kustomize selector field-selector pod-selector timeout for sort-by template container tail since since-time ' +
    'replicas patch patch-file type image grace-period field-manager chunk-size label-columns raw subresource ' +
    'dry-run cascade profile v cache-dir certificate-authority client-certificate client-key revision to-revision'
  ).split(' '),
);
const SHORT_VALUED = 'nolfcskvLp';

interface Argument {
  readonly word: ShellWord;
  /** Undefined for an argument that is no flag; one letter for a short one. */
  readonly flag: string | undefined;
  readonly value: Value | undefined;
}

interface Value {
  readonly text: MappedText;
  readonly isSure: boolean;
}

export function commandSelectors(words: readonly ShellWord[]): CommandSelector[] {
  const at = words.findIndex(({ text, isSure }) => isSure && PROGRAM.test(text.text));
  if (at < 0) return [];
  const parsed = argumentsOf(words.slice(at + 1));
  const plain = parsed.filter(({ flag }) => flag === undefined);
  const verb = plain[0]?.word.text.text ?? '';
  const from = fromOf(verb, plain.slice(1), parsed);
  return parsed.flatMap(({ word, flag, value }) => {
    const kind = kindOf(flag, verb);
    if (kind === undefined || value === undefined) return [];
    const anchor = word.text.place({ start: 0, end: word.text.text.length });
    const resource = flag === 'pod-selector' ? 'pods' : from.resource;
    return [{ kind, ...value, anchor, from: { ...from, resource } }];
  });
}

function kindOf(flag: string | undefined, verb: string): CommandSelector['kind'] | undefined {
  if (flag === 'selector' || flag === 'pod-selector') return 'label';
  if (flag === 'field-selector') return 'field';
  // These two give labels by it, where the others ask for them.
  return flag === 'l' && verb !== 'run' && verb !== 'expose' ? 'label' : undefined;
}

function argumentsOf(words: readonly ShellWord[]): Argument[] {
  const found: Argument[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined || word.text.text === '--') break;
    const flag = flagOf(word);
    if (flag === undefined) found.push({ word, flag, value: undefined });
    else if (flag.value !== undefined || !flag.isValued)
      found.push({ word, ...flag, flag: flag.name });
    else {
      const next = words[++i];
      const value = next && { text: next.text, isSure: next.isSure };
      found.push({ word, flag: flag.name, value });
    }
  }
  return found;
}

interface Flag {
  readonly name: string;
  readonly value: Value | undefined;
  readonly isValued: boolean;
}

function flagOf(word: ShellWord): Flag | undefined {
  const { text } = word.text;
  if (text.startsWith('--')) {
    const equals = text.indexOf('=');
    const name = text.slice(2, equals < 0 ? undefined : equals);
    const value = equals < 0 ? undefined : valueFrom(word, equals + 1);
    return { name, value, isValued: VALUED.has(name) };
  }
  return text.startsWith('-') && text.length > 1 ? shortFlag(word) : undefined;
}

/** Letters without a value may stand before the one that has one. */
function shortFlag(word: ShellWord): Flag {
  const { text } = word.text;
  for (let i = 1; i < text.length; i++) {
    const name = text.charAt(i);
    if (!SHORT_VALUED.includes(name)) continue;
    const start = text.charAt(i + 1) === '=' ? i + 2 : i + 1;
    const value = i + 1 < text.length ? valueFrom(word, start) : undefined;
    return { name, value, isValued: true };
  }
  return { name: text.charAt(1), value: undefined, isValued: false };
}

/** The rest of a word. */
function valueFrom(word: ShellWord, from: number): Value {
  return { text: wordPart(word, from), isSure: word.isSure };
}

/** Verbs that are about one kind whatever follows. */
const RESOURCES: ReadonlyMap<string, string> = new Map([
  ['logs', 'pods'],
  ['drain', 'nodes'],
  ['cordon', 'nodes'],
  ['uncordon', 'nodes'],
]);

const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(['rollout', 'set']);

function fromOf(verb: string, plain: readonly Argument[], all: readonly Argument[]): SelectedFrom {
  const named = plain[WITH_SUBCOMMAND.has(verb) ? 1 : 0]?.word;
  const resource = RESOURCES.get(verb) ?? (named?.isSure === true ? named.text.text : undefined);
  const isAll = all.some(({ flag }) => flag === 'A' || flag === 'all-namespaces');
  const namespace = all.findLast(({ flag }) => flag === 'n' || flag === 'namespace')?.value;
  return {
    resource: resource === undefined ? undefined : resourceName(resource),
    namespace: isAll || namespace?.isSure !== true ? undefined : namespace.text.text,
  };
}

/** As kubectl names it, whatever short form was written; undefined for several. */
export function resourceName(written: string): string | undefined {
  const found = findResource(written.replace(/\/.*$/, ''));
  if (found === undefined) return undefined;
  const { group, resource } = found.resource;
  return group === '' ? resource : `${resource}.${group}`;
}

/** The resource of a built-in kind that no other group has as well. */
export function resourceOfKind(kind: string): string | undefined {
  const [only, ...others] = BUILT_IN.filter((each) => each.kind === kind);
  if (only === undefined || others.length > 0) return undefined;
  return only.group === '' ? only.resource : `${only.resource}.${only.group}`;
}
