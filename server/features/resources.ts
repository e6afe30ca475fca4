/** What can be listed: the built-in resources and what is stored. */
import { concatBytes, prefixEnd, utf8, utf8Lossy, utf8Strict } from '../common/bytes';
import { qualifiedName } from '../common/groupResource';
import { BUILT_IN, resourceOfPrefix, rootBytes, type Resource } from '../kube/resources/resources';
import type { ResourceEntry } from '../protocol/model';
import { discoverPrefixes, type StoredPrefix } from '../targets/discover';
import { definitionNames, MOST_DEFINITIONS } from '../targets/findCustom';
import type { ConnectionHolder } from './connectionHolder';
import type { OpenConnection } from './openConnection';
import { nothing } from './params';
import type { Router } from './router';

const MOST_NAMESPACES = 2000n;

export function registerResources(router: Router, holder: ConnectionHolder): void {
  router.handle('etcdList/resources', nothing, async (_, { signal }) => {
    const connection = holder.current;
    if (connection === undefined) return BUILT_IN.map((resource) => entryOf(resource, false));
    return storedResources(connection, AbortSignal.any([signal, connection.closed]));
  });
  router.handle('etcdList/namespaces', nothing, async (_, { signal }) => {
    const connection = holder.required();
    return storedNamespaces(connection, AbortSignal.any([signal, connection.closed]));
  });
}

/** Keys only: definitions are large, and one is read when its resource is listed. */
async function storedResources(
  connection: OpenConnection,
  signal: AbortSignal,
): Promise<ResourceEntry[]> {
  const { reader, root } = connection;
  const { prefixes } = await discoverPrefixes(reader, rootBytes(root), signal);
  const stored = new Set(prefixes.map(({ prefix }) => utf8Lossy(prefix)));
  const builtIn = BUILT_IN.map((resource) => entryOf(resource, stored.has(resource.prefix)));
  const custom = customOf(prefixes);
  await readDefinitionNames(connection, signal);
  return [...builtIn, ...custom.map((resource) => customEntry(connection, resource))];
}

/** One keys-only read, at most 2,000 of them; answers how many were read, and the connection knows them. */
export async function readDefinitionNames(
  connection: OpenConnection,
  signal: AbortSignal,
): Promise<number> {
  const { reader, root } = connection;
  const names = await definitionNames(reader, root, signal);
  connection.noteDefinitionNames(names.length < MOST_DEFINITIONS ? new Set(names) : undefined);
  return names.length;
}

function customOf(prefixes: readonly StoredPrefix[]): Resource[] {
  return prefixes.flatMap(({ prefix, isKey }) => {
    const owner = resourceOfPrefix(utf8Lossy(prefix));
    return owner.type === 'resource' && owner.resource.custom && !isKey ? [owner.resource] : [];
  });
}

function entryOf(resource: Resource, stored: boolean): ResourceEntry {
  const { kind, namespaced = true } = resource;
  return { name: qualifiedName(resource), kind, namespaced, stored };
}

/** Kind and scope are those of a definition that was read, else not known. */
function customEntry(connection: OpenConnection, resource: Resource): ResourceEntry {
  const name = qualifiedName(resource);
  const definition = connection.definitions.get(name);
  const { kind = '', namespaced = true } = definition ?? {};
  return { name, kind, namespaced, stored: true };
}

/** Names of the namespaces, at most 2,000: one keys-only read. */
export async function storedNamespaces(
  { reader, root }: Pick<OpenConnection, 'reader' | 'root'>,
  signal: AbortSignal,
): Promise<string[]> {
  const prefix = concatBytes(rootBytes(root), utf8('namespaces/'));
  const range = {
    key: prefix,
    rangeEnd: prefixEnd(prefix),
    limit: MOST_NAMESPACES,
    keysOnly: true,
  };
  const { kvs } = await reader.range(range, { signal });
  return kvs.flatMap(({ key }) => utf8Strict(key.subarray(prefix.length)) ?? []);
}
