/** The encoded size of a range reply, without encoding it: values are large and would be copied. */
import type { KeyValue, RangeResponse, ResponseHeader } from '../etcd/rpc/messages';

/** Below this a number is exact as a double, with which counting is far faster. */
const exact = 2n ** 53n;

/** Bytes of a varint; negative numbers take ten. */
export function varintSize(value: bigint): number {
  if (value < 0n) return 10;
  if (value < exact) return smallVarintSize(Number(value));
  let size = 7;
  for (let rest = value >> 49n; rest >= 0x80n; rest >>= 7n) size++;
  return size + 1;
}

function smallVarintSize(value: number): number {
  let size = 1;
  for (let limit = 0x80; value >= limit; limit *= 0x80) size++;
  return size;
}

/** Tag and varint; every field here has a number below 16, hence a tag of one byte. */
export function integerFieldSize(value: bigint): number {
  return value === 0n ? 0 : 1 + varintSize(value);
}

/** Tag, length and so many bytes. */
export function lengthDelimitedSize(length: number): number {
  return 1 + smallVarintSize(length) + length;
}

function bytesFieldSize(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : lengthDelimitedSize(bytes.length);
}

/** Bytes of the message, without its own tag and length. */
export function keyValueSize(kv: KeyValue): number {
  return (
    bytesFieldSize(kv.key) +
    integerFieldSize(kv.createRevision) +
    integerFieldSize(kv.modRevision) +
    integerFieldSize(kv.version) +
    bytesFieldSize(kv.value) +
    integerFieldSize(kv.lease)
  );
}

function headerSize({ clusterId, memberId, revision, raftTerm }: ResponseHeader): number {
  return [clusterId, memberId, revision, raftTerm].reduce(
    (sum, value) => sum + integerFieldSize(value),
    0,
  );
}

/** Bytes of the whole message, header included. */
export function rangeResponseSize(response: RangeResponse): number {
  let size = integerFieldSize(response.count) + (response.more ? 2 : 0);
  for (const kv of response.kvs) size += lengthDelimitedSize(keyValueSize(kv));
  if (response.header !== undefined) size += lengthDelimitedSize(headerSize(response.header));
  return size;
}
