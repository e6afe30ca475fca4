/** Custom resources as far as a connection knows them without asking etcd. */
import { qualifiedName } from '../../common/groupResource';
import { findResource } from '../../kube/resources/resources';
import type { KnownCustomResource } from '../../language/query/options';
import type { CustomDefinition } from '../../targets/customDefinition';
import { isPlainPath } from '../../targets/target';
import type { OpenConnection } from '../openConnection';

export type DefinitionsKnown = Pick<OpenConnection, 'definitions' | 'definitionNames'>;

const none: readonly KnownCustomResource[] = [];

/** The same array as long as nothing else is known. */
export class CustomResources {
  private all = none;
  private text = '';

  constructor(private readonly connection: DefinitionsKnown) {}

  get known(): readonly KnownCustomResource[] {
    const all = customResourcesOf(this.connection);
    const text = JSON.stringify(all);
    if (text !== this.text) [this.all, this.text] = [all, text];
    return this.all;
  }
}

function customResourcesOf({
  definitions,
  definitionNames = new Set(),
}: DefinitionsKnown): KnownCustomResource[] {
  const names = new Set([...definitionNames, ...definitions.keys()]);
  return [...names].sort().flatMap((name) => {
    const definition = definitions.get(name);
    return definition === undefined ? namedOnly(name) : [defined(definition)];
  });
}

/** Names in etcd are untrusted: one that no definition can have is passed over. */
function namedOnly(name: string): KnownCustomResource[] {
  const resource = findResource(name)?.resource;
  if (resource?.custom !== true || qualifiedName(resource) !== name) return [];
  const { group, resource: plural } = resource;
  return [{ group, plural, otherNames: [], namespaced: undefined, selectablePaths: undefined }];
}

function defined(definition: CustomDefinition): KnownCustomResource {
  const { group, plural, singular, kind, shortNames, namespaced, versions } = definition;
  const otherNames = [singular, kind, ...shortNames].map((name) => name.toLowerCase());
  const paths = versions.flatMap(({ selectablePaths }) => selectablePaths).filter(isPlainPath);
  return { group, plural, otherNames, namespaced, selectablePaths: [...new Set(paths)] };
}
