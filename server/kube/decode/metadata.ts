/**
 * Reads the part of `ObjectMeta` that lists need out of protobuf bytes. Repeated occurrences follow
 * protobuf's rules: scalars are replaced, maps merge by key.
 *
 * Upstream: `apimachinery/pkg/apis/meta/v1/generated.pb.go`; the names are its Go field names.
 */
import { skipMetaField } from './check';
import { type WireReader, WireType } from './wire';

export interface ObjectMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: ReadonlyMap<string, string>;
  /** RFC 3339 in UTC, whole seconds; absent when zero. */
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
  /** Absent when zero. */
  readonly generation?: bigint | undefined;
}

export interface MetadataDraft {
  name: string;
  namespace: string;
  uid: string;
  labels: Map<string, string>;
  creationTimestamp?: string | undefined;
  deletionTimestamp?: string | undefined;
  generation?: bigint | undefined;
}

export function emptyMetadata(): MetadataDraft {
  return { name: '', namespace: '', uid: '', labels: new Map() };
}

/** Merges one `ObjectMeta` message into `meta`. */
export function readObjectMeta(reader: WireReader, meta: MetadataDraft): void {
  while (reader.next('ObjectMeta')) {
    switch (reader.field) {
      case 1:
        meta.name = named(reader, 'Name');
        break;
      case 3:
        meta.namespace = named(reader, 'Namespace');
        break;
      case 5:
        meta.uid = named(reader, 'UID');
        break;
      case 7:
        readGeneration(reader, meta);
        break;
      case 8:
        meta.creationTimestamp = readTime(reader, 'CreationTimestamp');
        break;
      case 9:
        meta.deletionTimestamp = readTime(reader, 'DeletionTimestamp');
        break;
      case 11:
        readTextEntry(reader, 'Labels', meta.labels);
        break;
      default:
        skipMetaField(reader);
    }
  }
}

function named(reader: WireReader, name: string): string {
  reader.expect(WireType.bytes, name);
  return reader.text();
}

function readGeneration(reader: WireReader, meta: MetadataDraft): void {
  reader.expect(WireType.varint, 'Generation');
  const generation = reader.int64();
  meta.generation = generation === 0n ? undefined : generation;
}

/** Reads a `Time`: whole seconds, nanoseconds dropped as upstream does; an empty one is zero. */
export function readTime(reader: WireReader, name: string): string | undefined {
  reader.expect(WireType.bytes, name);
  const time = reader.message();
  if (time.at === time.end) return undefined;
  let seconds = 0n;
  while (time.next('Timestamp')) {
    if (time.field === 1) {
      time.expect(WireType.varint, 'Seconds');
      seconds = time.int64();
    } else {
      if (time.field === 2) time.expect(WireType.varint, 'Nanos');
      time.skip();
    }
  }
  return formatTime(seconds);
}

/** Seconds of Go's zero time, which counts as absent. */
const GO_ZERO_TIME = -62135596800n;
/** Largest distance from 1970 in seconds that a JavaScript date can hold. */
const DATE_RANGE = 8_640_000_000_000n;

/** RFC 3339 in UTC; undefined for Go's zero time and for years no date can hold. */
export function formatTime(seconds: bigint): string | undefined {
  if (seconds === GO_ZERO_TIME || seconds > DATE_RANGE || seconds < -DATE_RANGE) return undefined;
  const iso = new Date(Number(seconds) * 1000).toISOString();
  const whole = `${iso.slice(0, -5)}Z`;
  return iso.length === 24 ? whole : whole.replace(/^\+0?/, '');
}

/**
 * Reads one entry of a map from text to text. Key and value may be absent, then they are empty.
 * Like upstream, nothing here looks at the wire types of key and value.
 */
export function readTextEntry(reader: WireReader, name: string, into: Map<string, string>): void {
  reader.expect(WireType.bytes, name);
  const end = reader.extent();
  let key = '';
  let value = '';
  while (reader.at < end) {
    reader.tag();
    if (reader.field === 1) key = reader.text();
    else if (reader.field === 2) value = reader.text();
    else reader.skip(end);
  }
  reader.at = end;
  into.set(key, value);
}
