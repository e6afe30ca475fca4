/** From the word on the command line to what is listed: prefix, scope, fields and decoder. */
import { copyBytes } from '../common/bytes';
import { qualifiedName } from '../common/groupResource';
import type { EtcdReader } from '../etcd/interfaces';
import { isEtcdError } from '../etcd/errors';
import type { ItemType } from '../kube/decode/envelope';
import { decodeObject, type StoredObject } from '../kube/decode/object';
import { DecodeError } from '../kube/decode/errors';
import { customFieldTransform, fieldTransformFor } from '../kube/fields/fieldLabels';
import {
  customSelectableFields,
  metadataFields,
  selectableFieldsOf,
  type SelectableFields,
} from '../kube/fields/selectableFields';
import { findResource, itemTypeOf, type FoundResource } from '../kube/resources/resources';
import { suggestResources } from '../kube/resources/suggest';
import type { FieldTransform } from '../kube/selectors/types';
import type { GroupResource, ItemDecoder } from '../store/interfaces';
import { objectDecoder } from '../store/objectDecoder';
import type { ConnectionPlan } from './args/plan';
import type { CustomDefinition } from './customDefinition';
import { failure, usageError } from './exit';
import { definitionNames, findByWord, readDefinition } from './findCustom';
import { nearest } from '../common/nearest';
import type { StoredValue } from './output/rows';
import { cell } from './output/text';

export interface ListTarget {
  readonly kind: 'objects' | 'values';
  /** As messages name it: `pods`, `deployments.apps` or the prefix. */
  readonly name: string;
  readonly groupResource: GroupResource;
  readonly root: string;
  /** Path below the root, with a leading slash and none at its end. */
  readonly path: string;
  readonly namespaced: boolean;
  readonly fieldTransform: FieldTransform;
  readonly decoder: (options: DecoderOptions) => ItemDecoder<StoredValue>;
}

export interface DecoderOptions {
  /** A field selector will ask for the selectable fields. */
  readonly readsFields: boolean;
  /** Told of each value that a selector cannot judge, since it is no object. */
  readonly onUnjudged: (value: StoredValue) => void;
}

/** What looking up a name may read. */
export interface Lookup {
  readonly etcd: EtcdReader;
  readonly connection: ConnectionPlan;
  readonly signal: AbortSignal;
  /** Told about reads beside the list's own. */
  readonly notice: (text: string) => void;
}

export async function resolveResource(word: string, lookup: Lookup): Promise<ListTarget> {
  const found = findResource(word);
  if (found !== undefined && !found.resource.custom) return builtInTarget(found, lookup);
  const definition = await findDefinition(word, found, lookup);
  return customTarget(definition, found?.version ?? '', lookup);
}

/** A full etcd prefix: values are decoded where they are objects, and shown as values where not. */
export function prefixTarget(prefix: string): ListTarget {
  const fields = metadataFields(true);
  return {
    kind: 'values',
    name: prefix,
    groupResource: { group: '', resource: prefix },
    root: '/',
    path: prefix,
    namespaced: false,
    fieldTransform: fieldTransformFor({ group: '', resource: '' }, ''),
    decoder: ({ onUnjudged }) => ({
      transform: (value) => value,
      decode: (value) => storedValue(value, fields),
      attributes: (stored) => {
        if (stored.object === undefined) onUnjudged(stored);
        return attributesOf(stored);
      },
      detach: ({ value }) => storedValue(copyBytes(value), fields),
    }),
  };
}

const storedValue = (value: Uint8Array, fields: SelectableFields): StoredValue => ({
  object: decodeIfObject(value, fields),
  value,
});

