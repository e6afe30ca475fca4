/** Items of the engine as rows of the grid. */
import { toHex } from '../common/bytes';
import { keyText } from '../kube/print/keyText';
import type { Row } from '../protocol/model';
import type { ListItem } from '../store/interfaces';
import type { StoredValue } from '../targets/target';

/** A value that is no object has its key for a name. */
export function rowOf({ key, modRevision, size, object }: ListItem<StoredValue>): Row {
  const shared = { key: toHex(key), version: modRevision.toString(), size };
  const metadata = object.object?.metadata;
  if (metadata === undefined) {
    return { ...shared, namespace: '', name: keyText(key), labels: [], created: '' };
  }
  const { namespace, name, labels, creationTimestamp } = metadata;
  return { ...shared, namespace, name, labels: [...labels], created: creationTimestamp ?? '' };
}
