/**
 * Reads protobuf wire format exactly as upstream's generated decoders do: the same tolerance, the
 * same error texts (rule E3), arbitrary bytes in strings. General protobuf readers differ in all
 * three.
 *
 * Upstream: the `Unmarshal` methods and `skipGenerated` of `generated.pb.go`.
 */
import { DecodeError } from './errors';

export const WireType = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 };

const TWO_32 = 0x1_0000_0000;
/** Short texts are read byte by byte, which beats a decoder call while they are ASCII. */
const SHORT_TEXT = 10;

export class WireReader {
  /** Of the tag read last. */
  field = 0;
  wireType = 0;
  /** The varint read last, as two unsigned halves. */
  private low = 0;
  private high = 0;

  private buffer: Buffer | undefined;

  /** Reads `data` from `at` up to `end`, which is within them. */
  constructor(
    private readonly data: Uint8Array,
    public at = 0,
    public end = data.length,
  ) {}

  /** The memory that was given. Made when asked for: most objects of a list are never read as text. */
  get bytes(): Buffer {
    const { data } = this;
    return (this.buffer ??= Buffer.isBuffer(data)
      ? data
      : Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }

  /** Advances to the next field of `message`; false at its end. */
  next(message: string): boolean {
    if (this.at >= this.end) return false;
    this.tag();
    if (this.wireType === WireType.endGroup) {
      throw new DecodeError(`proto: ${message}: wiretype end group for non-group`);
    }
    if (this.field <= 0) {
      const wire = BigInt(this.high) * BigInt(TWO_32) + BigInt(this.low);
      throw new DecodeError(
        `proto: ${message}: illegal tag ${String(this.field)} (wire type ${String(wire)})`,
      );
    }
    return true;
  }

  /** Reads a tag without judging it, as map entries are read. */
  tag(): void {
    this.varint();
    this.field = (this.high << 29) | (this.low >>> 3);
    this.wireType = this.low & 7;
  }

  /** Fails unless the current field has this wire type; `name` is the Go field's. */
  expect(wireType: number, name: string): void {
    if (this.wireType === wireType) return;
    throw new DecodeError(`proto: wrong wireType = ${String(this.wireType)} for field ${name}`);
  }

  /** The length-delimited field's end; `at` is its start. Never beyond this reader's end. */
  extent(): number {
    this.varint();
    const length = this.high * TWO_32 + this.low;
    if (this.high > 0x7fffffff || (this.high === 0x7fffffff && this.low + this.at >= TWO_32)) {
      throw new DecodeError('proto: negative length found during unmarshaling');
    }
    if (this.at + length > this.end) throw unexpectedEnd();
    return this.at + length;
  }

  /** The message in the current field. This reader moves behind it. */
  message(): WireReader {
    const end = this.extent();
    const inner = new WireReader(this.data, this.at, end);
    this.at = end;
    return inner;
  }

  /**
   * Goes into the message in the current field: until `leave`, which wants the result, it is all
   * there is.
   */
  enter(): number {
    const end = this.extent();
    const outer = this.end;
    this.end = end;
    return outer;
  }

  /** Goes behind the message entered last. */
  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
  }

  /** A view of the current field's bytes. */
  view(): Uint8Array {
    const end = this.extent();
    const view = this.data.subarray(this.at, end);
    this.at = end;
    return view;
  }

  text(): string {
    const end = this.extent();
    const start = this.at;
    this.at = end;
    return this.textAt(start, end);
  }

  /** The text in these bytes, whatever is being read. */
  textAt(start: number, end: number): string {
    if (end - start <= SHORT_TEXT) {
      const short = this.ascii(start, end);
      if (short !== undefined) return short;
    }
    return this.bytes.toString('utf8', start, end);
  }

  /** Whether these bytes are this ASCII text, told without making one of them. */
  isAsciiAt(start: number, end: number, text: string): boolean {
    const { length } = text;
    if (end - start !== length) return false;
    for (let i = 0; i < length; i++) {
      if (this.data[start + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  int64(): bigint {
    this.varint();
    return BigInt.asIntN(64, (BigInt(this.high) << 32n) | BigInt(this.low));
  }

  /** The low 32 bits, as Go's generated code reads an int32. */
  int32(): number {
    this.varint();
    return this.low | 0;
  }

  bool(): boolean {
    this.varint();
    return this.low !== 0 || this.high !== 0;
  }

  /** Four or eight bytes, little-endian. */
  fixed(length: 4 | 8): bigint {
    if (this.at + length > this.end) throw unexpectedEnd();
    const view = new DataView(this.data.buffer, this.data.byteOffset + this.at, length);
    this.at += length;
    return length === 4 ? BigInt(view.getUint32(0, true)) : view.getBigUint64(0, true);
  }

  /** Moves behind the current field, whatever its type; `limit` is the end of its message. */
  skip(limit = this.end): void {
    if (this.wireType === WireType.bytes) {
      this.at = this.extent();
      if (this.at > limit) throw unexpectedEnd();
      return;
    }
    let depth = 0;
    for (;;) {
      depth += this.skipOne(depth);
      if (depth === 0) break;
      if (this.at >= this.end) throw unexpectedEnd();
      this.tag();
    }
    if (this.at > limit) throw unexpectedEnd();
  }

  private skipOne(depth: number): -1 | 0 | 1 {
    switch (this.wireType) {
      case WireType.varint:
        this.varint();
        return 0;
      case WireType.fixed64:
        this.at += 8;
        return 0;
      case WireType.bytes:
        this.at = this.extent();
        return 0;
      case WireType.startGroup:
        return 1;
      case WireType.endGroup:
        if (depth === 0) throw new DecodeError('proto: unexpected end of group');
        return -1;
      case WireType.fixed32:
        this.at += 4;
        return 0;
      default:
        throw new DecodeError(`proto: illegal wireType ${String(this.wireType)}`);
    }
  }

  private ascii(start: number, end: number): string | undefined {
    let text = '';
    for (let i = start; i < end; i++) {
      const byte = this.data[i] ?? 0x80;
      if (byte > 0x7f) return undefined;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  private varint(): void {
    const first = this.data[this.at];
    if (first !== undefined && first < 0x80 && this.at < this.end) {
      this.at++;
      this.low = first;
      this.high = 0;
    } else {
      this.longVarint();
    }
  }

  /** Bits beyond the 64th are dropped; an eleventh byte is an overflow. */
  private longVarint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new DecodeError('proto: integer overflow');
      const byte = this.at < this.end ? this.data[this.at] : undefined;
      if (byte === undefined) throw unexpectedEnd();
      this.at++;
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

/** Upstream's `io.ErrUnexpectedEOF`. */
function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}
