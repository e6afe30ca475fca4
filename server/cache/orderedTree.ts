/**
 * Values in the order of their keys, in a tree that is copied where it changes: a view of it as it is
 * costs nothing to take and never changes. Upstream: `btreeStore` in `pkg/storage/cacher/store`.
 */
import BTree from 'sorted-btree';

export interface OrderedView<V> {
  readonly size: number;
  get(order: string): V | undefined;
  /** Those from `start` on and before `end`. */
  range(start: string, end: string): V[];
}

/** As many as upstream's tree of degree 16 has in a node at most. */
const maxNodeSize = 32;

const byOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export class OrderedTree<V> implements OrderedView<V> {
  private readonly tree: BTree<string, V>;

  constructor(tree: BTree<string, V> = new BTree<string, V>(undefined, byOrder, maxNodeSize)) {
    this.tree = tree;
  }

  get size(): number {
    return this.tree.size;
  }

  get(order: string): V | undefined {
    return this.tree.get(order);
  }

  range(start: string, end: string): V[] {
    const found: V[] = [];
    this.tree.forRange(start, end, false, (_, value) => {
      found.push(value);
    });
    return found;
  }

  /** The value that stood there before. */
  set(order: string, value: V): V | undefined {
    const before = this.tree.get(order);
    this.tree.set(order, value);
    return before;
  }

  /** The value that stood there. */
  delete(order: string): V | undefined {
    const before = this.tree.get(order);
    this.tree.delete(order);
    return before;
  }

  /** The tree as it is now, whatever changes in this one later. */
  snapshot(): OrderedView<V> {
    return new OrderedTree(this.tree.clone());
  }
}
