/** The same request elsewhere: kubectl, the API path, etcdctl and the command line. */
import { prefixEnd, utf8Lossy, utf8Strict } from '../common/bytes';
import { untrustedShellWord as word } from '../common/shellWord';
import type { EtcdReader } from '../etcd/interfaces';
import type { ListQuery, QueryCommands } from '../protocol/model';
import { StoreError } from '../store/errors';
import type { ListOptions } from '../store/interfaces';
import { etcdKey, prepareKey, storePathPrefix } from '../store/keys';
import { validateListOptions } from '../store/listOptions';
import type { ListTarget } from '../targets/target';
import { keyPrefixOf, parseLimit } from './query';

/** The connection as far as commands name it; undefined when there is none. */
export type NamedConnection = Pick<EtcdReader, 'endpoints' | 'serializable'> | undefined;

export function commandsOf(
  query: ListQuery,
  target: ListTarget,
  options: ListOptions,
  connection: NamedConnection,
): QueryCommands {
  const apiPath = apiPathOf(query, target);
  return {
    kubectl: kubectlOf(query, target, apiPath),
    apiPath,
    etcdctl: orNothing(() => etcdctlOf(target, options, connection)),
    etcdList: etcdListOf(query, target, connection),
  };
}

/** A request that the engine refuses has no read. */
function orNothing(text: () => string): string {
  try {
    return text();
  } catch (error) {
    if (error instanceof StoreError) return '';
    throw error;
  }
}

/** Percent-encoded as Go's `url.QueryEscape` would, with `%20` for a space. */
function encoded(text: string): string {
  // Lone surrogates, which cannot be encoded, become U+FFFD.
  const whole = Buffer.from(text, 'utf8').toString('utf8');
  return encodeURIComponent(whole).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function apiPathOf(query: ListQuery, target: ListTarget): string {
  if (target.kind === 'values') return '';
  const { group, resource } = target.groupResource;
  const version = target.version === '' ? 'VERSION' : target.version;
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope =
    target.namespaced && query.namespace !== '' ? `/namespaces/${encoded(query.namespace)}` : '';
  const limit = parseLimit(query.limit) ?? 0n;
  const parameters = [
    ['labelSelector', query.labelSelector],
    ['fieldSelector', query.fieldSelector],
    ['limit', limit === 0n ? '' : limit.toString()],
    ['resourceVersion', query.resourceVersion],
    ['resourceVersionMatch', query.resourceVersionMatch],
    ['continue', query.continueToken],
  ] as const;
  const pairs = parameters.flatMap(([name, text]) =>
    text === '' ? [] : [`${name}=${encoded(text)}`],
  );
  return `${base}${scope}/${resource}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** `kubectl get` has no flags for a version or token: such a request is made raw. */
function kubectlOf(query: ListQuery, target: ListTarget, apiPath: string): string {
  if (target.kind === 'values') return '';
  if (query.resourceVersion !== '' || query.continueToken !== '') {
    return `kubectl get --raw ${word(apiPath)}`;
  }
  return ['kubectl get', word(target.name), ...selection(query, target), chunkSize(query)].join(
    ' ',
  );
}

function chunkSize(query: ListQuery): string {
  const limit = parseLimit(query.limit) ?? 0n;
  return `--chunk-size=${limit > 0n ? limit.toString() : '0'}`;
}

/** The flags that kubectl and etcd-list share. */
function selection(query: ListQuery, target: ListTarget): string[] {
  const flags: string[] = [];
  if (target.namespaced) {
    flags.push(query.namespace === '' ? '--all-namespaces' : `-n ${word(query.namespace)}`);
  }
  if (query.labelSelector !== '') flags.push(`-l ${word(query.labelSelector)}`);
  if (query.fieldSelector !== '') flags.push(`--field-selector ${word(query.fieldSelector)}`);
  return flags;
}

function etcdListOf(query: ListQuery, target: ListTarget, connection: NamedConnection): string {
  const limit = parseLimit(query.limit) ?? 0n;
  const flags: string[] = [
    ...selection(query, target),
    limit > 0n ? `--limit=${limit.toString()}` : '--chunk-size=0',
  ];
  if (query.continueToken !== '') flags.push(`--continue=${word(query.continueToken)}`);
  if (query.resourceVersion !== '') flags.push(`--resource-version=${word(query.resourceVersion)}`);
  if (query.resourceVersionMatch !== '') {
    flags.push(`--resource-version-match=${query.resourceVersionMatch}`);
  }
  if (query.readMode !== 'auto') {
    flags.push(query.readMode === 'pages' ? '--stream=off' : '--stream=on');
  }
  if (query.skipUnreadable) flags.push('--skip-unreadable');
  if (target.kind === 'objects' && target.root !== '/registry') {
    flags.push(`--root=${word(target.root)}`);
  }
  return ['etcd-list get', word(target.name), ...flags, ...endpointFlags(connection)].join(' ');
}

function endpointFlags(connection: NamedConnection): string[] {
  if (connection === undefined) return [];
  const consistency = connection.serializable ? ['--serializable'] : [];
  return [`--endpoints=${word(connection.endpoints.join(','))}`, ...consistency];
}

/** The first page's read. */
function etcdctlOf(target: ListTarget, options: ListOptions, connection: NamedConnection): string {
  const { range, limit, revision, note } = firstRead(target, options);
  const flags = [
    ...(limit > 0n ? [`--limit=${limit.toString()}`] : []),
    ...(revision > 0n ? [`--rev=${revision.toString()}`] : []),
  ];
  const endpoints =
    connection === undefined
      ? []
      : [
          `--endpoints=${word(connection.endpoints.join(','))}`,
          ...(connection.serializable ? ['--consistency=s'] : []),
        ];
  return ['etcdctl get', range, ...flags, ...endpoints].join(' ') + note;
}

interface FirstRead {
  readonly range: string;
  readonly limit: bigint;
  readonly revision: bigint;
  /** A comment of the shell's, or empty. */
  readonly note: string;
}

function firstRead(target: ListTarget, options: ListOptions): FirstRead {
  const { limit } = options.predicate;
  if (!options.recursive) {
    const root = storePathPrefix(target.root);
    const key = utf8Lossy(etcdKey(root, prepareKey(target.path, options.key, false)));
    return { range: word(key), limit: 0n, revision: revisionOf(target, options), note: '' };
  }
  const prefix = keyPrefixOf(options, target);
  const { revision, continueKey } = validateListOptions(prefix, options);
  if (continueKey === undefined) {
    return { range: `--prefix ${word(utf8Lossy(prefix))}`, limit, revision, note: '' };
  }
  const start = utf8Lossy(continueKey);
  const range = (from: string): string => `${word(from)} ${word(rangeEndText(prefix))}`;
  if (!start.endsWith('\0')) return { range: range(start), limit, revision, note: '' };
  return {
    range: range(start.slice(0, -1)),
    limit: limit > 0n ? limit + 1n : limit,
    revision,
    note: '   # an argument cannot hold the NUL of the start key: the key before it comes too',
  };
}

function revisionOf(target: ListTarget, options: ListOptions): bigint {
  return validateListOptions(keyPrefixOf(options, target), options).revision;
}

/** Prefixes are UTF-8 and end in a slash, and so does their end in the next character. */
function rangeEndText(prefix: Uint8Array): string {
  const end = prefixEnd(prefix);
  return utf8Strict(end) ?? utf8Lossy(end);
}
