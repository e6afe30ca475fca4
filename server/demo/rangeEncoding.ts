/**
 * Encodes range replies straight into memory of their exact size. A general writer doubles its memory
 * as it grows and copies it at each step and at the end, which for replies of hundreds of megabytes
 * costs more than all else. The bytes are those the general codec makes.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { responseHeader } from '../etcd/rpc/kvCodecs';
import type { KeyValue, RangeResponse, RangeStreamResponse } from '../etcd/rpc/messages';
import {
  integerFieldSize,
  keyValueSize,
  lengthDelimitedSize,
  rangeResponseSize,
} from './messageSize';

/** All but the values, which are put between the heads: the bytes before each value, and the last. */
interface Skeleton {
  readonly bytes: Uint8Array;
  /** For each value, how many of the bytes come before it and after the value before it. */
  readonly heads: readonly number[];
}

export function encodeRangeResponse(response: RangeResponse): Uint8Array {
  return assembled(skeletonOf(response, new BinaryWriter(), 0), response);
}

export function encodeRangeStreamResponse({ rangeResponse }: RangeStreamResponse): Uint8Array {
  if (rangeResponse === undefined) return new Uint8Array(0);
  const size = rangeResponseSize(rangeResponse);
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).uint32(size);
  const before = lengthDelimitedSize(size) - size;
  return assembled(skeletonOf(rangeResponse, writer, before), rangeResponse);
}

/** `before` is the number of bytes that the writer holds already. */
function skeletonOf(response: RangeResponse, writer: BinaryWriter, before: number): Skeleton {
  let pending = before;
  if (response.header !== undefined) {
    const header = responseHeader.encode(response.header);
    writer.tag(1, WireType.LengthDelimited).bytes(header);
    pending += lengthDelimitedSize(header.length);
  }
  const heads = response.kvs.map((kv) => {
    const size = keyValueSize(kv);
    const after = integerFieldSize(kv.lease);
    writer.tag(2, WireType.LengthDelimited).uint32(size);
    writeAround(kv, writer);
    const head = pending + lengthDelimitedSize(size) - kv.value.length - after;
    pending = after;
    return head;
  });
  if (response.more) writer.tag(3, WireType.Varint).bool(true);
  writeInteger(writer, 4, response.count);
  return { bytes: writer.finish(), heads };
}

/** The fields of a key-value, of the value only its tag and length. */
function writeAround(kv: KeyValue, writer: BinaryWriter): void {
  if (kv.key.length > 0) writer.tag(1, WireType.LengthDelimited).bytes(kv.key);
  writeInteger(writer, 2, kv.createRevision);
  writeInteger(writer, 3, kv.modRevision);
  writeInteger(writer, 4, kv.version);
  if (kv.value.length > 0) writer.tag(5, WireType.LengthDelimited).uint32(kv.value.length);
  writeInteger(writer, 6, kv.lease);
}

function writeInteger(writer: BinaryWriter, no: number, value: bigint): void {
  if (value !== 0n) writer.tag(no, WireType.Varint).int64(value);
}

function assembled({ bytes, heads }: Skeleton, { kvs }: RangeResponse): Uint8Array {
  const valueBytes = kvs.reduce((sum, kv) => sum + kv.value.length, 0);
  // Every byte is written below, hence none needs to be cleared.
  const out = Buffer.allocUnsafeSlow(bytes.length + valueBytes);
  let from = 0;
  let at = 0;
  for (const [i, kv] of kvs.entries()) {
    const to = from + (heads[i] ?? 0);
    out.set(bytes.subarray(from, to), at);
    at += to - from;
    out.set(kv.value, at);
    at += kv.value.length;
    from = to;
  }
  out.set(bytes.subarray(from), at);
  return out;
}
