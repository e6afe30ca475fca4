/** Selectable fields of a protobuf object, made into texts one by one as selectors ask for them. */
import { WireReader } from '../decode/wire';
import type { StringSet } from '../selectors/types';
import {
  type FieldPlan,
  findWireFields,
  readWireFields,
  slotText,
  type WireSlots,
} from './readPlan';

export class WireFields implements StringSet {
  private readonly reader: WireReader;
  private readonly length: number;
  private slots: WireSlots | undefined;
  private known: StringSet | undefined;

  /** `object` adds the fields that the plan does not know, those of the metadata. */
  constructor(
    private readonly plan: FieldPlan,
    raw: Uint8Array,
    private readonly kind: string,
    private readonly object: { addRest(fields: Map<string, string>): void },
  ) {
    this.reader = new WireReader(raw);
    this.length = raw.length;
  }

  /** Throws `DecodeError` when bytes that fields stand in are damaged; so does every lookup then. */
  check(): void {
    this.found();
  }

  /** All of them, as a map. */
  get all(): StringSet {
    return (this.known ??= this.readAll());
  }

  get(name: string): string | undefined {
    const planned = this.plan.byName.get(name);
    if (planned === undefined || this.known !== undefined) return this.all.get(name);
    const { rule, slot } = planned;
    const slots = this.found();
    for (let i = 0; i < rule.sources.length; i++) {
      const text = slotText(this.reader, slots, slot + i);
      if (text !== '') return text;
    }
    return rule.absent;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
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

  private found(): WireSlots {
    return (this.slots ??= this.find());
  }

  /** From the beginning, since an attempt that failed left the reader in the middle. */
  private find(): WireSlots {
    const { reader } = this;
    reader.at = 0;
    reader.end = this.length;
    return findWireFields(this.plan, reader, this.kind);
  }

  private readAll(): StringSet {
    const fields = new Map<string, string>();
    readWireFields(this.plan, this.reader, this.found(), fields);
    this.object.addRest(fields);
    return fields;
  }
}
