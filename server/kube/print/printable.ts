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
import {
  isSecret,
  isSecretKey,
  maskAllButNames,
  maskForeign,
  maskMetadata,
  maskSecret,
  printMasked,
  printSecretField,
} from './secrets';
import { addField, type FieldPrinter, joinFields, printField } from './undecoded';

export { printJson } from './json';
export { cellText } from './cellText';
export { MASK } from './secrets';

export interface PrintOptions {
  /** etcd's revision of the object, printed as its resourceVersion. */
  readonly modRevision: bigint;
  /** Under a Secret's key an object of any other kind is masked, but for what it is called. */
  readonly key: Uint8Array;
  /** True shows Secrets' values, and whatever else is kept where they are. */
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
  const value = maskFor(object, options).whole(whole);
  const metadata = member(value, 'metadata');
  const versioned = withVersion(isObject(metadata) ? metadata : {}, options);
  return { value: { ...value, metadata: versioned } };
}

/** How an object is masked: whole as JSON, or its metadata and fields as protobuf. */
interface Mask {
  readonly whole: (object: JsonObject) => JsonObject;
  readonly metadata: (metadata: JsonObject) => JsonObject;
  readonly field: FieldPrinter;
}

function maskFor(object: StoredObject, options: PrintOptions): Mask {
  if (options.reveal !== true) {
    if (isSecret(object)) {
      return { whole: maskSecret, metadata: maskMetadata, field: printSecretField };
    }
    if (isMasked(object, options.key)) {
      return { whole: maskForeign, metadata: maskAllButNames, field: printMasked };
    }
  }
  const asItIs = (value: JsonObject): JsonObject => value;
  return { whole: asItIs, metadata: asItIs, field: printField() };
}

/** Whether an object that is no Secret stands under a Secret's key. */
export function isMasked(object: StoredObject, key: Uint8Array): boolean {
  return !isSecret(object) && isSecretKey(key, object.metadata.namespace);
}

function printProtobuf(object: StoredObject, options: PrintOptions): Printable {
  const mask = maskFor(object, options);
  const { metadata, rest } = readParts(object, mask.field);
  const value: Record<string, JsonValue> = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: withVersion(mask.metadata(metadata), options),
    'x-undecoded': rest,
  };
  return { value, warning: UNDECODED_WARNING };
}

function readParts(
  object: StoredObject,
  print: FieldPrinter,
): { metadata: JsonObject; rest: JsonObject } {
  const reader = new WireReader(openEnvelope(object.value).raw);
  const metadata = new MetadataPrinter();
  const rest = new Map<string, JsonValue[]>();
  while (reader.next(object.kind)) {
    if (reader.field === 1 && reader.wireType === WireType.bytes) metadata.add(reader.message());
    else addField(rest, reader.field, print(reader));
  }
  return { metadata: metadata.finish(), rest: joinFields(rest) };
}

function withVersion(metadata: JsonObject, options: PrintOptions): JsonObject {
  return { ...metadata, resourceVersion: String(options.modRevision) };
}
