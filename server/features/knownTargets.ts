/** Resources as far as they are known without asking etcd. */
import { qualifiedName } from '../common/groupResource';
import { findResource, type FoundResource } from '../kube/resources/resources';
import { isCalled, type CustomDefinition } from '../targets/customDefinition';
import {
  builtInTarget,
  customTarget,
  nearestResources,
  prefixTarget,
  type ListTarget,
} from '../targets/target';
import type { OpenConnection } from './openConnection';

export const defaultRoot = '/registry';

export type KnownTarget =
  | { readonly kind: 'target'; readonly target: ListTarget }
  /** Named like a custom resource, whose definition was not read: scope and fields are unknown. */
  | { readonly kind: 'custom'; readonly path: string; readonly name: string }
  /** `certain` when every definition that is stored was looked at. */
  | { readonly kind: 'unknown'; readonly nearest: readonly string[]; readonly certain: boolean };

/** Sends nothing. */
export function knownTarget(word: string, connection: OpenConnection | undefined): KnownTarget {
  const root = connection?.root ?? defaultRoot;
  if (word.startsWith('/')) return { kind: 'target', target: prefixTarget(word) };
  const found = findResource(word);
  if (found !== undefined && !found.resource.custom) {
    return { kind: 'target', target: builtInTarget(found, root) };
  }
  const definition = knownDefinition(word, found, connection);
  if (definition !== undefined) {
    return { kind: 'target', target: customTarget(definition, found?.version ?? '', root) };
  }
  return withoutDefinition(word, found, connection);
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
  found: FoundResource | undefined,
  connection: OpenConnection | undefined,
): KnownTarget {
  const certain = connection?.definitionsComplete ?? false;
  if (found !== undefined && !certain) {
    return {
      kind: 'custom',
      path: `/${found.resource.prefix}`,
      name: qualifiedName(found.resource),
    };
  }
  const custom = [...(connection?.definitions.keys() ?? [])];
  return { kind: 'unknown', nearest: nearestResources(word, custom), certain };
}
