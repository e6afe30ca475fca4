/** The encoded size of a range reply, without encoding it: values are large and would be copied. */
import type { KeyValue, RangeResponse } from '../etcd/rpc/messages';

/** Bytes of a varint; negative numbers take ten. */
function varintSize(value: bigint): number {
  let size = 1;
  for (let rest = BigInt.asUintN(64, value); rest >= 0x80n; rest >>= 7n) size++;
  return size;
}

/** Tag and varint; every field here has a number below 16, hence a tag of one byte. */
function integerField(value: bigint): number {
  return value === 0n ? 0 : 1 + varintSize(value);
}

function lengthDelimited(length: number): number {
  return 1 + varintSize(BigInt(length)) + length;
}

function bytesField(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : lengthDelimited(bytes.length);
}

function keyValueSize(kv: KeyValue): number {
  return (
    bytesField(kv.key) +
    integerField(kv.createRevision) +
    integerField(kv.modRevision) +
    integerField(kv.version) +
    bytesField(kv.value) +
    integerField(kv.lease)
  );
}

/** Bytes of the whole message, header included. */
export function rangeResponseSize(response: RangeResponse): number {
  let size = integerField(response.count) + (response.more ? 2 : 0);
  for (const kv of response.kvs) size += lengthDelimited(keyValueSize(kv));
  if (response.header !== undefined) {
    const { clusterId, memberId, revision, raftTerm } = response.header;
    size += lengthDelimited(
      [clusterId, memberId, revision, raftTerm].reduce((sum, n) => sum + integerField(n), 0),
    );
  }
  return size;
}
