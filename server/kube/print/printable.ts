/** Stored objects as people see them: one form for the panel and the command line. */
import { Budget } from '../decode/budget';
import { type ItemType, openEnvelope } from '../decode/envelope';
import { DecodeError } from '../decode/errors';
import {
  isDeeper,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  parseJsonObject,
} from '../decode/jsonText';
import type { StoredObject } from '../decode/object';
import { WireReader, WireType } from '../decode/wire';
import { RELEASE } from '../kinds/descriptor';
import type { Shape } from '../kinds/shapes';
import { type Damage, kindShape, metadataShape, readNamed } from '../kinds/readObject';
import {
  isListOfSecrets,
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
  /**
   * Under a Secret's key an object of any other kind is masked, but for what it is called; so is a
   * list of Secrets under any key.
   */
  readonly key: Uint8Array;
  /** True shows Secrets' values, and whatever else is kept where they are. */
  readonly reveal?: boolean;
}

export interface Printable {
  /**
   * Plain data for YAML or JSON in kubectl's order. Integers beyond 2^53 are bigint, which
   * `JSON.stringify` refuses.
   */
  readonly value: JsonObject;
  /** Set when something has no name. One of two texts, each the same each time: show it once. */
  readonly warning?: string;
  /**
   * Set when the bytes are damaged: where, and how. The value then holds what was read, and says so
   * under `x-damaged`.
   */
  readonly damage?: string;
}

/** Levels that the printers of JSON and YAML, which call themselves for each, can take. */
const MAX_DEPTH = 500;

export const UNDECODED_WARNING =
  'Objects of kinds that this tool does not know by name show apiVersion, kind and metadata; ' +
  'their other fields stand by number under x-undecoded.';

export const UNKNOWN_FIELDS_WARNING =
  `Fields that Kubernetes ${RELEASE} does not have, such as those of a newer one, ` +
  'stand by number under x-undecoded.';

/**
 * A whole object as kubectl has it: of JSON as it was stored, of protobuf by name for the kinds of
 * the descriptor; other kinds' type and metadata by name and their fields by number, with a
 * warning. Secrets' values are masked unless revealed.
 *
 * Throws `DecodeError` when not even the envelope or the JSON can be read.
 */
export function toPrintable(object: StoredObject, options: PrintOptions): Printable {
  return object.encoding === 'json'
    ? printStoredJson(object, options)
    : printProtobuf(object, options);
}

function printStoredJson(object: StoredObject, options: PrintOptions): Printable {
  const whole = parseJsonObject(object.value);
  if (isDeeper(whole, MAX_DEPTH))
    throw new DecodeError('the object is nested too deeply to be shown');
  return { value: withVersion(maskFor(object, options).whole(whole), options) };
}

/** How an object is masked: whole, or its metadata and its numbered fields. */
interface Mask {
  readonly whole: (object: JsonObject) => JsonObject;
  readonly metadata: (metadata: JsonObject) => JsonObject;
  readonly field: FieldPrinter;
  readonly damage: (damage: Damage) => string;
}

function maskFor(object: StoredObject, options: PrintOptions): Mask {
  const print = printField(new Budget());
  if (options.reveal !== true) {
    if (isSecret(object)) {
      const field = printSecretField(print);
      return { whole: maskSecret, metadata: maskMetadata, field, damage: placeOnly };
    }
    if (isMasked(object, options.key)) {
      const metadata = maskAllButNames;
      return { whole: maskForeign, metadata, field: printMasked, damage: placeOnly };
    }
  }
  const asItIs = (value: JsonObject): JsonObject => value;
  return { whole: asItIs, metadata: asItIs, field: print, damage: damageText };
}

/** Whether an object that is no Secret stands under a Secret's key, or may hold Secrets. */
export function isMasked(object: StoredObject, key: Uint8Array): boolean {
  if (isSecret(object)) return false;
  return isListOfSecrets(object) || isSecretKey(key, object.metadata.namespace);
}

function printProtobuf(object: StoredObject, options: PrintOptions): Printable {
  const { apiVersion, kind } = object;
  const type = { apiVersion, kind };
  const { raw } = openEnvelope(object.value, type);
  const mask = maskFor(object, options);
  const shape = kindShape(apiVersion, kind);
  const { value, damage, warning } =
    shape === undefined ? readNumbered(raw, type, mask) : readByName(raw, type, mask, shape);
  const versioned = withVersion(value, options);
  const warned = warning === undefined ? {} : { warning };
  if (damage.length === 0) return { value: versioned, ...warned };
  const places = damage.map(mask.damage);
  return { value: { ...versioned, 'x-damaged': places }, ...warned, damage: sentenceOf(places) };
}

interface Parts {
  readonly value: JsonObject;
  readonly damage: readonly Damage[];
  readonly warning?: string;
}

function readByName(raw: Uint8Array, type: ItemType, mask: Mask, shape: Shape): Parts {
  const { value, damage, hasUnknown } = readNamed(shape, raw);
  const whole = mask.whole({ ...type, ...value });
  return hasUnknown
    ? { value: whole, damage, warning: UNKNOWN_FIELDS_WARNING }
    : { value: whole, damage };
}

function readNumbered(raw: Uint8Array, type: ItemType, mask: Mask): Parts {
  const parts: Uint8Array[] = [];
  const rest = new Map<string, JsonValue[]>();
  const damage = readFields(raw, type.kind, (reader) => {
    if (reader.field === 1 && reader.wireType === WireType.bytes) parts.push(reader.view());
    else addField(rest, reader.field, mask.field(reader));
  });
  const metadata = readNamed(metadataShape(), ...parts);
  const inside = metadata.damage.map(({ path, message }) => ({
    path: path === '' ? 'metadata' : `metadata.${path}`,
    message,
  }));
  const named = { ...type, metadata: mask.metadata(metadata.value) };
  return {
    value: { ...named, 'x-undecoded': joinFields(rest) },
    damage: [...inside, ...damage],
    warning: UNDECODED_WARNING,
  };
}

function readFields(
  raw: Uint8Array,
  kind: string,
  each: (reader: WireReader) => void,
): readonly Damage[] {
  const reader = new WireReader(raw);
  try {
    while (reader.next(kind)) each(reader);
  } catch (error) {
    if (error instanceof DecodeError) return [{ path: '', message: error.message }];
    throw error;
  }
  return [];
}

function damageText({ path, message }: Damage): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Errors can repeat bytes as numbers. */
function placeOnly({ path }: Damage): string {
  return path === '' ? 'damaged' : `${path}: damaged`;
}

function sentenceOf([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more under x-damaged`;
  return first + more;
}

function withVersion(object: JsonObject, options: PrintOptions): JsonObject {
  const metadata = member(object, 'metadata');
  const known = isObject(metadata) ? metadata : {};
  return { ...object, metadata: { ...known, resourceVersion: String(options.modRevision) } };
}
