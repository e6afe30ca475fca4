/** One object of the cache. It holds memory of its own, never a reply's. */
import { copyBytes } from '../common/bytes';
import { StoreError } from '../store/errors';
import { untransformable } from '../store/errorTexts';
import type { ItemDecoder, ListItem } from '../store/interfaces';
import { keyOf, orderOf } from './keyOrder';

export class CachedItem<T> implements ListItem<T> {
  constructor(
    /** The key, see `keyOrder.ts`. */
    readonly order: string,
    readonly object: T,
    readonly modRevision: bigint,
    readonly size: number,
  ) {}

  /** Made anew each time. */
  get key(): Uint8Array {
    return keyOf(this.order);
  }
}

export interface StoredItem {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly modRevision: bigint;
}

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** Throws the `StoreError` of a value that cannot be read: no cache can hold it (rule E3). */
export function cachedItem<T>(decoder: ItemDecoder<T>, stored: StoredItem): CachedItem<T> {
  const { modRevision } = stored;
  const item = { key: copyBytes(stored.key), modRevision };
  let plain: Uint8Array;
  try {
    plain = decoder.transform(copyBytes(stored.value), item);
  } catch (thrown) {
    throw untransformable(item.key, asError(thrown));
  }
  try {
    const object = decoder.decode(plain, item);
    return new CachedItem(orderOf(item.key), object, modRevision, stored.value.length);
  } catch (thrown) {
    const error = asError(thrown);
    const detail = { code: 'undecodable', message: error.message, key: item.key } as const;
    throw new StoreError({ ...detail, cause: error });
  }
}
