/** The arguments of `get`. */
import { cell } from '../output/text';
import { Option, type Command } from 'commander';
import type { Environment } from '../context';
import { usageError } from '../exit';
import { parseCount, parseSize } from '../quantities';
import { namespaceOf, oneOf } from './choice';
import { addConnectionFlags, connectionPlan, type ConnectionFlags } from './connection';
import { cacheGates, readGates } from './gates';
import { metricsFileOf } from './metrics';
import {
  outputFormats,
  receiptForms,
  servingSources,
  streamModes,
  type GetPlan,
  type Paging,
  type ServeFrom,
  type Target,
} from './plan';

const DEFAULT_CHUNK = 500n;
const DEFAULT_CACHE_LIMIT = '512MiB';

export interface GetFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly chunkSize?: string;
  readonly output?: string;
  readonly limit?: string;
  readonly follow?: boolean;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly skipUnreadable?: boolean;
  readonly showSecrets?: boolean;
  readonly receipt?: string;
  readonly stream?: string;
  readonly featureGates?: string;
  readonly serveFrom?: string;
  readonly watchCacheLimit?: string;
  readonly metrics?: string;
  readonly explain?: boolean;
}

const flags: readonly (readonly [string, string])[] = [
  ['-n, --namespace <name>', 'one namespace; without it all are listed: etcd has no current one'],
  ['-A, --all-namespaces', 'all namespaces, the default; wins over -n'],
  ['-l, --selector <selector>', "label selector, such as 'app=nginx,tier in (web,api)'"],
  ['--field-selector <selector>', 'field selector, such as spec.nodeName=node-1'],
  ['-o, --output <format>', `${outputFormats.join('|')} (default: "table")`],
  [
    '--chunk-size <n>',
    'pages of n objects, followed to the end; 0 is one unlimited read (default: 500)',
  ],
  ['--limit <n>', 'one LIST of at most n objects; its continue token is printed'],
  ['--follow', 'with --limit: go on through all continue tokens'],
  ['--continue <token>', 'start where this continue token says'],
  ['--resource-version <version>', 'read at, or not before, this resource version'],
  ['--resource-version-match <rule>', 'Exact or NotOlderThan'],
  ['--stream <mode>', 'RangeStream: auto as the API server, on, off, or force (default: "auto")'],
  [
    '--feature-gates <list>',
    'gates of the API server that a list obeys: EtcdRangeStream, AllowUnsafeMalformedObjectDeletion (both on by default), and, from a watch cache, ListFromCacheSnapshot, ConsistentListFromCacheSkipTimeoutFallback',
  ],
  [
    '--serve-from <source>',
    'etcd, or watch-cache: fill one, list from it as the API server does, and stop it (default: "etcd")',
  ],
  [
    '--watch-cache-limit <size>',
    `memory that the watch cache may take (default: "${DEFAULT_CACHE_LIMIT}")`,
  ],
  [
    '--skip-unreadable',
    'leave out objects that cannot be read, and name them (not what upstream does)',
  ],
  ['--show-secrets', 'show the values of Secrets, which are masked otherwise'],
  ['--receipt <form>', 'how the cost is printed on standard error: text or json (default: "text")'],
];

const EXPLAIN_FLAG = [
  '--explain',
  'estimate first, by a bounded sample, and hold the estimate against the receipt',
] as const;

export function addGetFlags(command: Command): void {
  command.optionsGroup('What to list:');
  addListFlags(command);
  command.addOption(new Option(...EXPLAIN_FLAG));
  addConnectionFlags(command);
}

/** Those that say what is listed and how. */
export function addListFlags(command: Command): void {
  for (const [flag, description] of flags) command.addOption(new Option(flag, description));
}

export function getPlan(operands: readonly string[], given: GetFlags, env: Environment): GetPlan {
  const target = parseTarget(operands);
  refuseWithName(target, given);
  return {
    command: 'get',
    target,
    namespace: oneNamespace(given),
    labelSelector: given.selector ?? '',
    fieldSelector: given.fieldSelector ?? '',
    paging: pagingOf(given),
    output: oneOf('--output', given.output ?? 'table', outputFormats),
    continueToken: given.continue ?? '',
    resourceVersion: given.resourceVersion ?? '',
    resourceVersionMatch: given.resourceVersionMatch ?? '',
    skipUnreadable: given.skipUnreadable ?? false,
    showSecrets: given.showSecrets ?? false,
    receipt: oneOf('--receipt', given.receipt ?? 'text', receiptForms),
    stream: oneOf('--stream', given.stream ?? 'auto', streamModes),
    gates: readGates(given.featureGates),
    serveFrom: serveFromOf(given),
    metricsFile: metricsFileOf(given),
    explain: given.explain ?? false,
    connection: connectionPlan(given, env),
  };
}

