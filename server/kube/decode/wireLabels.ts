/**
 * Labels of a protobuf object, looked up where they stand. Most objects of a filtered list are asked
 * for a label or two and dropped, so nothing is made of the others.
 */
import type { StringSet } from '../selectors/types';
import { findLabel } from './skim';
import { WireReader } from './wire';

export class WireLabels implements StringSet {
  private known: StringSet | undefined;

  /** `raw` is a plainly sound object, `object` what has a map of its labels. */
  constructor(
    private readonly raw: Uint8Array,
    private readonly object: { readonly metadata: { readonly labels: StringSet } },
  ) {}

  get(key: string): string | undefined {
    if (this.known !== undefined || !isAscii(key)) return this.all.get(key);
    const found = findLabel(this.raw, key);
    return found && new WireReader(this.raw).textAt(found.start, found.end);
  }

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

  private get all(): StringSet {
    return (this.known ??= this.object.metadata.labels);
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
