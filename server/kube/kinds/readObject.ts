/**
 * Protobuf bytes of a kind that the descriptor knows, read by name. Damage ends the message it
 * stands in and no other; what was read before it is kept.
 *
 * Upstream: the `Unmarshal` methods of `generated.pb.go`. Their first error is the first damage here.
 */
import { Budget } from '../decode/budget';
import { DecodeError } from '../decode/errors';
import type { JsonObject, JsonValue } from '../decode/jsonText';
import { WireReader, WireType } from '../decode/wire';
import { addField, printField } from '../print/undecoded';
import { KINDS } from './descriptor';
import { Draft } from './draft';
import { readScalar, readText, wireTypeOf } from './scalars';
import { type Field, type Scalar, type Shape, type ShapeName, shapeOf } from './shapes';

export interface Damage {
  /** Such as `spec.containers[1].env`; empty at the object's top. */
  readonly path: string;
  /** Upstream's error where it has one. */
  readonly message: string;
}

export interface NamedObject {
  /** Without apiVersion and kind. Integers beyond 2^53 are bigint. */
  readonly value: JsonObject;
  readonly damage: readonly Damage[];
  /** Whether something stands by number, because the descriptor lacks it. */
  readonly hasUnknown: boolean;
}

/** More damages say nothing new. */
const MOST_DAMAGE = 20;

/** The shape of a kind; undefined when the descriptor does not know it. */
export function kindShape(apiVersion: string, kind: string): Shape | undefined {
  const name = `${apiVersion}/${kind}`;
  const message = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  return message === undefined ? undefined : shapeOf({ message });
}

/** The shape of the metadata that every kind has. */
export const metadataShape = (): Shape => shapeOf({ message: 'meta.v1.ObjectMeta' });

/** Reads the message `raw`; several make one, as protobuf merges them. */
export function readNamed(shape: Shape, ...raws: readonly Uint8Array[]): NamedObject {
  const object = new ObjectReader();
  const draft = new Draft(shape);
  for (const raw of raws) object.message(new WireReader(raw), draft);
  return { value: draft.finish(), damage: object.damage, hasUnknown: object.hasUnknown };
}

class ObjectReader {
  readonly damage: Damage[] = [];
  hasUnknown = false;
  private readonly budget = new Budget();
  /** For fields that have no name. */
  private readonly print = printField(this.budget);
  /** Names on the way to where reading is; elements of lists carry their index. */
  private readonly path: string[] = [];

  message(reader: WireReader, draft: Draft): void {
    const depth = this.path.length;
    try {
      while (!this.budget.isSpent && reader.next(draft.shape.name)) {
        this.budget.spend(1);
        this.field(reader, draft);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.note(error);
      this.path.length = depth;
    }
  }

  private note({ message }: DecodeError): void {
    if (this.damage.length < MOST_DAMAGE) this.damage.push({ path: this.pathText(), message });
  }

  private pathText(): string {
    return this.path.join('.').replaceAll('.[', '[');
  }

  private field(reader: WireReader, draft: Draft): void {
    const field = draft.shape.byNumber.get(reader.field);
    if (field === undefined) {
      this.hasUnknown = true;
      addField(draft.unknown, reader.field, this.print(reader));
      return;
    }
    const depth = this.path.length;
    if (field.name !== '') this.path.push(field.name);
    this.known(reader, draft, field);
    this.path.length = depth;
  }

  private known(reader: WireReader, draft: Draft, field: Field): void {
    const { type, container } = field;
    if (container === 'map') {
      reader.expect(WireType.bytes, field.goName);
      this.entry(reader, field, draft.mapIn(field));
    } else if (typeof type !== 'string') {
      reader.expect(WireType.bytes, field.goName);
      this.inner(reader, draft, field, type);
    } else if (container === 'list') {
      this.scalars(reader, draft, field, type);
    } else {
      reader.expect(wireTypeOf(type), field.goName);
      draft.slots[field.at] = readScalar(reader, type);
    }
  }

  private inner(reader: WireReader, draft: Draft, field: Field, type: ShapeName): void {
    const shape = shapeOf(type);
    const inside = reader.message();
    if (field.container !== 'list') {
      this.message(inside, draft.messageIn(field, shape));
      return;
    }
    this.budget.spend(shape.kept);
    const list = draft.listIn(field);
    this.path.push(`[${list.length}]`);
    const element = new Draft(shape);
    this.message(inside, element);
    list.push(element.finish());
  }

  /** One element, or numbers packed into one run of bytes, which upstream accepts too. */
  private scalars(reader: WireReader, draft: Draft, field: Field, type: Scalar): void {
    const wireType = wireTypeOf(type);
    if (wireType === WireType.varint && reader.wireType === WireType.bytes) {
      const packed = reader.message();
      while (packed.at < packed.end) {
        this.budget.spend(1);
        draft.listIn(field).push(readScalar(packed, type));
      }
      return;
    }
    reader.expect(wireType, field.goName);
    draft.listIn(field).push(readScalar(reader, type));
  }

  /** Like upstream, nothing here looks at the wire types of key and value. */
  private entry(reader: WireReader, field: Field, map: Map<string, JsonValue>): void {
    if (typeof field.type !== 'string') throw new Error(`a map of messages: ${field.name}`);
    const end = reader.extent();
    let key = '';
    let value: JsonValue = field.type === 'quantity' ? '0' : '';
    while (reader.at < end) {
      reader.tag();
      if (reader.field === 1) key = readText(reader);
      else if (reader.field === 2) value = readScalar(reader, field.type);
      else reader.skip(end);
    }
    reader.at = end;
    map.set(key, value);
  }
}
