/**
 * Writes the protobuf form in which Kubernetes stores objects, as far as seeding an etcd needs it:
 * the envelope and the object's metadata. The caller writes the kind's own fields.
 *
 * Field numbers: `apimachinery/pkg/runtime/generated.proto` (Unknown, TypeMeta) and
 * `apimachinery/pkg/apis/meta/v1/generated.proto` (ObjectMeta, OwnerReference, Time).
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

const PROTOBUF_MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;

export interface OwnerReferenceInput {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
}

export interface MetaInput {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** Whole seconds since 1970. */
  readonly creationTimestamp?: number;
  readonly labels?: Iterable<readonly [string, string]>;
  readonly annotations?: Iterable<readonly [string, string]>;
  readonly ownerReferences?: readonly OwnerReferenceInput[];
  readonly generation?: number;
}

/**
 * A stored protobuf value: the four magic bytes and a `runtime.Unknown` around the object's own
 * message. Content encoding and type are present and empty, as upstream writes them.
 */
export function encodeEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const writer = new BinaryWriter();
  writeEnvelope(writer, apiVersion, kind, () => writer.raw(raw));
  return writer.finish();
}

/** The same, appended to what the writer holds; `writeRaw` writes the object's own message. */
export function writeEnvelope(
  writer: BinaryWriter,
  apiVersion: string,
  kind: string,
  writeRaw: () => void,
): void {
  writer.raw(Uint8Array.from(PROTOBUF_MAGIC));
  writer.tag(1, WireType.LengthDelimited).fork();
  writeText(writer, 1, apiVersion);
  writeText(writer, 2, kind);
  writer.join();
  writer.tag(2, WireType.LengthDelimited).fork();
  writeRaw();
  writer.join();
  writeText(writer, 3, '');
  writeText(writer, 4, '');
}

/** The `ObjectMeta` message: field 1 of nearly every stored object. Map entries sort by key. */
export function encodeObjectMeta(meta: MetaInput): Uint8Array {
  const writer = new BinaryWriter();
  writeObjectMeta(writer, meta);
  return writer.finish();
}

/** The same, appended to what the writer holds. */
export function writeObjectMeta(writer: BinaryWriter, meta: MetaInput): void {
  writeText(writer, 1, meta.name);
  writeText(writer, 2, meta.generateName ?? '');
  writeText(writer, 3, meta.namespace ?? '');
  writeText(writer, 4, '');
  writeText(writer, 5, meta.uid ?? '');
  writeText(writer, 6, '');
  writer.tag(7, WireType.Varint).int64(meta.generation ?? 0);
  writeTime(writer, 8, meta.creationTimestamp);
  writeMap(writer, 11, meta.labels);
  writeMap(writer, 12, meta.annotations);
  for (const owner of meta.ownerReferences ?? []) writeOwner(writer, owner);
}

function writeText(writer: BinaryWriter, field: number, text: string): void {
  writer.tag(field, WireType.LengthDelimited).string(text);
}

/** A zero time is an empty message, as upstream writes it. */
function writeTime(writer: BinaryWriter, field: number, seconds: number | undefined): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  if (seconds !== undefined) {
    writer.tag(1, WireType.Varint).int64(seconds);
    writer.tag(2, WireType.Varint).int32(0);
  }
  writer.join();
}

function writeMap(
  writer: BinaryWriter,
  field: number,
  entries: Iterable<readonly [string, string]> | undefined,
): void {
  const sorted = [...new Map(entries ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, value] of sorted) {
    writer.tag(field, WireType.LengthDelimited).fork();
    writeText(writer, 1, key);
    writeText(writer, 2, value);
    writer.join();
  }
}

function writeOwner(writer: BinaryWriter, owner: OwnerReferenceInput): void {
  writer.tag(13, WireType.LengthDelimited).fork();
  writeText(writer, 1, owner.kind);
  writeText(writer, 3, owner.name);
  writeText(writer, 4, owner.uid);
  writeText(writer, 5, owner.apiVersion);
  writer.tag(6, WireType.Varint).bool(owner.controller);
  writer.join();
}
