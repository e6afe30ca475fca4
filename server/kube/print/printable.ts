/** Stored objects as people see them: one form for the panel and the command line. */
import { openEnvelope } from '../decode/envelope';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  parseJsonObject,
} from '../decode/jsonText';
import type { StoredObject } from '../decode/object';
import { WireReader, WireType } from '../decode/wire';
import { MetadataPrinter } from './metadata';
import { isSecret, maskMetadata, maskSecret, printSecretField } from './secrets';
import { addField, joinFields, printField } from './undecoded';

export { printJson } from './json';
export { cellText } from './cellText';

export interface PrintOptions {
  /** etcd's revision of the object, printed as its resourceVersion. */
  readonly modRevision: bigint;
  /** True shows Secrets' values. */
  readonly reveal?: boolean;
}

export interface Printable {
  /**
   * Plain data in order, for YAML or `printJson`. Integers beyond 2^53 are bigint, which
   * `JSON.stringify` refuses.
   */
  readonly value: JsonObject;
  /** Set when the object is not fully decoded. The same text each time: show it once. */
  readonly warning?: string;
}

export const UNDECODED_WARNING =
  'Objects stored as protobuf show apiVersion, kind and metadata by name; ' +
  'their other fields stand by number under x-undecoded.';

/**
 * A whole JSON object, or a protobuf object's type, metadata and numbered fields with a warning.
 * Secrets' values are masked unless revealed. Throws `DecodeError` when the bytes are damaged
 * where listing did not look.
 */
export function toPrintable(object: StoredObject, options: PrintOptions): Printable {
  return object.encoding === 'json'
    ? printStoredJson(object, options)
    : printProtobuf(object, options);
}

function printStoredJson(object: StoredObject, options: PrintOptions): Printable {
  const whole = parseJsonObject(object.value);
  const value = isSecret(object) && options.reveal !== true ? maskSecret(whole) : whole;
  const metadata = member(value, 'metadata');
  const versioned = withVersion(isObject(metadata) ? metadata : {}, options);
  return { value: { ...value, metadata: versioned } };
}

function printProtobuf(object: StoredObject, options: PrintOptions): Printable {
  const masked = isSecret(object) && options.reveal !== true;
  const { metadata, rest } = readParts(object, masked);
  const value: Record<string, JsonValue> = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: withVersion(masked ? maskMetadata(metadata) : metadata, options),
    'x-undecoded': rest,
  };
  return { value, warning: UNDECODED_WARNING };
}

function readParts(
  object: StoredObject,
  masked: boolean,
): { metadata: JsonObject; rest: JsonObject } {
  const reader = new WireReader(openEnvelope(object.value).raw);
  const metadata = new MetadataPrinter();
  const rest = new Map<string, JsonValue[]>();
  const print = masked ? printSecretField : printField();
  while (reader.next(object.kind)) {
    if (reader.field === 1 && reader.wireType === WireType.bytes) metadata.add(reader.message());
    else addField(rest, reader.field, print(reader));
  }
  return { metadata: metadata.finish(), rest: joinFields(rest) };
}

function withVersion(metadata: JsonObject, options: PrintOptions): JsonObject {
  return { ...metadata, resourceVersion: String(options.modRevision) };
}
