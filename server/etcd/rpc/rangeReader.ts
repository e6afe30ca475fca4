/**
 * Reads a RangeResponse as etcd writes it, some times faster than the field tables do. Whatever is
 * out of the ordinary, damage included, it leaves to them.
 */
import type { KeyValue, RangeResponse, ResponseHeader } from './messages';

const TWO_32 = 0x1_0000_0000;

/** Tags: field number and wire type in one byte. */
const Tag = { header: 0x0a, kv: 0x12, more: 0x18, count: 0x20 } as const;
const KvTag = {
  key: 0x0a,
  create: 0x10,
  mod: 0x18,
  version: 0x20,
  value: 0x2a,
  lease: 0x30,
} as const;
const HeaderTag = { cluster: 0x08, member: 0x10, revision: 0x18, term: 0x20 } as const;

/** Undefined when the message is not plainly what etcd writes. */
export function readRangeResponse(received: Uint8Array): RangeResponse | undefined {
  const reader = new RangeReader(received);
  const reply = reader.response(received.length);
  return reader.failed ? undefined : reply;
}

/**
 * A key with its value where they stand in a reply. Most of a filtered list are looked at and dropped,
 * so what costs memory is made at the first use.
 */
class ReceivedKeyValue implements KeyValue {
  keyStart = 0;
  keyEnd = 0;
  valueStart = 0;
  valueEnd = 0;
  create: number | bigint = 0;
  mod: number | bigint = 0;
  times: number | bigint = 0;
  leased: number | bigint = 0;
  private madeKey: Uint8Array | undefined;
  private madeValue: Uint8Array | undefined;

  constructor(readonly within: Uint8Array) {}

  get key(): Uint8Array {
    return (this.madeKey ??= this.view(this.keyStart, this.keyEnd));
  }

  get value(): Uint8Array {
    return (this.madeValue ??= this.view(this.valueStart, this.valueEnd));
  }

  get createRevision(): bigint {
    return BigInt(this.create);
  }

  get modRevision(): bigint {
    return BigInt(this.mod);
  }

  get version(): bigint {
    return BigInt(this.times);
  }

  get lease(): bigint {
    return BigInt(this.leased);
  }

  /** A plain array, never a Buffer, whose `slice` would share memory. */
  private view(start: number, end: number): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = this.within;
    return new Uint8Array(buffer as ArrayBuffer, byteOffset + start, end - start);
  }
}

class RangeReader {
  /** Set at the first thing that is not as expected; all that is returned is worth nothing then. */
  failed = false;
  private at = 0;
  private low = 0;
  private high = 0;

  constructor(private readonly bytes: Uint8Array) {}

  response(end: number): RangeResponse {
    const kvs: KeyValue[] = [];
    let header: ResponseHeader | undefined;
    let more = false;
    let count = 0n;
    while (this.at < end && !this.failed) {
      switch (this.bytes[this.at++]) {
        case Tag.kv:
          kvs.push(this.keyValue(this.extent(end)));
          break;
        case Tag.header:
          header = this.header(this.extent(end));
          break;
        case Tag.more:
          this.varint(end);
          more = this.low !== 0 || this.high !== 0;
          break;
        case Tag.count:
          count = this.int64(end);
          break;
        default:
          this.failed = true;
      }
    }
    return { header, kvs, more, count };
  }

  private keyValue(end: number): KeyValue {
    const kv = new ReceivedKeyValue(this.bytes);
    while (this.at < end && !this.failed) {
      switch (this.bytes[this.at++]) {
        case KvTag.key:
          kv.keyEnd = this.extent(end);
          kv.keyStart = this.at;
          this.at = kv.keyEnd;
          break;
        case KvTag.create:
          kv.create = this.number(end);
          break;
        case KvTag.mod:
          kv.mod = this.number(end);
          break;
        case KvTag.version:
          kv.times = this.number(end);
          break;
        case KvTag.value:
          kv.valueEnd = this.extent(end);
          kv.valueStart = this.at;
          this.at = kv.valueEnd;
          break;
        case KvTag.lease:
          kv.leased = this.number(end);
          break;
        default:
          this.failed = true;
      }
    }
    return kv;
  }

  private header(end: number): ResponseHeader {
    let [clusterId, memberId, revision, raftTerm] = [0n, 0n, 0n, 0n];
    while (this.at < end && !this.failed) {
      switch (this.bytes[this.at++]) {
        case HeaderTag.cluster:
          clusterId = this.uint64(end);
          break;
        case HeaderTag.member:
          memberId = this.uint64(end);
          break;
        case HeaderTag.revision:
          revision = this.int64(end);
          break;
        case HeaderTag.term:
          raftTerm = this.uint64(end);
          break;
        default:
          this.failed = true;
      }
    }
    return { clusterId, memberId, revision, raftTerm };
  }

  private extent(end: number): number {
    this.varint(end);
    const length = this.low;
    if (this.high !== 0 || this.at + length > end) {
      this.failed = true;
      return end;
    }
    return this.at + length;
  }

  private int64(end: number): bigint {
    return BigInt(this.number(end));
  }

  /** An int64, as a number where one holds it. */
  private number(end: number): number | bigint {
    this.varint(end);
    const { low, high } = this;
    if (high === 0) return low;
    if (high < 0x1f_ffff) return high * TWO_32 + low;
    return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
  }

  private uint64(end: number): bigint {
    this.varint(end);
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  private varint(end: number): void {
    const first = this.bytes[this.at] ?? 0x80;
    if (first < 0x80 && this.at < end) {
      this.at++;
      this.low = first;
      this.high = 0;
    } else {
      this.longVarint(end);
    }
  }

  private longVarint(end: number): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift > 63 || this.at >= end) {
        this.failed = true;
        break;
      }
      const byte = this.bytes[this.at++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      else if (shift > 32) high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
  }
}
