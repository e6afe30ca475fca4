/**
 * Looks at a protobuf object where it stands in a reply, and tells whether it is sound and yet not
 * selected, as most objects of a filtered list are: nothing is made of those. Whatever is out of the
 * ordinary is left to the decoder, which knows every case.
 */
import type { ItemType } from './envelope';
import type { Glance } from './glanceTests';
import { PlainEnvelope } from './plainEnvelope';
import { behindVarint, contentAt, lengthAt, skim, tagAt, type Shape } from './skim';

/** What is done at a tag. Up to `flag` an integer stands there, from `bytes` on a length and that much. */
export const Act = {
  stop: 0,
  pass: 1,
  flag: 2,
  bytes: 3,
  check: 4,
  text: 5,
  label: 6,
  inside: 7,
  /** Only the first of several counts. */
  first: 8,
} as const;

/** By tag: the field's number times eight, plus its wire type. */
export interface LookShape {
  readonly acts: Uint8Array;
  /** Where a text or flag is noted. */
  readonly slots: Uint8Array;
  /** Messages that are only checked. */
  readonly checked: (Shape | undefined)[];
  readonly inside: (LookShape | undefined)[];
}

/** Stands for a text's end where a number was noted in place of its start. */
export const NUMBER = -2;
const ABSENT = -1;

export interface LookPlan {
  /** What the object's own message is gone over by. */
  readonly object: LookShape;
  /** Labels asked for, as bytes; label `i` is noted in slot `i`. */
  readonly labels: readonly Uint8Array[];
  readonly slotCount: number;
  /** All must hold for an object to be selected; each may also hold when it cannot tell. */
  readonly tests: readonly Glance[];
}

export class QuickLook {
  /** Two numbers a slot: start and end of a text, or a number and `NUMBER`. */
  private readonly found: Int32Array;
  private readonly envelope: PlainEnvelope;
  /** Whether the first element of a list was seen in this object. */
  private wasInFirst = false;

  constructor(
    item: ItemType,
    private readonly plan: LookPlan,
  ) {
    this.found = new Int32Array(2 * plan.slotCount);
    this.envelope = new PlainEnvelope(item);
  }

  /** True only for an object that can be read and is not selected. */
  rejects(bytes: Uint8Array, start: number, end: number): boolean {
    const { found, plan, envelope } = this;
    const from = envelope.messageAt(bytes, start, end);
    if (from < 0) return false;
    found.fill(ABSENT);
    this.wasInFirst = false;
    if (!this.look(bytes, from, envelope.endOf(end), plan.object)) return false;
    for (const test of plan.tests) if (!test(bytes, found)) return true;
    return false;
  }

  private look(data: Uint8Array, start: number, end: number, shape: LookShape): boolean {
    let at = start;
    let wasInFirst = false;
    while (at < end) {
      const tag = tagAt(data, at);
      at += tag < 0x80 ? 1 : 2;
      const act = shape.acts[tag] ?? Act.stop;
      if (act < Act.bytes) {
        if (!this.isInteger(data, at, shape, tag)) return false;
        at = behindVarint(data, at);
        continue;
      }
      const content = contentAt(data, at);
      at = content + lengthAt(data, at);
      if (at > end) return false;
      if (act === Act.bytes || (act === Act.first && wasInFirst)) continue;
      if (act === Act.first) wasInFirst = true;
      if (!this.enter(data, content, at, shape, tag)) return false;
    }
    return at === end;
  }

  private enter(
    data: Uint8Array,
    start: number,
    end: number,
    { acts, slots, checked, inside }: LookShape,
    tag: number,
  ): boolean {
    switch (acts[tag]) {
      case Act.text:
        this.put(slots[tag] ?? 0, start, end);
        return true;
      case Act.label:
        return this.isLabel(data, start, end);
      case Act.check: {
        const message = checked[tag];
        return message !== undefined && skim(data, start, end, message);
      }
      case Act.first:
        // What the list stands in came before, in another part: which is first, the decoder knows.
        if (this.wasInFirst) return false;
        this.wasInFirst = true;
        break;
      default:
    }
    const message = inside[tag];
    return message !== undefined && this.look(data, start, end, message);
  }

  /** A map entry as Kubernetes writes one: a key, then a value. */
  private isLabel(data: Uint8Array, start: number, end: number): boolean {
    const key = contentAt(data, start + 1);
    const keyEnd = key + lengthAt(data, start + 1);
    if (data[start] !== 0x0a || keyEnd >= end || data[keyEnd] !== 0x12) return false;
    const value = contentAt(data, keyEnd + 1);
    if (value + lengthAt(data, keyEnd + 1) !== end) return false;
    const { labels } = this.plan;
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i];
      if (label !== undefined && isSame(data, key, keyEnd, label)) this.put(i, value, end);
    }
    return true;
  }

  /** An integer that is passed over, or one of one byte, which is noted. */
  private isInteger(
    data: Uint8Array,
    at: number,
    { acts, slots }: LookShape,
    tag: number,
  ): boolean {
    if (acts[tag] === Act.pass) return true;
    const byte = data[at] ?? 0x80;
    this.put(slots[tag] ?? 0, byte, NUMBER);
    return acts[tag] === Act.flag && byte < 0x80;
  }

  private put(slot: number, start: number, end: number): void {
    this.found[2 * slot] = start;
    this.found[2 * slot + 1] = end;
  }
}

export function isSame(data: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  const { length } = text;
  if (end - start !== length) return false;
  for (let i = 0; i < length; i++) if (data[start + i] !== text[i]) return false;
  return true;
}