function decodeIfObject(value: Uint8Array, fields: SelectableFields): StoredValue['object'] {
  try {
    return decodeObject(value, fields);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function attributesOf({ object }: StoredValue) {
  if (object === undefined) throw new DecodeError('the value is no Kubernetes object');
  return { labels: object.metadata.labels, fields: object.fields };
}

function decoderOf(fields: SelectableFields, item?: ItemType): ListTarget['decoder'] {
  return ({ readsFields }) => {
    const objects = objectDecoder(fields, readsFields, item);
    const valueOf = (object: StoredObject): StoredValue => ({ object, value: object.value });
    return {
      transform: (value, item) => objects.transform(value, item),
      decode: (value, item) => valueOf(objects.decode(value, item)),
      attributes: attributesOf,
      detach: ({ value }) => valueOf(decodeObject(copyBytes(value), fields, item)),
    };
  };
}

function builtInTarget({ resource, version }: FoundResource, { connection }: Lookup): ListTarget {
  const namespaced = resource.namespaced ?? true;
  const name = { group: resource.group, resource: resource.resource };
  return {
    kind: 'objects',
    name: qualifiedName(name),
    groupResource: name,
    root: connection.root,
    path: `/${resource.prefix}`,
    namespaced,
    fieldTransform: fieldTransformFor(name, version),
    decoder: decoderOf(selectableFieldsOf(name, namespaced), itemTypeOf(resource)),
  };
}

function customTarget(
  definition: CustomDefinition,
  wanted: string,
  { connection }: Lookup,
): ListTarget {
  const { group, plural, namespaced, versions } = definition;
  const version =
    versions.find(({ name }) => name === wanted) ?? versions.find(({ storage }) => storage);
  const paths = (version?.selectablePaths ?? []).filter(isPlainPath);
  const name = { group, resource: plural };
  return {
    kind: 'objects',
    name: qualifiedName(name),
    groupResource: name,
    root: connection.root,
    path: `/${group}/${plural}`,
    namespaced,
    fieldTransform: customFieldTransform(namespaced, paths),
    decoder: decoderOf(customSelectableFields(namespaced, paths)),
  };
}

/** Definitions are untrusted: a path that the API server would not have let in is passed over. */
function isPlainPath(path: string): boolean {
  try {
    customSelectableFields(true, [path]);
    return true;
  } catch {
    return false;
  }
}

async function findDefinition(
  word: string,
  found: FoundResource | undefined,
  lookup: Lookup,
): Promise<CustomDefinition> {
  const { etcd, connection, signal, notice } = lookup;
  try {
    if (found !== undefined) {
      const name = qualifiedName(found.resource);
      notice(`one read of the definition of ${cell(name)}, for its scope and fields`);
      const definition = await readDefinition(etcd, connection.root, name, signal);
      if (definition !== undefined) return definition;
    }
    const names = await definitionNames(etcd, connection.root, signal);
    if (found === undefined && !word.includes('.')) {
      const definition = await findByWord(etcd, connection.root, word, names, signal);
      if (definition !== undefined) {
        notice(
          `"${cell(word)}" is ${cell(qualifiedName({ group: definition.group, resource: definition.plural }))}, found among the definitions of custom resources`,
        );
        return definition;
      }
    }
    throw unknownResource(word, names);
  } catch (error) {
    if (error instanceof DecodeError) throw unreadableDefinition(word, error);
    if (!isEtcdError(error) || found !== undefined || error.code === 'cancelled') throw error;
    throw unknownResource(word, [], ', and custom resources could not be looked up in etcd', error);
  }
}

function unreadableDefinition(word: string, error: DecodeError): Error {
  const text = `the definition of "${cell(word)}" cannot be read: ${cell(error.message)}`;
  return failure(`${text}; list its prefix, such as /registry/GROUP/PLURAL/, instead`, {
    cause: error,
  });
}

/** Built-in names looked at, of which those that are far are left out again. */
const SUGGESTED = 8;

function unknownResource(word: string, customNames: readonly string[], more = '', cause?: unknown) {
  const known = [...customNames, ...suggestResources(word, SUGGESTED)];
  const names = nearest(word.toLowerCase(), known, 3).map(cell);
  const near = names.length === 0 ? '' : `: the nearest are ${names.join(', ')}`;
  return usageError(
    `there is no resource "${cell(word)}"${more}${near}; "etcd-list resources" says what is stored`,
    { cause },
  );
}