const EMPTY_PREFIX =
  'an empty prefix would read every key of the cluster: name a resource, such as pods, or a prefix, such as /registry/pods/';

function parseTarget(operands: readonly string[]): Target {
  const [first, second, third] = operands;
  if (first === undefined) {
    throw usageError('get needs a resource, such as pods, or a prefix, such as /registry/pods/');
  }
  if (/^[/\s]*$/.test(first)) throw usageError(EMPTY_PREFIX);
  if (third !== undefined) {
    throw usageError(
      `get reads one object by name at a time: "${cell(third)}" is one name too many`,
    );
  }
  if (!first.startsWith('/')) return resourceTarget(first, second);
  if (second === undefined) return { kind: 'prefix', prefix: first };
  throw usageError(
    `"${cell(first)}" is a prefix and takes no name beside it: append it, or name a resource`,
  );
}

/** `pods`, `pods web-1` or `pods/web-1`. */
function resourceTarget(first: string, second: string | undefined): Target {
  if (first.includes(',')) {
    throw usageError(
      `"${cell(first)}" names several resources: each LIST reads one, so ask for one at a time`,
    );
  }
  const [resource = '', joined, more] = first.split('/');
  const name = joined ?? second;
  if (resource === '' || more !== undefined || name === '') {
    throw usageError(`"${cell(first)}" is not RESOURCE, RESOURCE NAME or RESOURCE/NAME`);
  }
  if (joined !== undefined && second !== undefined) {
    throw usageError(
      `"${cell(first)}" already names an object: "${cell(second)}" is one name too many`,
    );
  }
  return { kind: 'resource', resource, name };
}

function refuseWithName(target: Target, given: GetFlags): void {
  if (target.kind !== 'resource' || target.name === undefined) return;
  const refused: readonly (readonly [string, unknown])[] = [
    ['--selector', given.selector],
    ['--field-selector', given.fieldSelector],
    ['--all-namespaces', given.allNamespaces],
    ['--limit', given.limit],
    ['--chunk-size', given.chunkSize],
    ['--follow', given.follow],
    ['--continue', given.continue],
  ];
  const found = refused.find(([, value]) => value !== undefined);
  if (found) {
    throw usageError(
      `${found[0]} does not go with a name: "${cell(target.name)}" is read as one object`,
    );
  }
}

function pagingOf(given: GetFlags): Paging {
  if (given.limit === undefined) {
    if (given.chunkSize === undefined) return { kind: 'chunks', size: DEFAULT_CHUNK };
    return { kind: 'chunks', size: parseCount('--chunk-size', given.chunkSize) };
  }
  if (given.chunkSize !== undefined) {
    throw usageError(
      '--limit and --chunk-size exclude each other: --limit is one LIST, --chunk-size pages to the end',
    );
  }
  const limit = parseCount('--limit', given.limit);
  return { kind: 'limit', limit, follow: given.follow ?? false };
}

function serveFromOf(given: GetFlags): ServeFrom {
  const kind = oneOf('--serve-from', given.serveFrom ?? 'etcd', servingSources);
  const { watchCacheLimit: limit } = given;
  if (kind === 'etcd') {
    if (limit === undefined) return { kind };
    throw usageError('--watch-cache-limit goes with --serve-from=watch-cache');
  }
  if (given.skipUnreadable === true) {
    throw usageError(
      '--skip-unreadable does not go with --serve-from=watch-cache: a watch cache holds all objects of a resource or none',
    );
  }
  if (given.explain === true) {
    throw usageError(
      '--explain does not go with --serve-from=watch-cache: it estimates what etcd reads, and a watch cache reads nothing there; "etcd-list explain" tells what a watch cache does',
    );
  }
  const limitBytes = parseSize('--watch-cache-limit', limit ?? DEFAULT_CACHE_LIMIT);
  return { kind, limitBytes, gates: cacheGates(given.featureGates) };
}

function oneNamespace({ allNamespaces, namespace }: GetFlags): string | undefined {
  return allNamespaces === true || namespace === undefined ? undefined : namespaceOf(namespace);
}
