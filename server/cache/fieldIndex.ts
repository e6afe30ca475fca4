/**
 * Lists that an API server reads through an index of its cache: what the index leaves out is not fetched,
 * and nothing of it makes a page end with more to come. Upstream: `Indexers` of `pkg/registry/core/pod`,
 * `GetByIndexSnapshot` in `pkg/storage/cacher/store`.
 */
import type { GroupResource, ItemDecoder, Predicate } from '../store/interfaces';
import { matcherIndex } from '../store/predicate';
import type { CachedItem } from './cachedItem';

export interface IndexedItems<T> {
  readonly items: readonly CachedItem<T>[];
  /** Of the index, as the metrics name it; empty for none. */
  readonly index: string;
}

/** Pods have one, of their nodes. No other resource has any. */
export const indexFieldsOf = ({ group, resource }: GroupResource): readonly string[] =>
  group === '' && resource === 'pods' ? ['spec.nodeName'] : [];

/** Objects of a range as the first index gives them that the field selector demands one value of. */
export function byIndex<T>(
  items: readonly CachedItem<T>[],
  { label, field }: Predicate,
  indexFields: readonly string[],
  decoder: Pick<ItemDecoder<T>, 'attributes'>,
): IndexedItems<T> {
  const [match] = matcherIndex({ label, field, indexFields, indexLabels: [], namespace: '' });
  if (match === undefined) return { items, index: '' };
  const name = match.index.slice('f:'.length);
  const found = items.filter(({ object }) => valueOf(decoder, object, name) === match.value);
  return { items: found, index: match.index };
}

/** Undefined where the fields cannot be read. */
function valueOf<T>(
  decoder: Pick<ItemDecoder<T>, 'attributes'>,
  object: T,
  name: string,
): string | undefined {
  try {
    return decoder.attributes(object).fields.get(name) ?? '';
  } catch {
    return undefined;
  }
}
