import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A field that holds bytes: a message, a text. */
export function messageField(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

/** A field that holds an integer or a flag. */
export function varintField(number: number, value: number): Uint8Array {
  return new BinaryWriter().tag(number, WireType.Varint).uint32(value).finish();
}
