/**
 * Reads a RangeResponse as etcd writes it, some times faster than the field tables do. Whatever is
 * out of the ordinary, damage included, it leaves to them.
 */
import type { KeyValue, RangeResponse, ResponseHeader } from './messages';

const nothing = new Uint8Array(0);
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
    let [key, value] = [nothing, nothing];
    let [createRevision, modRevision, version, lease] = [0n, 0n, 0n, 0n];
    while (this.at < end && !this.failed) {
      switch (this.bytes[this.at++]) {
        case KvTag.key:
          key = this.view(end);
          break;
        case KvTag.create:
          createRevision = this.int64(end);
          break;
        case KvTag.mod:
          modRevision = this.int64(end);
          break;
        case KvTag.version:
          version = this.int64(end);
          break;
        case KvTag.value:
          value = this.view(end);
          break;
        case KvTag.lease:
          lease = this.int64(end);
          break;
        default:
          this.failed = true;
      }
    }
    return { key, createRevision, modRevision, version, value, lease };
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

  /** A plain array, never a Buffer, whose `slice` would share memory. */
  private view(end: number): Uint8Array<ArrayBuffer> {
    const stop = this.extent(end);
    const { buffer, byteOffset } = this.bytes;
    const view = new Uint8Array(buffer as ArrayBuffer, byteOffset + this.at, stop - this.at);
    this.at = stop;
    return view;
  }

  private int64(end: number): bigint {
    this.varint(end);
    const { low, high } = this;
    if (high < 0x1f_ffff) return BigInt(high * TWO_32 + low);
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
