/** Resources as far as they are known without asking etcd. */
import { qualifiedName } from '../common/groupResource';
import {
  DEFAULT_ROOT,
  findResource,
  type FoundResource,
  type Resource,
} from '../kube/resources/resources';
import { isCalled, type CustomDefinition } from '../targets/customDefinition';
import {
  builtInTarget,
  customTarget,
  nearestResources,
  prefixTarget,
  type ListTarget,
} from '../targets/target';
import type { OpenConnection } from './openConnection';

export type KnownTarget =
  | { readonly kind: 'target'; readonly target: ListTarget }
  /** Named like a custom resource, whose definition was not read: scope and fields are unknown. */
  | { readonly kind: 'custom'; readonly path: string; readonly name: string }
  /** `certain` when what is stored was looked at, and no definition can go by that name. */
  | {
      readonly kind: 'unknown';
      readonly nearest: () => readonly string[];
      readonly certain: boolean;
    };

/** Sends nothing. */
export function knownTarget(word: string, connection: OpenConnection | undefined): KnownTarget {
  const root = connection?.root ?? DEFAULT_ROOT;
  if (word.startsWith('/')) return { kind: 'target', target: prefixTarget(word) };
  const found = findResource(word);
  if (found !== undefined && !found.resource.custom) {
    return { kind: 'target', target: builtInTarget(found, root) };
  }
  const definition = knownDefinition(word, found, connection);
  if (definition !== undefined) {
    return { kind: 'target', target: customTarget(definition, found?.version ?? '', root) };
  }
  return withoutDefinition(word, found?.resource ?? namedByWord(word, connection), connection);
}

/** A resource whose plural is the word, by the name of its definition alone. */
function namedByWord(word: string, connection: OpenConnection | undefined): Resource | undefined {
  const start = `${word.toLowerCase()}.`;
  const name = [...(connection?.definitionNames ?? [])].find((each) => each.startsWith(start));
  return name === undefined ? undefined : findResource(name)?.resource;
}

function knownDefinition(
  word: string,
  found: FoundResource | undefined,
  connection: OpenConnection | undefined,
): CustomDefinition | undefined {
  if (connection === undefined) return undefined;
  const { definitions } = connection;
  if (found !== undefined) return definitions.get(qualifiedName(found.resource));
  return [...definitions.values()].find((each) => isCalled(each, word));
}

function withoutDefinition(
  word: string,
  resource: Resource | undefined,
  connection: OpenConnection | undefined,
): KnownTarget {
  const names = connection?.definitionNames;
  if (resource !== undefined) {
    const name = qualifiedName(resource);
    if (names?.has(name) ?? true) return { kind: 'custom', path: `/${resource.prefix}`, name };
  }
  const { definitions } = connection ?? { definitions: new Map<string, CustomDefinition>() };
  const known = [...new Set([...(names ?? []), ...definitions.keys()])];
  // Without a group it may be the singular or a short name of a definition that was not read.
  const certain =
    names !== undefined &&
    (resource !== undefined || [...names].every((name) => definitions.has(name)));
  return { kind: 'unknown', nearest: () => nearestResources(word, known), certain };
}
