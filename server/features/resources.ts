/** What can be listed: the built-in resources and what is stored. */
import { concatBytes, prefixEnd, utf8, utf8Strict } from '../common/bytes';
import { DecodeError } from '../kube/decode/errors';
import { BUILT_IN, resourceOfPrefix, rootBytes, type Resource } from '../kube/resources/resources';
import type { ResourceEntry } from '../protocol/model';
import { discoverPrefixes, type StoredPrefix } from '../targets/discover';
import { definitionNames, readDefinition } from '../targets/findCustom';
import { utf8Lossy } from '../common/bytes';
import { qualifiedName } from '../common/groupResource';
import type { ConnectionHolder } from './connectionHolder';
import type { OpenConnection } from './openConnection';
import { nothing } from './params';
import type { Router } from './router';

const MOST_NAMESPACES = 2000n;
/** Definitions read at most, for scope and kind, and how many at a time. */
const MOST_DEFINITIONS = 300;
const AT_ONCE = 4;

export function registerResources(router: Router, holder: ConnectionHolder): void {
  router.handle('etcdList/resources', nothing, async (_, { signal }) => {
    const connection = holder.current;
    if (connection === undefined) return BUILT_IN.map((resource) => entryOf(resource, false));
    return storedResources(connection, AbortSignal.any([signal, connection.closed]));
  });
  router.handle('etcdList/namespaces', nothing, async (_, { signal }) => {
    const connection = holder.required();
    return namespaces(connection, AbortSignal.any([signal, connection.closed]));
  });
}

async function storedResources(
  connection: OpenConnection,
  signal: AbortSignal,
): Promise<ResourceEntry[]> {
  const { reader, root } = connection;
  const { prefixes } = await discoverPrefixes(reader, rootBytes(root), signal);
  const stored = new Set(prefixes.map(({ prefix }) => utf8Lossy(prefix)));
  const builtIn = BUILT_IN.map((resource) => entryOf(resource, stored.has(resource.prefix)));
  const custom = customOf(prefixes);
  await readDefinitions(connection, custom, signal);
  return [...builtIn, ...custom.map((resource) => customEntry(connection, resource))];
}

function customOf(prefixes: readonly StoredPrefix[]): Resource[] {
  return prefixes.flatMap(({ prefix, isKey }) => {
    const owner = resourceOfPrefix(utf8Lossy(prefix));
    return owner.type === 'resource' && owner.resource.custom && !isKey ? [owner.resource] : [];
  });
}

/** Definitions that are missing or unreadable leave kind and scope unknown. */
async function readDefinitions(
  connection: OpenConnection,
  custom: readonly Resource[],
  signal: AbortSignal,
): Promise<void> {
  const { reader, root, definitions } = connection;
  const wanted = custom.map(qualifiedName).filter((name) => !definitions.has(name));
  const queue = wanted.slice(0, MOST_DEFINITIONS);
  const worker = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      try {
        const definition = await readDefinition(reader, root, name, signal);
        if (definition !== undefined) definitions.set(name, definition);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const names = await definitionNames(reader, root, signal);
  connection.definitionsComplete = names.every((name) => definitions.has(name));
}

function entryOf(resource: Resource, stored: boolean): ResourceEntry {
  const { kind, namespaced = true } = resource;
  return { name: qualifiedName(resource), kind, namespaced, stored };
}

function customEntry(connection: OpenConnection, resource: Resource): ResourceEntry {
  const name = qualifiedName(resource);
  const definition = connection.definitions.get(name);
  const { kind = '', namespaced = true } = definition ?? {};
  return { name, kind, namespaced, stored: true };
}

async function namespaces(
  { reader, root }: OpenConnection,
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
