/**
 * `kubectl get`: what kubectl would request. Its pages of 500 are followed to the end.
 *
 * Upstream: `kubectl/pkg/cmd/get`, `cli-runtime/pkg/resource` (`Builder`, whose texts these errors are).
 */
import type { Span } from '../../kube/selectors';
import { finding, type Finding } from '../findings';
import type { MappedText } from '../source/mappedText';
import type { Draft, DraftRead, DraftTarget, OptionName, Options, Stated } from './draft';
import { urlDraft } from './urlDraft';
import { goParseIntLiteral } from '../goNumbers';
import { GET_FLAGS } from '../kubectl/getFlags';
import { trimmedPart } from '../source/parts';
import { withReferences } from './splitReferences';
import { splitShell } from '../shell/commandLine';
import type { ShellWord } from '../shell/words';
import {
  commandMarks,
  commandOf,
  FlagUses,
  placeInCommand,
  isWhole,
  shellFindings,
  withoutExpanded,
  type Command,
} from './wordForms';
import { kubectlTarget } from './kubectlTarget';

const KUBECTL_VERBS = [{ text: 'get', detail: 'list a resource' }];

/** Upstream: `cmdutil.DefaultChunkSize`. */
const DEFAULT_CHUNK = 500n;

/** Reads the request whose first word, `kubectl`, stands at this offset. */
export function readKubectl(text: string, start: number, limit: number): DraftRead {
  const { shell, findings: split } = withReferences(text, splitShell(text, start, limit));
  const read = commandOf(text, shell, GET_FLAGS);
  const [verb, ...operands] = read.operands;
  const [first] = shell.words;
  const keywords = [first, verb].filter((word) => word !== undefined);
  const anchor = first?.span ?? { start, end: start };
  const uses = new FlagUses(read.uses, 'kubectl');
  const findings = [
    ...shellFindings(text, shell),
    ...split,
    ...read.findings,
    ...verbFindings(verb, anchor),
    ...uses.findings,
    ...uses.effectFindings(),
  ];
  const span = { start, end: shell.words.at(-1)?.span.end ?? start };
  const command = { ...read, operands, keywords, verbs: KUBECTL_VERBS };
  const isMeant = isWhole(text, shell);
  const parts = { command, uses, findings, span, anchor, isMeant };
  const raw = uses.get('raw')?.value;
  const draft = raw === undefined ? listDraft(parts) : rawDraft(parts, raw);
  return { draft, end: shell.comment?.end ?? shell.end };
}

interface Parts {
  readonly command: Command;
  readonly uses: FlagUses;
  /** Added to. */
  readonly findings: Finding[];
  readonly span: Span;
  readonly anchor: Span;
  /** The words are those that were meant. */
  readonly isMeant: boolean;
}

function verbFindings(verb: ShellWord | undefined, anchor: Span): Finding[] {
  if (verb?.text.text === 'get') return [];
  const message = 'Of kubectl only kubectl get is run here.';
  if (verb === undefined) return [finding('query', message, anchor)];
  const edits = [{ span: verb.span, text: 'get' }];
  return [
    finding('query', message, verb.span, [{ title: 'Change to get', edits, preferred: true }]),
  ];
}

function listDraft({ command, uses, findings, span, anchor, isMeant }: Parts): Draft {
  const options = withoutExpanded(optionsOf(uses), command.shell);
  const allNamespaces = uses.isOn('all-namespaces');
  const named: Finding[] = [];
  const target = kubectlTarget(command.operands, anchor, named);
  named.push(...nameFindings(target, options, allNamespaces));
  if (isMeant && command.keywords.length > 1) findings.push(...named);
  const chunk = chunkOf(uses, findings);
  const isNamed = target?.kind === 'word' && target.name !== undefined;
  return {
    form: 'kubectl',
    anchor,
    span,
    target,
    options,
    allNamespaces,
    withoutNamespace: 'current',
    limit: isNamed ? 0n : chunk,
    paging: chunk > 0n && !isNamed ? 'toEnd' : 'one',
    readMode: 'auto',
    skipUnreadable: false,
    ...(uses.isOn('ignore-not-found') ? { mayBeMissing: true } : {}),
    findings,
    marks: [
      ...commandMarks(command),
      ...command.operands.slice(0, 1).map((word) => ({ span: word.span, type: 'type' as const })),
    ],
    placeAt: (offset) => placeInCommand(command, offset),
  };
}

/** kubectl trims selectors, and takes an empty namespace for none. */
function optionsOf(uses: FlagUses): Options {
  const options = new Map<OptionName, Stated>();
  const put = (flag: string, option: OptionName): void => {
    const stated = uses.stated(flag);
    if (stated === undefined) return;
    const text = trimmedPart(stated.text);
    if (text.text !== '') options.set(option, { ...stated, text });
  };
  put('selector', 'labelSelector');
  put('field-selector', 'fieldSelector');
  const namespace = uses.stated('namespace');
  if (namespace !== undefined && namespace.text.text !== '') options.set('namespace', namespace);
  return options;
}

function nameFindings(
  target: DraftTarget | undefined,
  options: Options,
  allNamespaces: boolean,
): Finding[] {
  if (target?.kind !== 'word' || target.name === undefined) return [];
  const { name, resource } = target;
  if (options.has('labelSelector') || options.has('fieldSelector')) {
    const message =
      name.anchor === resource.anchor
        ? 'selectors and the all flag cannot be used when passing resource/name arguments'
        : 'name cannot be provided when a selector is specified';
    return [finding('query', message, name.anchor)];
  }
  if (!allNamespaces) return [];
  const message = 'a resource cannot be retrieved by name across all namespaces';
  return [finding('query', message, name.anchor)];
}

/** To sort, kubectl reads everything at once. */
function chunkOf(uses: FlagUses, findings: Finding[]): bigint {
  const use = uses.get('chunk-size');
  const parsed = use?.value && goParseIntLiteral(use.value.text);
  const chunk = parsed !== undefined && 'value' in parsed ? parsed.value : DEFAULT_CHUNK;
  const sort = uses.stated('sort-by');
  if (sort !== undefined && sort.text.text !== '') {
    const message =
      'With --sort-by kubectl reads everything at once, and so does this; rows stay in the order of their keys.';
    findings.push(finding('no-effect', message, sort.anchor));
    return 0n;
  }
  if (chunk < 0n && use !== undefined) {
    findings.push(finding('no-effect', 'The API server takes a negative limit as none.', use.name));
  }
  return chunk;
}

/** `--raw` is a request of its own, beside which no other flag may say what is requested. */
function rawDraft({ command, uses, findings, span, anchor }: Parts, raw: MappedText): Draft {
  const [operand] = command.operands;
  if (operand !== undefined) {
    const message = 'arguments may not be passed when --raw is specified';
    findings.push(finding('query', message, operand.span));
  }
  for (const name of ['selector', 'watch', 'watch-only', 'output']) {
    findings.push(...besideRaw(uses, name));
  }
  const inner = urlDraft(raw, { form: 'kubectl', anchor, span });
  return {
    ...inner,
    findings: [...findings, ...inner.findings],
    marks: [...commandMarks(command), ...inner.marks],
    placeAt: (offset) => inner.placeAt(offset) ?? placeInCommand(command, offset),
  };
}

function besideRaw(uses: FlagUses, name: string): Finding[] {
  const use = uses.get(name);
  if (use === undefined || (use.flag.value === 'switch' && !uses.isOn(name))) return [];
  const message =
    name === 'output'
      ? '--raw and --output are mutually exclusive'
      : '--raw may not be specified with other flags that filter the server request or alter the output';
  return [finding('query', message, use.name)];
}
