import { describe, expect, it } from 'vitest';
import { Random } from '../../../server/demo/seedRandom';
import { field, many, messageCodec, type Codec } from '../../../server/etcd/rpc/codec';
import { keyValue, rangeResponse, responseHeader } from '../../../server/etcd/rpc/kvCodecs';
import type { RangeResponse } from '../../../server/etcd/rpc/messages';
import { readRangeResponse } from '../../../server/etcd/rpc/rangeReader';
import { plainKeyValue } from '../../support/plainKeyValue';

/** The field tables, without the quick way. */
const tables: Codec<RangeResponse> = messageCodec<RangeResponse>('RangeResponse', [
  field(1, 'header', () => responseHeader),
  many(2, 'kvs', () => keyValue),
  field(3, 'more', 'bool'),
  field(4, 'count', 'int64'),
]);

const kv = (key: string, modRevision: bigint) => ({
  key: Uint8Array.from(Buffer.from(key)),
  value: Uint8Array.from(Buffer.from(`value of ${key} `.repeat(20))),
  createRevision: 3n,
  modRevision,
  version: 2n,
  lease: 0n,
});

const reply: RangeResponse = {
  header: {
    clusterId: 2n ** 64n - 1n,
    memberId: 2n ** 53n + 1n,
    revision: 2n ** 63n - 1n,
    raftTerm: 4n,
  },
  kvs: [kv('a', 2n ** 53n + 1n), kv('b', 2n ** 52n), kv('c', 300n), kv('d', -1n)],
  more: true,
  count: 100_000n,
};

/** The reply with its keys as plain members. */
const plain = (reply: RangeResponse | undefined): RangeResponse | undefined =>
  reply && { ...reply, kvs: reply.kvs.map(plainKeyValue) };

function outcome(decode: () => RangeResponse): RangeResponse | string | undefined {
  try {
    return plain(decode());
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the quick reader of replies', () => {
  it('reads what etcd writes, integers of 64 bits included', () => {
    const bytes = tables.encode(reply);
    expect(plain(readRangeResponse(bytes))).toEqual(reply);
    expect(readRangeResponse(new Uint8Array(0))).toEqual(tables.decode(new Uint8Array(0)));
  });

  it('gives views that are plain arrays, of a Buffer too', () => {
    const [first] = readRangeResponse(Buffer.from(tables.encode(reply)))?.kvs ?? [];
    expect(first?.key.constructor).toBe(Uint8Array);
    expect(first?.value.constructor).toBe(Uint8Array);
    expect(first?.value).toBe(first?.value);
  });

  it('says where each value stands', () => {
    for (const { value, within, valueStart, valueEnd } of readRangeResponse(
      Buffer.from(tables.encode(reply)),
    )?.kvs ?? []) {
      expect(Uint8Array.from(within ?? []).slice(valueStart, valueEnd)).toEqual(value);
    }
  });

  it('leaves what is out of the ordinary to the tables', () => {
    const unknown = Uint8Array.of(0x28, 1, ...tables.encode(reply));
    expect(readRangeResponse(unknown)).toBeUndefined();
    expect(plain(rangeResponse.decode(unknown))).toEqual(reply);
  });

  it('never differs from the tables, whatever byte is changed', () => {
    const random = new Random(11);
    const whole = tables.encode(reply);
    let quick = 0;
    for (let i = 0; i < 1000; i++) {
      const bytes = Uint8Array.from(whole).subarray(0, whole.length - random.below(3));
      bytes[random.below(bytes.length)] = random.below(256);
      if (readRangeResponse(bytes) !== undefined) quick++;
      expect(outcome(() => rangeResponse.decode(bytes))).toEqual(
        outcome(() => tables.decode(bytes)),
      );
    }
    expect(quick).toBeGreaterThan(100);
  });
});
