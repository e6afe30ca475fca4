import { describe, expect, it } from 'vitest';
import {
  rangeRequest,
  rangeResponse,
  requestOp,
  txnRequest,
} from '../../../server/etcd/rpc/kvCodecs';
import { memberListResponse, watchCreateRequest } from '../../../server/etcd/rpc/serviceCodecs';
import { toHex, utf8 } from '../../../server/common/bytes';

describe('etcd message codec', () => {
  it('writes the bytes that protobuf prescribes', () => {
    const bytes = rangeRequest.encode({ key: utf8('a'), rangeEnd: utf8('b'), limit: 300n });
    expect(toHex(bytes)).toBe('0a0161' + '120162' + '18ac02');
  });

  it('keeps int64 exact beyond 2^53 and below zero', () => {
    for (const limit of [9007199254740993n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      expect(rangeRequest.decode(rangeRequest.encode({ limit })).limit).toBe(limit);
    }
  });

  it('carries embedded and repeated messages, with defaults filled in', () => {
    const kv = { key: utf8('k'), value: new Uint8Array([0, 255]), modRevision: 7n };
    const bytes = rangeResponse.encode({
      header: { clusterId: 2n ** 64n - 1n, memberId: 1n, revision: 9n, raftTerm: 2n },
      kvs: [{ ...kv, createRevision: 0n, version: 1n, lease: 0n }],
      count: 1n,
    });
    const reply = rangeResponse.decode(bytes);
    expect(reply.header?.clusterId).toBe(2n ** 64n - 1n);
    expect(reply.kvs).toHaveLength(1);
    expect(reply.kvs[0]).toMatchObject({ ...kv, createRevision: 0n, version: 1n, lease: 0n });
    expect(reply.more).toBe(false);
  });

  it('tells which member of a oneof is set, also when that member is empty', () => {
    const op = requestOp.decode(
      requestOp.encode({ requestRange: rangeRequest.decode(new Uint8Array()) }),
    );
    expect(op.requestRange).toBeDefined();
    expect(op.requestPut).toBeUndefined();
    expect(txnRequest.decode(txnRequest.encode({ success: [op] })).success).toHaveLength(1);
  });

  it('reads packed and unpacked enums', () => {
    expect(watchCreateRequest.decode(Uint8Array.of(0x2a, 2, 0, 1)).filters).toEqual([0, 1]);
    expect(watchCreateRequest.decode(Uint8Array.of(0x28, 0, 0x28, 1)).filters).toEqual([0, 1]);
  });

  it('skips unknown fields and throws on truncated or mistyped ones', () => {
    expect(memberListResponse.decode(Uint8Array.of(0xf8, 0x07, 1)).members).toEqual([]);
    expect(() => memberListResponse.decode(Uint8Array.of(0x12, 5, 0))).toThrow();
    expect(() => memberListResponse.decode(Uint8Array.of(0x10, 5))).toThrow(/wire type/);
  });
});
