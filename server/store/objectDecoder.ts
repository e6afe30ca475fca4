/** Stored Kubernetes objects as the engine's items. */
import { copyBytes } from '../common/bytes';
import { decodeObject, readFields, type StoredObject } from '../kube/decode/object';
import { transform } from '../kube/decode/transform';
import type { SelectableFields } from '../kube/fields/selectableFields';
import type { ItemDecoder } from './interfaces';

/**
 * Decodes type and metadata, and the selectable fields when `readsFields` says that a field selector
 * will ask for them: damage found there ends a list as damage in the metadata does.
 */
export function objectDecoder(
  selectable: SelectableFields,
  readsFields: boolean,
): ItemDecoder<StoredObject> {
  return {
    transform: (value) => transform(value),
    decode: (value) => {
      const object = decodeObject(value, selectable);
      if (readsFields) readFields(object);
      return object;
    },
    attributes: ({ metadata, fields }) => ({ labels: metadata.labels, fields }),
    detach: ({ value }) => decodeObject(copyBytes(value), selectable),
  };
}
