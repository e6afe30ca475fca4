import fc from 'fast-check';
import type { RangeResponse } from '../../../server/etcd/rpc/messages';

/** Each length of a varint, with both ends of it, as often as any other. */
function integers(most: bigint): fc.Arbitrary<bigint> {
  const edges = Array.from({ length: 10 }, (_, i) => 1n << BigInt(7 * i))
    .flatMap((edge) => [edge - 1n, edge])
    .filter((value) => value <= most);
  return fc.oneof(fc.constantFrom(...edges), fc.bigInt(0n, 300n), fc.bigInt(0n, most));
}

const uint64 = integers(2n ** 64n - 1n);
const int64 = fc.oneof(integers(2n ** 63n - 1n), fc.bigInt(-(2n ** 63n), -1n));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(127, 128, 16_383, 16_384, 40_000).map((length) => new Uint8Array(length).fill(7)),
);

const kv = fc.record({
  key: bytes,
  createRevision: int64,
  modRevision: int64,
  version: int64,
  value: bytes,
  lease: int64,
});

const header = fc.record({
  clusterId: uint64,
  memberId: uint64,
  revision: int64,
  raftTerm: uint64,
});

/** Any reply to a range, of any sizes and numbers that its types allow. */
export const arbitraryRangeResponse: fc.Arbitrary<RangeResponse> = fc.record({
  header: fc.option(header, { nil: undefined }),
  kvs: fc.array(kv, { maxLength: 4 }),
  more: fc.boolean(),
  count: int64,
});
