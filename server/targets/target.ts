/** From a resource's name to what is listed: prefix, scope, fields and decoder. */
import { copyBytes } from '../common/bytes';
import { qualifiedName } from '../common/groupResource';
import { nearest } from '../common/nearest';
import type { EtcdReader } from '../etcd/interfaces';
import { isEtcdError } from '../etcd/errors';
import type { ItemType } from '../kube/decode/envelope';
import {
  attributesOf as objectAttributes,
  decodeObject,
  type StoredObject,
} from '../kube/decode/object';
import { DecodeError } from '../kube/decode/errors';
import { customFieldTransform, fieldTransformFor } from '../kube/fields/fieldLabels';
import {
  customSelectableFields,
  metadataFields,
  selectableFieldsOf,
  type SelectableFields,
} from '../kube/fields/selectableFields';
import { findResource, itemTypeOf, type FoundResource } from '../kube/resources/resources';
import { cellText as cell } from '../kube/print/cellText';
import { nearestText, suggestResources } from '../kube/resources/suggest';
import type { FieldTransform } from '../kube/selectors/types';
import type { GroupResource, InPlaceDecoder, ItemDecoder } from '../store/interfaces';
import { objectDecoder } from '../store/objectDecoder';
import type { CustomDefinition } from './customDefinition';
import { TargetError } from './errors';
import { definitionNames, findByWord, MOST_LOOKED_THROUGH, readDefinition } from './findCustom';

/** A stored value: its object where it is one. Only a plain prefix holds values that are none. */
export interface StoredValue {
  readonly object: StoredObject | undefined;
  readonly value: Uint8Array;
}

export interface ListTarget {
  readonly kind: 'objects' | 'values';
  /** As messages name it: `pods`, `deployments.apps` or the prefix. */
  readonly name: string;
  readonly groupResource: GroupResource;
  /** The API version asked for or preferred; empty for a prefix. */
  readonly version: string;
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

/** What looking up a name may read. Rejects with `TargetError` or `EtcdError`. */
export interface Lookup {
  readonly etcd: EtcdReader;
  /** Storage root, such as `/registry`. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** Told about reads beside the list's own. */
  readonly notice: (text: string) => void;
  /** Told of the definition of a custom resource that was read. */
  readonly onDefinition?: (definition: CustomDefinition) => void;
}

export async function resolveResource(word: string, lookup: Lookup): Promise<ListTarget> {
  const found = findResource(word);
  if (found !== undefined && !found.resource.custom) return builtInTarget(found, lookup.root);
  const definition = await findDefinition(word, found, lookup);
  lookup.onDefinition?.(definition);
  return customTarget(definition, found?.version ?? '', lookup.root);
}

/** A full etcd prefix: values are decoded where they are objects, and shown as values where not. */
export function prefixTarget(prefix: string): ListTarget {
  const fields = metadataFields(true);
  return {
    kind: 'values',
    name: prefix,
    groupResource: { group: '', resource: prefix },
    version: '',
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
  return objectAttributes(object);
}

function inPlaceAs<A, B>(objects: InPlaceDecoder<A>, as: (made: A) => B): InPlaceDecoder<B> {
  return {
    isSound: (bytes, start, end) => objects.isSound(bytes, start, end),
    make: (bytes, start, end) => as(objects.make(bytes, start, end)),
  };
}

function decoderOf(fields: SelectableFields, item?: ItemType): ListTarget['decoder'] {
  return ({ readsFields }) => {
    const objects = objectDecoder(fields, readsFields, item);
    const valueOf = (object: StoredObject): StoredValue => ({ object, value: object.value });
    return {
      transform: (value, item) => objects.transform(value, item),
      decode: (value, item) => valueOf(objects.decode(value, item)),
      attributes: attributesOf,
      ...(objects.rejecter && { rejecter: objects.rejecter }),
      ...(objects.inPlace && { inPlace: inPlaceAs(objects.inPlace, valueOf) }),
      detach: ({ value }) => valueOf(decodeObject(copyBytes(value), fields, item)),
    };
  };
}

export function builtInTarget({ resource, version }: FoundResource, root: string): ListTarget {
  const namespaced = resource.namespaced ?? true;
  const name = { group: resource.group, resource: resource.resource };
  return {
    kind: 'objects',
    name: qualifiedName(name),
    groupResource: name,
    version,
    root,
    path: `/${resource.prefix}`,
    namespaced,
    fieldTransform: fieldTransformFor(name, version),
    decoder: decoderOf(selectableFieldsOf(name, namespaced), itemTypeOf(resource)),
  };
}

/** `wanted` is the version asked for, empty for the stored one. */
export function customTarget(
  definition: CustomDefinition,
  wanted: string,
  root: string,
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
    version: version?.name ?? '',
    root,
    path: `/${group}/${plural}`,
    namespaced,
    fieldTransform: customFieldTransform(namespaced, paths),
    decoder: decoderOf(customSelectableFields(namespaced, paths)),
  };
}

/** Definitions are untrusted: a path that the API server would not have let in is passed over. */
export function isPlainPath(path: string): boolean {
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
  const { etcd, root, signal, notice } = lookup;
  try {
    if (found !== undefined) {
      const name = qualifiedName(found.resource);
      notice(`one read of the definition of ${cell(name)}, for its scope and fields`);
      const definition = await readDefinition(etcd, root, name, signal);
      if (definition !== undefined) return definition;
    }
    const names = await definitionNames(etcd, root, signal);
    if (found === undefined && !word.includes('.')) {
      if (names.length > 0) notice(lookingThrough(word, names.length));
      const definition = await findByWord(etcd, root, word, names, signal);
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

/** Said before definitions are read for a singular, kind or short name; the reads are no part of the list. */
function lookingThrough(word: string, definitions: number): string {
  const most = Math.min(definitions, Number(MOST_LOOKED_THROUGH));
  return `"${cell(word)}" is no built-in resource: up to ${most} of ${definitions} definitions of custom resources are read to find it`;
}

function unreadableDefinition(word: string, cause: DecodeError): TargetError {
  const message = `the definition of "${cell(word)}" cannot be read: ${cell(cause.message)}`;
  return new TargetError('unreadableDefinition', message, cause);
}

function unknownResource(
  word: string,
  customNames: readonly string[],
  more = '',
  cause?: unknown,
): TargetError {
  const names = nearestResources(word, customNames).map(cell);
  const near = names.length === 0 ? '' : `: ${nearestText(names)}`;
  const message = `there is no resource "${cell(word)}"${more}${near}`;
  return new TargetError('unknownResource', message, cause);
}

/** Built-in names looked at, of which those that are far are left out again. */
const SUGGESTED = 8;

/** At most three names that are near enough; untrusted text. */
export function nearestResources(word: string, customNames: readonly string[]): string[] {
  const known = [...customNames, ...suggestResources(word, SUGGESTED)];
  return nearest(word.toLowerCase(), known, 3);
}
