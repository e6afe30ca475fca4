import { BinaryReader } from '@bufbuild/protobuf/wire';

/** A Range or RangeStream request as recorded on the wire; fields of etcd's `rpc.proto`. */
export interface RecordedRange {
  key: Buffer;
  rangeEnd: Buffer;
  limit: bigint;
  revision: bigint;
  serializable: boolean;
  keysOnly: boolean;
  countOnly: boolean;
  /** Numbers of the fields present beyond these. */
  otherFields: number[];
}

export function decodeRange(message: Uint8Array): RecordedRange {
  const reader = new BinaryReader(message);
  const range: RecordedRange = {
    key: Buffer.alloc(0),
    rangeEnd: Buffer.alloc(0),
    limit: 0n,
    revision: 0n,
    serializable: false,
    keysOnly: false,
    countOnly: false,
    otherFields: [],
  };
  const fields: Record<number, () => void> = {
    1: () => (range.key = Buffer.from(reader.bytes())),
    2: () => (range.rangeEnd = Buffer.from(reader.bytes())),
    3: () => (range.limit = BigInt(reader.int64())),
    4: () => (range.revision = BigInt(reader.int64())),
    7: () => (range.serializable = reader.bool()),
    8: () => (range.keysOnly = reader.bool()),
    9: () => (range.countOnly = reader.bool()),
  };
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const read = fields[number];
    if (read) read();
    else {
      range.otherFields.push(number);
      reader.skip(wireType, number);
    }
  }
  return range;
}
