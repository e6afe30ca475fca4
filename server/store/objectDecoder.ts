/** Stored Kubernetes objects as the engine's items. */
import { copyBytes } from '../common/bytes';
import type { ItemType } from '../kube/decode/envelope';
import { inPlaceOf } from '../kube/decode/inPlace';
import { quickLookFor } from '../kube/decode/lookPlan';
import { attributesOf, decodeObject, readFields, type StoredObject } from '../kube/decode/object';
import { transform } from '../kube/decode/transform';
import type { SelectableFields } from '../kube/fields/selectableFields';
import type { ItemDecoder } from './interfaces';

/**
 * Decodes type and metadata, and the selectable fields when `readsFields` says that a field selector
 * will ask for them: damage found there ends a list as damage in the metadata does. `item` is the
 * type of a built-in resource's items, see `decodeObject`.
 */
export function objectDecoder(
  selectable: SelectableFields,
  readsFields: boolean,
  item?: ItemType,
): ItemDecoder<StoredObject> {
  // Damage in fields is found by who reads them.
  const inPlace = item && !readsFields ? inPlaceOf(item, selectable) : undefined;
  return {
    transform: (value) => transform(value),
    decode: (value) => {
      const object = decodeObject(value, selectable, item);
      if (readsFields) readFields(object);
      return object;
    },
    ...(inPlace !== undefined && { inPlace }),
    attributes: attributesOf,
    rejecter: (predicate) => {
      const look = item && quickLookFor(predicate, { selectable, readsFields, item });
      return look && ((bytes, start, end) => look.rejects(bytes, start, end));
    },
    detach: ({ value }) => decodeObject(copyBytes(value), selectable, item),
  };
}
