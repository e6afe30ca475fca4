/** A message while it is read, and the JSON it becomes: upstream's members, zero values and nulls. */
import type { JsonObject, JsonValue } from '../decode/jsonText';
import { joinFields } from '../print/undecoded';
import { type Field, type Shape, shapeOf } from './shapes';

/** The member that holds, by number, what the descriptor does not know. */
export const UNDECODED = 'x-undecoded';

export type Slot = JsonValue | Draft | JsonValue[] | Map<string, JsonValue>;

export class Draft {
  /** By the fields' positions. */
  readonly slots: (Slot | undefined)[] = [];
  /** Fields by number that the shape lacks. */
  readonly unknown = new Map<string, JsonValue[]>();

  constructor(readonly shape: Shape) {}

  /** The message already begun in the slot, since a second occurrence merges into the first. */
  messageIn(field: Field, shape: Shape): Draft {
    const begun = this.slots[field.at];
    if (begun instanceof Draft) return begun;
    const draft = new Draft(shape);
    this.slots[field.at] = draft;
    return draft;
  }

  listIn(field: Field): JsonValue[] {
    const begun = this.slots[field.at];
    if (Array.isArray(begun)) return begun;
    const list: JsonValue[] = [];
    this.slots[field.at] = list;
    return list;
  }

  mapIn(field: Field): Map<string, JsonValue> {
    const begun = this.slots[field.at];
    if (begun instanceof Map) return begun;
    const map = new Map<string, JsonValue>();
    this.slots[field.at] = map;
    return map;
  }

  /** The object; fields without a name stand by number under `x-undecoded`. */
  finish(): JsonObject {
    const members: [string, JsonValue][] = [];
    const undecoded = this.collect(members);
    if (undecoded !== undefined) members.push([UNDECODED, undecoded]);
    return Object.fromEntries(members);
  }

  /** Adds the members, and returns the fields that have no name. */
  private collect(members: [string, JsonValue][]): JsonObject | undefined {
    for (const field of this.shape.fields) {
      const slot = this.slots[field.at];
      if (field.name === '') this.collectInline(field, slot, members);
      else if (slot === undefined) {
        if (field.keep) members.push([field.name, zeroOf(field)]);
      } else {
        const value = plain(slot);
        if (field.keep || field.container !== 'one' || !isZero(value)) {
          members.push([field.name, value]);
        }
      }
    }
    return this.unknown.size > 0 ? joinFields(this.unknown) : undefined;
  }

  /** The members of a message that has no name of its own; what it lacks stays under its number. */
  private collectInline(
    field: Field,
    slot: Slot | undefined,
    members: [string, JsonValue][],
  ): void {
    if (typeof field.type === 'string') return;
    const draft = slot instanceof Draft ? slot : new Draft(shapeOf(field.type));
    const undecoded = draft.collect(members);
    if (undecoded !== undefined) this.unknown.set(String(field.number), [undecoded]);
  }
}

function plain(slot: Slot): JsonValue {
  if (slot instanceof Draft) return slot.finish();
  return slot instanceof Map ? Object.fromEntries(slot) : slot;
}

/** Of a value that Go holds without a pointer; its times are null when zero. */
function isZero(value: JsonValue): boolean {
  return value === '' || value === 0 || value === false || value === null;
}

/** What JSON holds of a field that was not in the bytes. */
function zeroOf({ container, type }: Field): JsonValue {
  if (container !== 'one') return null;
  if (typeof type !== 'string') return new Draft(shapeOf(type)).finish();
  switch (type) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'intstr':
      return 0;
    case 'quantity':
      return '0';
    default:
      return null;
  }
}
