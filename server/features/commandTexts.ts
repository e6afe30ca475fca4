/** The same request elsewhere: kubectl, the API path, etcdctl and the command line. */
import { prefixEnd, utf8Lossy, utf8Strict } from '../common/bytes';
import { untrustedShellWord as word } from '../common/shellWord';
import { DEFAULT_ROOT } from '../kube/resources/resources';
import type { ListQuery, QueryCommands } from '../protocol/model';
import { StoreError } from '../store/errors';
import type { ListOptions } from '../store/interfaces';
import { etcdKey, prepareKey, storePathPrefix } from '../store/keys';
import { validateListOptions } from '../store/listOptions';
import type { ListTarget } from '../targets/target';
import { accessFlags, accessNote, type NamedConnection } from './accessFlags';
import { keyPrefixOf, parseLimit } from './query';

export interface CommandParts {
  readonly query: ListQuery;
  readonly target: ListTarget;
  readonly options: ListOptions;
  readonly connection: NamedConnection | undefined;
  /** All tokens are followed to the end. */
  readonly follow: boolean;
}

export function commandsOf(parts: CommandParts): QueryCommands {
  const apiPath = apiPathOf(parts.query, parts.target);
  return {
    kubectl: kubectlOf(parts, apiPath),
    apiPath,
    etcdctl: orNothing(() => etcdctlOf(parts)),
    etcdList: etcdListOf(parts),
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

/**
 * `kubectl get` has no flags for a version or token, and goes on to the end whatever its chunk size:
 * such a request, or one page, is made raw.
 */
function kubectlOf({ query, target, follow }: CommandParts, apiPath: string): string {
  if (target.kind === 'values') return '';
  const limit = parseLimit(query.limit) ?? 0n;
  const isOnePage = limit > 0n && !follow;
  if (isOnePage || query.resourceVersion !== '' || query.continueToken !== '') {
    return `kubectl get --raw ${word(apiPath)}`;
  }
  const chunks = `--chunk-size=${limit > 0n ? limit.toString() : '0'}`;
  return ['kubectl get', word(target.name), ...selection(query, target), chunks].join(' ');
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

function etcdListOf({ query, target, connection, follow }: CommandParts): string {
  const limit = parseLimit(query.limit) ?? 0n;
  const flags: string[] = [
    ...selection(query, target),
    limit > 0n ? `--limit=${limit.toString()}` : '--chunk-size=0',
  ];
  if (limit > 0n && follow) flags.push('--follow');
  flags.push(...positionFlags(query));
  flags.push(...readingFlags(query));
  if (target.kind === 'objects' && target.root !== DEFAULT_ROOT) {
    flags.push(`--root=${word(target.root)}`);
  }
  if (connection?.reader.serializable) flags.push('--serializable');
  return commandLine(['etcd-list get', word(target.name), ...flags], connection, '');
}

const streamFlags = { auto: [], pages: ['--stream=off'], stream: ['--stream=force'] } as const;

function readingFlags({ readMode, serveFrom, skipUnreadable }: ListQuery): string[] {
  return [
    ...streamFlags[readMode],
    ...(serveFrom === undefined ? [] : ['--serve-from=watch-cache']),
    ...(skipUnreadable ? ['--skip-unreadable'] : []),
  ];
}

function positionFlags(query: ListQuery): string[] {
  const flags = [
    ['--continue', query.continueToken],
    ['--resource-version', query.resourceVersion],
    ['--resource-version-match', query.resourceVersionMatch],
  ] as const;
  return flags.flatMap(([flag, text]) => (text === '' ? [] : [`${flag}=${word(text)}`]));
}

function commandLine(
  words: readonly string[],
  connection: NamedConnection | undefined,
  note: string,
): string {
  if (connection === undefined) return words.join(' ') + note;
  return [...words, ...accessFlags(connection)].join(' ') + (note || accessNote(connection));
}

/** The first page's read. */
function etcdctlOf({ target, options, connection }: CommandParts): string {
  const { range, limit, revision, note } = firstRead(target, options);
  const flags = [
    ...(limit > 0n ? [`--limit=${limit.toString()}`] : []),
    ...(revision > 0n ? [`--rev=${revision.toString()}`] : []),
    ...(connection?.reader.serializable ? ['--consistency=s'] : []),
  ];
  return commandLine(['etcdctl get', range, ...flags], connection, note);
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
