/** Every way in which a request can be written with options beside its selectors. */
import { percentUsual, shellSingle, yamlDouble } from './encodings';
import { scalarOf, Unwritten, type Encoding } from './pieces';
import type { Span } from '../../../server/kube/selectors';

/** Values under the names of `ListOptions`. */
export type RequestOptions = Readonly<Record<string, string | number | boolean>>;

export interface WrittenRequest {
  readonly text: string;
  /** Where the values stand, without their quotes. */
  readonly places: ReadonlyMap<string, Span>;
}

export interface RequestForm {
  readonly name: string;
  readonly uri: string;
  write(options: RequestOptions): WrittenRequest | Unwritten;
}

interface Layout {
  readonly before: string;
  readonly after: string;
  /** What stands before the value of an option; undefined for one that cannot be stated. */
  option(name: string, index: number): string | undefined;
  readonly encoding: Encoding;
  /** Numbers and truth values are written as they are. */
  readonly isTyped: boolean;
}

const NO_SUCH_OPTION = new Unwritten('this form cannot state the option');

function form(name: string, uri: string, layout: Layout): RequestForm {
  return { name, uri, write: (options) => written(options, layout) };
}

function written(options: RequestOptions, layout: Layout): WrittenRequest | Unwritten {
  const places = new Map<string, Span>();
  let text = layout.before;
  for (const [index, [name, value]] of Object.entries(options).entries()) {
    const before = layout.option(name, index);
    if (before === undefined) return NO_SUCH_OPTION;
    const isRaw = layout.isTyped && typeof value !== 'string';
    const encoded = (isRaw ? rawText : layout.encoding)(String(value));
    if (encoded instanceof Unwritten) return encoded;
    text += before;
    const at = text.length;
    text += encoded.text;
    const span = scalarOf(encoded);
    if (span !== undefined) places.set(name, { start: at + span.start, end: at + span.end });
  }
  return { text: text + layout.after, places };
}

function rawText(text: string) {
  const units = text.split('');
  return { text, starts: units.map((_, i) => i), ends: units.map((_, i) => i + 1) };
}

const FLAGS: ReadonlyMap<string, string> = new Map([
  ['namespace', '-n'],
  ['limit', '--limit'],
  ['continue', '--continue'],
  ['resourceVersion', '--resource-version'],
  ['resourceVersionMatch', '--resource-version-match'],
]);

const parameter = (name: string, index: number): string | undefined =>
  name === 'namespace' ? undefined : `${index === 0 ? '?' : '&'}${name}=`;

const QUERIES = 'a.etcdlist';

export const REQUEST_FORMS: readonly RequestForm[] = [
  form('GET', QUERIES, {
    before: 'GET /api/v1/pods',
    after: '\n',
    option: parameter,
    encoding: percentUsual,
    isTyped: false,
  }),
  form('GET over lines', QUERIES, {
    before: 'GET /api/v1/pods',
    after: '\r\n',
    option: (name, index) => {
      const written = parameter(name, index);
      return written && `\r\n  ${written}`;
    },
    encoding: percentUsual,
    isTyped: false,
  }),
  form('kubectl --raw', QUERIES, {
    before: "kubectl get --raw '/api/v1/pods",
    after: "'\n",
    option: parameter,
    encoding: percentUsual,
    isTyped: false,
  }),
  form('list', QUERIES, {
    before: 'list pods',
    after: '\n',
    option(name) {
      const flag = FLAGS.get(name);
      return flag === undefined ? undefined : ` ${flag} `;
    },
    encoding: shellSingle(true),
    isTyped: false,
  }),
  form('kubectl', QUERIES, {
    before: 'kubectl get pods',
    after: '\n',
    option: (name) => (name === 'namespace' ? ' --namespace=' : undefined),
    encoding: shellSingle(true),
    isTyped: false,
  }),
  form('query document', 'a.etcdlist.yaml', {
    before: 'resource: pods',
    after: '\n',
    option: (name) => `\n${name}: `,
    encoding: yamlDouble,
    isTyped: true,
  }),
];
