/** Every way in which a selector can be written as one text. */
import {
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '../../../server/kube/selectors';
import { placeholdersIn } from '../../../server/language/kubectl/placeholders';
import { isSubstituted } from '../../../server/language/yaml/templates';
import { isProse } from '../../../server/language/yaml/textCheck';
import {
  percentAll,
  percentLittle,
  percentUsual,
  shellAnsi,
  shellBare,
  shellDouble,
  shellSingle,
  yamlDouble,
  yamlEscaped,
  yamlFolded,
  yamlFoldedDouble,
  yamlLiteral,
  yamlPlain,
  yamlSingle,
} from './encodings';
import { around, nested, Unwritten, withCrLf, type Encoded, type Encoding } from './pieces';

export type SelectorKind = 'label' | 'field';

export interface Form {
  readonly name: string;
  /** What tells the language. */
  readonly uri: string;
  /** It is a query, so that a request is made of it. */
  readonly isQuery: boolean;
  /** kubectl takes white space around a selector away. */
  readonly isTrimmed: boolean;
  /** The whole document, with the places of the selector's characters. */
  write(kind: SelectorKind, selector: string): Encoded | Unwritten;
}

/** Nothing of a field is known of it, so that only the text itself can be wrong. */
const RESOURCE = 'widgets.example.com';
const PATH = '/apis/example.com/v1/widgets';

const member = (kind: SelectorKind): string => `${kind}Selector`;
const long = (kind: SelectorKind): string => (kind === 'label' ? '--selector' : '--field-selector');
const short = (kind: SelectorKind): string => (kind === 'label' ? '-l' : '--field-selector');

/** What stands before and behind the selector. */
type Frame = (kind: SelectorKind) => readonly [before: string, after: string];

function framed(encoding: Encoding, frame: Frame): Form['write'] {
  return (kind, selector) => {
    const encoded = encoding(selector);
    return encoded instanceof Unwritten ? encoded : around(frame(kind)[0], encoded, frame(kind)[1]);
  };
}

function query(name: string, encoding: Encoding, frame: Frame): Form {
  const isTrimmed = name.startsWith('kubectl') && !name.includes('--raw');
  const write = framed(encoding, frame);
  return { name, uri: 'a.etcdlist', isQuery: true, isTrimmed, write };
}

const commandLines: readonly Form[] = [
  query("kubectl -l '…'", shellSingle(true), (kind) => [
    `kubectl get ${RESOURCE} ${short(kind)} `,
    ' -A\n',
  ]),
  query('kubectl --selector="…"', shellDouble(true), (kind) => [
    `kubectl get ${RESOURCE} -A ${long(kind)}=`,
    ' # c\n',
  ]),
  query("kubectl -l $'…'", shellAnsi, (kind) => [`kubectl get ${RESOURCE} -A ${short(kind)} `, '']),
  query('kubectl -l without quotes', shellBare, (kind) => [
    `kubectl get ${RESOURCE} \\\n  ${short(kind)} `,
    ' -A\n',
  ]),
  query('kubectl --raw', percentUsual, (kind) => [
    `kubectl get --raw '${PATH}?limit=5&${member(kind)}=`,
    "&resourceVersion=0'\n",
  ]),
  query("list -l '…'", shellSingle(true), (kind) => [
    `list ${RESOURCE} ${short(kind)} `,
    ' --limit 5\n',
  ]),
  query('list --selector="…"', shellDouble(true), (kind) => [
    `# @name a\nlist ${RESOURCE} ${long(kind)}=`,
    '\n',
  ]),
];

const addresses: readonly Form[] = [
  query('GET', percentUsual, (kind) => [`GET ${PATH}?limit=5&${member(kind)}=`, '\n']),
  query('GET, every byte encoded', percentAll, (kind) => [
    `GET ${PATH}?${member(kind)}=`,
    '&limit=5',
  ]),
  query('GET as typed, over lines', percentLittle, (kind) => [
    `GET ${PATH}\r\n    ?limit=5\r\n    &${member(kind)}=`,
    '\r\n    &resourceVersion=0\r\n',
  ]),
  query('requestURI of an audit event', percentUsual, (kind) => [
    `"requestURI":"${PATH}?limit=5\\u0026${member(kind)}=`,
    '\\u0026resourceVersion=0",\n',
  ]),
];

const inYaml: readonly (readonly [string, (depth: number) => Encoding])[] = [
  ['plain', yamlPlain],
  ['single quotes', yamlSingle],
  ['double quotes', () => yamlDouble],
  ['double quotes, all escaped', () => yamlEscaped],
  ['double quotes over lines', yamlFoldedDouble],
  ['literal block', yamlLiteral],
  ['folded block', yamlFolded],
];

const documents: readonly Form[] = inYaml.map(([style, encoding]) => ({
  name: `query document, ${style}`,
  uri: 'a.etcdlist.yaml',
  isQuery: true,
  isTrimmed: false,
  write: framed(encoding(0), (kind) => [
    `resource: ${RESOURCE}\n${member(kind)}: `,
    '\nlimit: 5\n',
  ]),
}));

/** Where only the key says that it is a selector, what is none and does not look like one is a caption. */
const PROSE = new Unwritten('under this key it is taken for prose');
const PLACEHOLDER = new Unwritten('in a command it holds what another text is put in the place of');
const TEMPLATE = new Unwritten('it looks like something that a template fills in');

function isCaption(kind: SelectorKind, selector: string): boolean {
  if (!isProse(selector)) return false;
  try {
    if (kind === 'label') parseLabelSelector(selector);
    else parseFieldSelector(selector);
    return false;
  } catch (error) {
    if (error instanceof SelectorError) return true;
    throw error;
  }
}

function manifest(name: string, write: Form['write'], more: Partial<Form> = {}): Form {
  return {
    name,
    uri: 'a.yaml',
    isQuery: false,
    isTrimmed: false,
    ...more,
    write(kind, selector) {
      const read = more.isTrimmed === true ? selector.trim() : selector;
      return isSubstituted(read) ? TEMPLATE : write(kind, selector);
    },
  };
}

const manifests: readonly Form[] = [
  ...inYaml.map(([style, encoding]) =>
    manifest(`labelSelector in YAML, ${style}`, (kind, selector) =>
      isCaption(kind, selector)
        ? PROSE
        : framed(encoding(1), (each) => [`a: 1\nb:\n  ${member(each)}: `, '\n'])(kind, selector),
    ),
  ),
  manifest('labelSelector in YAML, literal block with CR LF', (kind, selector) => {
    const write = framed(yamlLiteral(0), (each) => [`${member(each)}: `, '\n']);
    const encoded = isCaption(kind, selector) ? PROSE : write(kind, selector);
    return encoded instanceof Unwritten ? encoded : withCrLf(encoded);
  }),
  manifest('labelSelector in a flow map', (kind, selector) =>
    isCaption(kind, selector)
      ? PROSE
      : framed(yamlDouble, (each) => [`a: [{x: 1, ${member(each)}: `, ', y: 2}]\n'])(
          kind,
          selector,
        ),
  ),
  ...inYaml.map(([style, encoding]) =>
    manifest(`rawSelector of an access review, ${style}`, framed(encoding(3), reviewFrame)),
  ),
];

function reviewFrame(kind: SelectorKind): readonly [string, string] {
  const head = 'apiVersion: authorization.k8s.io/v1\nkind: SubjectAccessReview\nspec:\n';
  const path = `  resourceAttributes:\n    ${member(kind)}:\n      rawSelector: `;
  return [head + path, '\n'];
}

/** A command in a step of a CI file: `outer` writes all of the command, `inner` the selector in it. */
function step(
  name: string,
  inner: Encoding,
  outer: Encoding,
  frames: {
    readonly yaml: readonly [string, string];
    readonly shell: (kind: SelectorKind) => readonly [string, string];
  },
): Form {
  const isPlaceholder = placeholdersIn([]);
  const write = (kind: SelectorKind, selector: string): Encoded | Unwritten => {
    if (isPlaceholder(selector)) return PLACEHOLDER;
    const word = inner(selector);
    if (word instanceof Unwritten) return word;
    const [before, after] = frames.shell(kind);
    const whole = nested(outer, around(before, word, after));
    return whole instanceof Unwritten ? whole : around(frames.yaml[0], whole, frames.yaml[1]);
  };
  return manifest(name, write, { isTrimmed: true });
}

const command = (kind: SelectorKind): readonly [string, string] => [
  `kubectl get ${RESOURCE} -A ${short(kind)} `,
  '',
];
const substitution = (kind: SelectorKind): readonly [string, string] => [
  `set -e\nX=$(kubectl get ${RESOURCE} ${long(kind)}=`,
  ' -o name)\necho "$X"',
];
const run: readonly [string, string] = ['job:\n  run: ', '\n'];

const steps: readonly Form[] = [
  step("CI step, literal block, '…'", shellSingle(false), yamlLiteral(1), {
    yaml: run,
    shell: command,
  }),
  step('CI step, literal block, $(… "…")', shellDouble(false), yamlLiteral(1), {
    yaml: run,
    shell: substitution,
  }),
  step("CI step, folded block, $'…'", shellAnsi, yamlFolded(1), { yaml: run, shell: command }),
  step("CI step, double quotes, '…'", shellSingle(false), yamlDouble, {
    yaml: run,
    shell: command,
  }),
  step('CI step, single quotes, "…"', shellDouble(false), yamlSingle(1), {
    yaml: run,
    shell: command,
  }),
  step('CI step, plain, without quotes', shellBare, yamlPlain(1), { yaml: run, shell: command }),
  step('arguments in a list', yamlDouble, withoutQuotes, {
    yaml: [`a:\n  command: [kubectl, get, ${RESOURCE}, `, ']\n'],
    shell: (kind) => [`${short(kind)}, `, ''],
  }),
  step("sh -c in a list, '…'", shellSingle(false), yamlDouble, {
    yaml: ['a:\n  command: ["sh", "-c", ', ']\n'],
    shell: command,
  }),
];

/** As it is. */
function withoutQuotes(text: string): Encoded {
  const units = text.split('');
  return { text, starts: units.map((_, i) => i), ends: units.map((_, i) => i + 1) };
}

export const FORMS: readonly Form[] = [
  ...commandLines,
  ...addresses,
  ...documents,
  ...manifests,
  ...steps,
];
