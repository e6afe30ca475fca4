/** `list`: exactly one request, with the flags of `etcd-list get`. */
import { cellText } from '../../kube/print/cellText';
import { nearest } from '../../common/nearest';
import { finding, type Finding } from '../findings';
import { append } from './append';
import type { DraftRead, DraftTarget, OptionName, Options, Stated } from './draft';
import { LIST_FLAGS } from './listFlags';
import { wholeOf } from '../source/parts';
import type { QueryRequest } from './model';
import { followed } from './paging';
import { withReferences } from './splitReferences';
import { splitShell } from '../shell/commandLine';
import { wordPart, type ShellWord } from '../shell/words';
import {
  commandMarks,
  commandOf,
  FlagUses,
  isWhole,
  placeInCommand,
  shellFindings,
  withoutExpanded,
  type Command,
} from './wordForms';

const OPTION_FLAGS: readonly (readonly [string, OptionName])[] = [
  ['namespace', 'namespace'],
  ['selector', 'labelSelector'],
  ['field-selector', 'fieldSelector'],
  ['limit', 'limit'],
  ['continue', 'continue'],
  ['resource-version', 'resourceVersion'],
  ['resource-version-match', 'resourceVersionMatch'],
];

/** Reads the request whose first word, `list`, stands at this offset. */
export function readList(text: string, start: number, limit: number): DraftRead {
  const { shell, findings: split } = withReferences(text, splitShell(text, start, limit));
  const keywords = shell.words.slice(0, 1);
  const command: Command = { ...commandOf(text, shell, LIST_FLAGS), keywords, verbs: [] };
  const uses = new FlagUses(command.uses, 'list');
  const anchor = keywords[0]?.span ?? { start, end: start };
  const findings = [...shellFindings(text, shell), ...split, ...command.findings];
  append(findings, uses.findings);
  append(findings, uses.effectFindings());
  const named: Finding[] = [];
  const target = targetOf(command, anchor, named);
  if (isWhole(text, shell)) append(findings, named);
  const options = withoutExpanded(optionsOf(uses), shell);
  const follow = uses.isOn('follow') ? uses.get('follow')?.name : undefined;
  const paging = followed(follow, options.get('limit')?.text.text, findings);
  const draft = {
    form: 'list' as const,
    anchor,
    span: { start, end: shell.words.at(-1)?.span.end ?? start },
    target,
    options,
    allNamespaces: uses.isOn('all-namespaces'),
    withoutNamespace: 'all' as const,
    limit: undefined,
    paging,
    readMode: readModeOf(uses, findings),
    skipUnreadable: uses.isOn('skip-unreadable'),
    findings,
    marks: [...commandMarks(command), ...targetMarks(command)],
    placeAt: (offset: number) => placeInCommand(command, offset),
  };
  return { draft, end: shell.comment?.end ?? shell.end };
}

function optionsOf(uses: FlagUses): Options {
  const options = new Map<OptionName, Stated>();
  for (const [flag, option] of OPTION_FLAGS) {
    const stated = uses.stated(flag);
    if (stated !== undefined) options.set(option, stated);
  }
  return options;
}

function readModeOf(uses: FlagUses, findings: Finding[]): QueryRequest['readMode'] {
  const stated = uses.stated('stream');
  const modes = { auto: 'auto', on: 'stream', off: 'pages' } as const;
  const text = stated?.text.text ?? 'auto';
  if (stated === undefined || text === 'auto' || text === 'on' || text === 'off') {
    return modes[text as keyof typeof modes];
  }
  const close = nearest(text, Object.keys(modes), 1)[0];
  const hint = close === undefined ? '' : `; did you mean ${close}?`;
  const message = `--stream "${cellText(text)}" is none of auto, on, off${hint}`;
  findings.push(finding('query', message, wholeOf(stated.text)));
  return 'auto';
}

function statedWord(word: ShellWord): Stated {
  return { text: wordPart(word, 0), anchor: word.span };
}

function targetOf(
  { operands }: Command,
  anchor: Finding['span'],
  findings: Finding[],
): DraftTarget | undefined {
  const [first, second] = operands;
  if (first === undefined) {
    const message = 'list needs a resource, such as pods, or a prefix, such as /registry/pods/.';
    findings.push(finding('query', message, anchor));
    return undefined;
  }
  if (second !== undefined) {
    findings.push(
      finding(
        'query',
        `list takes one resource or prefix: "${cellText(second.text.text)}" is one word too many. Say what is selected with -l or --field-selector.`,
        second.span,
      ),
    );
  }
  const resource = statedWord(first);
  const { text } = first.text;
  if (text.startsWith('/')) return { kind: 'prefix', prefix: resource };
  const wrong = problemOfResource(text);
  if (wrong === undefined) return { kind: 'word', resource, name: undefined };
  findings.push(finding('query', wrong, first.span));
  return undefined;
}

function problemOfResource(text: string): string | undefined {
  if (text.includes(',')) {
    return `"${cellText(text)}" names several resources: each list reads one, so write a block for each.`;
  }
  if (!text.includes('/')) return undefined;
  const [, name = ''] = text.split('/');
  return `list reads no single object: write --field-selector metadata.name=${cellText(name)}, or kubectl get.`;
}

function targetMarks({ operands }: Command) {
  return operands.slice(0, 1).map(({ span, text }) => ({
    span,
    type: text.text.startsWith('/') ? ('string' as const) : ('type' as const),
  }));
}
