import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeResponseSize } from '../../../server/demo/messageSize';
import { rangeResponse } from '../../../server/etcd/rpc/kvCodecs';

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const int = fc.oneof(fc.constant(0n), fc.bigInt(0n, 300n), int64);
const uint64 = fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 64n - 1n));
const bytes = fc.uint8Array({ maxLength: 200 });

describe('rangeResponseSize', () => {
  it('is the length of the encoded message', () => {
    const kv = fc.record({
      key: bytes,
      createRevision: int,
      modRevision: int,
      version: int,
      value: bytes,
      lease: int,
    });
    const header = fc.record({
      clusterId: uint64,
      memberId: uint64,
      revision: int,
      raftTerm: uint64,
    });
    const response = fc.record({
      header: fc.option(header, { nil: undefined }),
      kvs: fc.array(kv, { maxLength: 4 }),
      more: fc.boolean(),
      count: int,
    });
    fc.assert(
      fc.property(response, (one) => {
        expect(rangeResponseSize(one)).toBe(rangeResponse.encode(one).length);
      }),
    );
  });
});
