/**
 * Labels of a protobuf object, looked up where they stand. Most objects of a filtered list are asked
 * for a label or two and dropped, so nothing is made of the others.
 */
import type { StringSet } from '../selectors/types';
import { WireReader } from './wire';

const META_FIELD = 1;
const LABELS_FIELD = 11;

export class WireLabels implements StringSet {
  private readonly reader: WireReader;
  private known: StringSet | undefined;
  /** Where the value that was found stands; -1 for none. */
  private valueStart = -1;
  private valueEnd = 0;

  /** `raw` is an object whose metadata has been checked; `object` has a map of its labels. */
  constructor(
    raw: Uint8Array,
    private readonly object: { readonly metadata: { readonly labels: StringSet } },
  ) {
    this.reader = new WireReader(raw);
  }

  get(key: string): string | undefined {
    if (this.known !== undefined || !isAscii(key)) return this.all.get(key);
    const { reader } = this;
    reader.at = 0;
    this.valueStart = -1;
    while (reader.next('')) {
      if (reader.field === META_FIELD) this.searchMetadata(key);
      else reader.skip();
    }
    return this.valueStart < 0 ? undefined : reader.textAt(this.valueStart, this.valueEnd);
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

  private searchMetadata(key: string): void {
    const { reader } = this;
    const outer = reader.enter();
    while (reader.next('')) {
      if (reader.field === LABELS_FIELD) this.searchEntry(key);
      else reader.skip();
    }
    reader.leave(outer);
  }

  /** Reads as `readTextEntry` does. A later entry of the same key replaces an earlier one. */
  private searchEntry(key: string): void {
    const { reader } = this;
    const end = reader.extent();
    let keyStart = 0;
    let keyEnd = 0;
    let start = 0;
    let stop = 0;
    while (reader.at < end) {
      reader.tag();
      if (reader.field === 1) {
        keyEnd = reader.extent();
        keyStart = reader.at;
        reader.at = keyEnd;
      } else if (reader.field === 2) {
        stop = reader.extent();
        start = reader.at;
        reader.at = stop;
      } else {
        reader.skip(end);
      }
    }
    reader.at = end;
    if (!reader.isAsciiAt(keyStart, keyEnd, key)) return;
    this.valueStart = start;
    this.valueEnd = stop;
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
