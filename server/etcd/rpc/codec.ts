/**
 * A lean protobuf codec for etcd's messages, driven by field tables. Unlike a reflective one it
 * hands out keys and values as views into the received buffer, without a copy, and int64 as bigint.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type Scalar = 'bytes' | 'string' | 'int64' | 'uint64' | 'bool' | 'enum';

export interface FieldSpec {
  readonly no: number;
  readonly name: string;
  /** A scalar, or the codec of an embedded message (a function, since types refer to each other). */
  readonly type: FieldType;
  readonly repeated?: true;
}

export type FieldType = Scalar | (() => Writable);

export const field = (no: number, name: string, type: FieldType): FieldSpec => ({ no, name, type });

export const many = (no: number, name: string, type: FieldType): FieldSpec => ({
  ...field(no, name, type),
  repeated: true,
});

interface Writable {
  decode(bytes: Uint8Array): object;
  write(message: object, writer: BinaryWriter): void;
}

/** Encodes and decodes one message type. Fields at their proto3 default are left out. */
export interface Codec<T extends object> {
  readonly name: string;
  encode(message: Partial<T>): Uint8Array;
  /** Throws when the bytes are no such message. Unknown fields are skipped. */
  decode(bytes: Uint8Array): T;
  write(message: Partial<T>, writer: BinaryWriter): void;
}

type Slots = Record<string, unknown>;

const empty = new Uint8Array(0);

const wireTypes: Record<Scalar, WireType> = {
  bytes: WireType.LengthDelimited,
  string: WireType.LengthDelimited,
  int64: WireType.Varint,
  uint64: WireType.Varint,
  bool: WireType.Varint,
  enum: WireType.Varint,
};

function defaultOf(spec: FieldSpec): unknown {
  if (spec.repeated) return [];
  switch (spec.type) {
    case 'bytes':
      return empty;
    case 'string':
      return '';
    case 'int64':
    case 'uint64':
      return 0n;
    case 'bool':
      return false;
    case 'enum':
      return 0;
    default:
      return undefined;
  }
}

function isDefault(value: unknown): boolean {
  return (
    value === undefined ||
    value === 0n ||
    value === 0 ||
    value === '' ||
    value === false ||
    (value instanceof Uint8Array && value.length === 0)
  );
}

function writeScalar(type: Scalar, value: unknown, writer: BinaryWriter): void {
  switch (type) {
    case 'bytes':
      writer.bytes(value as Uint8Array);
      return;
    case 'string':
      writer.string(value as string);
      return;
    case 'int64':
      writer.int64(value as bigint);
      return;
    case 'uint64':
      writer.uint64(value as bigint);
      return;
    case 'bool':
      writer.bool(value as boolean);
      return;
    case 'enum':
      writer.int32(value as number);
  }
}

function readScalar(type: Scalar, reader: BinaryReader): unknown {
  switch (type) {
    case 'bytes':
      return reader.bytes();
    case 'string':
      return reader.string();
    case 'int64':
      return BigInt(reader.int64());
    case 'uint64':
      return BigInt(reader.uint64());
    case 'bool':
      return reader.bool();
    case 'enum':
      return reader.int32();
  }
}

function writeValue(spec: FieldSpec, value: unknown, writer: BinaryWriter): void {
  if (typeof spec.type === 'function') {
    writer.tag(spec.no, WireType.LengthDelimited).fork();
    spec.type().write(value as Slots, writer);
    writer.join();
  } else {
    writer.tag(spec.no, wireTypes[spec.type]);
    writeScalar(spec.type, value, writer);
  }
}

function readValue(spec: FieldSpec, reader: BinaryReader): unknown {
  if (typeof spec.type === 'function') return spec.type().decode(reader.bytes());
  return readScalar(spec.type, reader);
}

/** Repeated scalars may arrive packed: many values in one length-delimited field. */
function readRepeated(
  spec: FieldSpec,
  wire: WireType,
  reader: BinaryReader,
  into: unknown[],
): void {
  const scalar = typeof spec.type === 'function' ? undefined : spec.type;
  const packed =
    scalar !== undefined &&
    wire === WireType.LengthDelimited &&
    wireTypes[scalar] === WireType.Varint;
  if (!packed) {
    into.push(readValue(spec, reader));
    return;
  }
  const inner = new BinaryReader(reader.bytes());
  while (inner.pos < inner.len) into.push(readScalar(scalar, inner));
}

function checkWire(spec: FieldSpec, wire: WireType): void {
  const wanted = typeof spec.type === 'function' ? WireType.LengthDelimited : wireTypes[spec.type];
  if (wire !== wanted && !(spec.repeated && wire === WireType.LengthDelimited)) {
    throw new Error(`field ${spec.name} has wire type ${wire}, expected ${wanted}`);
  }
}

/** A Buffer as a plain array: a Buffer's `slice` shares memory, which callers must not have to know. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.constructor === Uint8Array) return bytes;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function messageCodec<T extends object>(
  name: string,
  fields: readonly FieldSpec[],
): Codec<T> {
  const byNumber = new Map(fields.map((spec) => [spec.no, spec]));
  const write = (message: Partial<T>, writer: BinaryWriter): void => {
    const slots = message as Slots;
    for (const spec of fields) {
      const value = slots[spec.name];
      if (spec.repeated) {
        for (const one of (value ?? []) as unknown[]) writeValue(spec, one, writer);
      } else if (!isDefault(value)) {
        writeValue(spec, value, writer);
      }
    }
  };
  const decode = (received: Uint8Array): T => {
    const bytes = plainBytes(received);
    const slots: Slots = {};
    for (const spec of fields) slots[spec.name] = defaultOf(spec);
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [no, wire] = reader.tag();
      const spec = byNumber.get(no);
      if (spec === undefined) {
        reader.skip(wire, no);
        continue;
      }
      checkWire(spec, wire);
      if (spec.repeated) readRepeated(spec, wire, reader, slots[spec.name] as unknown[]);
      else slots[spec.name] = readValue(spec, reader);
    }
    return slots as T;
  };
  const encode = (message: Partial<T>): Uint8Array => {
    const writer = new BinaryWriter();
    write(message, writer);
    return writer.finish();
  };
  return { name, encode, decode, write };
}
