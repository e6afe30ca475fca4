/** What the labels that are known already tell of the keys of a query. Nothing is read for it. */
import type { AskedList } from '../../explain/asked';
import type { StoredKeys } from '../../explain/estimateModel';
import { indexedKeys } from '../../explain/estimateSample';
import { parseFieldSelector, parseLabelSelector, SelectorError } from '../../kube/selectors';
import type { Selection } from '../../language/index/labelIndex';
import type { StoredLabels } from '../../language/index/storedLabels';

/** Undefined where no index is there of just these keys, as of a list that goes on from a token. */
export function keysInIndex(
  asked: AskedList,
  stored: Pick<StoredLabels, 'index'>,
): StoredKeys | undefined {
  const { resource, namespace, from, named } = asked;
  if (named || resource.startsWith('/') || from.kind !== 'beginning') return undefined;
  const index = stored.index(resource, namespace === '' ? undefined : namespace);
  if (index === undefined) return undefined;
  const selection = selectionOf(asked, index.resource.fieldTransform);
  if (selection === undefined) return undefined;
  const { objects, total, unreadable, places } = index.coverage;
  const matched = index.matching([selection]);
  return indexedKeys({ keys: total, objects: objects + unreadable, places, matched });
}

/** Undefined for what cannot be read. */
function selectionOf(
  { labelSelector, fieldSelector }: AskedList,
  transform: Parameters<typeof parseFieldSelector>[1],
): Selection | undefined {
  try {
    return {
      label: parseLabelSelector(labelSelector),
      field: parseFieldSelector(fieldSelector, transform),
    };
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
