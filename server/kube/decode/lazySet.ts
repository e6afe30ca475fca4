import type { StringSet } from '../selectors/types';

/** A set that answers single keys out of the bytes, and is made into a map when all are wanted. */
export abstract class LazySet implements StringSet {
  /** All of it, made at the first use. */
  abstract get all(): StringSet;

  abstract get(key: string): string | undefined;

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return this.all.size;
  }

  entries(): MapIterator<[string, string]> {
    return this.all.entries();
  }

  keys(): MapIterator<string> {
    return this.all.keys();
  }

  values(): MapIterator<string> {
    return this.all.values();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }

  forEach(callback: (value: string, key: string, map: StringSet) => void): void {
    for (const [key, value] of this.all) callback(value, key, this);
  }
}
