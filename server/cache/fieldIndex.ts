/**
 * Lists that an API server reads through an index of its cache: what the index leaves out is not fetched,
 * and nothing of it makes a page end with more to come. Upstream: `Indexers` of `pkg/registry/core/pod`,
 * `GetByIndexSnapshot` in `pkg/storage/cacher/store`.
 */
import type { GroupResource, ItemDecoder, Predicate } from '../store/interfaces';
import { matcherIndex } from '../store/predicate';
import type { CachedItem } from './cachedItem';
import { Pass, type PassAsk } from './pass';

export interface IndexedItems<T> {
  readonly items: readonly CachedItem<T>[];
  /** Of the index, as the metrics name it; empty for none. */
  readonly index: string;
}

/** Pods have one, of their nodes. No other resource has any. */
export const indexFieldsOf = ({ group, resource }: GroupResource): readonly string[] =>
  group === '' && resource === 'pods' ? ['spec.nodeName'] : [];

export interface IndexAsk<T> extends PassAsk {
  readonly decoder: Pick<ItemDecoder<T>, 'attributes'>;
  readonly predicate: Pick<Predicate, 'label' | 'field'>;
  /** Of the resource. */
  readonly indexFields: readonly string[];
}

/**
 * Objects of a range as the first index gives them that the field selector demands one value of. Gives
 * way to other work.
 */
export async function byIndex<T>(
  ask: IndexAsk<T>,
  items: readonly CachedItem<T>[],
): Promise<IndexedItems<T>> {
  const { decoder, predicate, indexFields } = ask;
  const { label, field } = predicate;
  const [match] = matcherIndex({ label, field, indexFields, indexLabels: [], namespace: '' });
  if (match === undefined) return { items, index: '' };
  const name = match.index.slice('f:'.length);
  const found: CachedItem<T>[] = [];
  const pass = new Pass(ask);
  for (const item of items) {
    if (valueOf(decoder, item.object, name) === match.value) found.push(item);
    if (pass.due()) await pass.rest();
  }
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
