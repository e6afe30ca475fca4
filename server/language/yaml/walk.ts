/** Along a document, to every place that the table of kinds names. */
import { isMap, isSeq } from 'yaml';
import type { Span } from '../../kube/selectors';
import type { KindNode } from './kinds';
import type { Row } from './kindRows';
import type { Entry, Tree, Value } from './tree';

export interface Place {
  readonly row: Row;
  readonly value: Value;
  /** The key that begins it; in a list the item itself. */
  readonly anchor: Span;
  /** As Kubernetes writes it in its errors, such as `spec.ingress[0].from[1].podSelector`. */
  readonly path: string;
  /** The map that holds it, or the list. */
  readonly parent: Value;
}

/** Goes no deeper than the table does. */
export function walkKind(
  tree: Tree,
  node: KindNode,
  object: Value,
  path: string,
  visit: (place: Place) => void,
): void {
  if (node.fields.size > 0 && isMap(object.node)) {
    for (const [name, entry] of knownFields(tree, node, object)) {
      const below = node.fields.get(name);
      if (below === undefined) continue;
      const at = path === '' ? name : `${path}.${name}`;
      step(tree, below, { value: entry, anchor: entry.keySpan, path: at, parent: object }, visit);
    }
  }
  const { items } = node;
  if (items === undefined || !isSeq(object.node)) return;
  tree.items(object).forEach((value, i) => {
    step(tree, items, { value, anchor: value.span, path: `${path}[${i}]`, parent: object }, visit);
  });
}

function step(
  tree: Tree,
  node: KindNode,
  at: Omit<Place, 'row'>,
  visit: (place: Place) => void,
): void {
  if (node.row !== undefined) visit({ ...at, row: node.row });
  walkKind(tree, node, at.value, at.path, visit);
}

/** Of equal keys the last one counts; one without a colon is still being typed. */
function knownFields(tree: Tree, node: KindNode, object: Value): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const isKnown = (key: unknown): boolean => typeof key === 'string' && node.fields.has(key);
  for (const entry of tree.entries(object, isKnown)) {
    if (!entry.isHalfTyped) found.set(String(entry.key.value), entry);
  }
  return found;
}
