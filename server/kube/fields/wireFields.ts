/** Selectable fields of a protobuf object, made into texts one by one as selectors ask for them. */
import { LazySet } from '../decode/lazySet';
import { WireReader } from '../decode/wire';
import type { StringSet } from '../selectors/types';
import {
  type FieldPlan,
  findWireFields,
  readWireFields,
  slotText,
  type WireSlots,
} from './readPlan';

export class WireFields extends LazySet {
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
    super();
    this.reader = new WireReader(raw);
    this.length = raw.length;
  }

  /** Throws `DecodeError` when bytes that fields stand in are damaged; so does every lookup then. */
  check(): void {
    this.found();
  }

  /** All of them, as a map. */
  override get all(): StringSet {
    return (this.known ??= this.readAll());
  }

  override get(name: string): string | undefined {
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
