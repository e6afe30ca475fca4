/**
 * The whole `ObjectMeta` of protobuf bytes by name, for printing.
 *
 * Field numbers: `apimachinery/pkg/apis/meta/v1/generated.proto`.
 */
import { utf8Lossy } from '../../common/bytes';
import type { JsonObject, JsonValue } from '../decode/jsonText';
import { readTextEntry, readTime } from '../decode/metadata';
import type { WireReader } from '../decode/wire';
import { addField, joinFields, printField } from './undecoded';

type Read = 'text' | 'texts' | 'int' | 'bool' | 'time' | 'map' | 'json' | Shape;

interface Shape {
  readonly message: string;
  readonly fields: ReadonlyMap<number, readonly [name: string, read: Read]>;
}

const OWNER: Shape = {
  message: 'OwnerReference',
  fields: new Map([
    [5, ['apiVersion', 'text']],
    [1, ['kind', 'text']],
    [3, ['name', 'text']],
    [4, ['uid', 'text']],
    [6, ['controller', 'bool']],
    [7, ['blockOwnerDeletion', 'bool']],
  ]),
};

const MANAGED: Shape = {
  message: 'ManagedFieldsEntry',
  fields: new Map<number, readonly [string, Read]>([
    [3, ['apiVersion', 'text']],
    [6, ['fieldsType', 'text']],
    [7, ['fieldsV1', 'json']],
    [1, ['manager', 'text']],
    [2, ['operation', 'text']],
    [8, ['subresource', 'text']],
    [4, ['time', 'time']],
  ]),
};

/** In the order they are printed. */
const OBJECT_META: Shape = {
  message: 'ObjectMeta',
  fields: new Map<number, readonly [string, Read]>([
    [1, ['name', 'text']],
    [2, ['generateName', 'text']],
    [3, ['namespace', 'text']],
    [4, ['selfLink', 'text']],
    [5, ['uid', 'text']],
    [6, ['resourceVersion', 'text']],
    [7, ['generation', 'int']],
    [8, ['creationTimestamp', 'time']],
    [9, ['deletionTimestamp', 'time']],
    [10, ['deletionGracePeriodSeconds', 'int']],
    [11, ['labels', 'map']],
    [12, ['annotations', 'map']],
    [13, ['ownerReferences', OWNER]],
    [14, ['finalizers', 'texts']],
    [17, ['managedFields', MANAGED]],
  ]),
};

/** What printing keeps while it reads; a map stands for an object still being filled. */
type Draft = Map<string, JsonValue | Map<string, string> | JsonValue[]>;

/**
 * Collects `ObjectMeta` messages; a second one merges into the first, as protobuf has it. Fields
 * not known here stand by number under `x-undecoded`.
 */
export class MetadataPrinter {
  private readonly draft: Draft = new Map();
  private readonly unknown = new Map<string, JsonValue[]>();

  /** Throws `DecodeError`. */
  add(reader: WireReader): void {
    readShape(reader, OBJECT_META, this.draft, this.unknown);
  }

  finish(): JsonObject {
    return finishShape(OBJECT_META, this.draft, this.unknown);
  }
}

function readShape(
  reader: WireReader,
  shape: Shape,
  draft: Draft,
  unknown: Map<string, JsonValue[]>,
): void {
  while (reader.next(shape.message)) {
    const known = shape.fields.get(reader.field);
    if (known === undefined) addField(unknown, reader.field, printField()(reader));
    else readKnown(reader, known, draft);
  }
}

function readKnown(reader: WireReader, [name, read]: readonly [string, Read], draft: Draft): void {
  switch (read) {
    case 'map':
      readTextEntry(reader, name, mapIn(draft, name));
      break;
    case 'texts':
      listIn(draft, name).push(reader.text());
      break;
    case 'text':
      setUnless(draft, name, reader.text(), '');
      break;
    case 'bool':
      draft.set(name, reader.bool());
      break;
    case 'int':
      setUnless(draft, name, exact(reader.int64()), 0);
      break;
    case 'time':
      setUnless(draft, name, readTime(reader, name) ?? '', '');
      break;
    case 'json':
      draft.set(name, fieldsOf(reader.message()));
      break;
    default:
      listIn(draft, name).push(element(reader.message(), read));
  }
}

function element(reader: WireReader, shape: Shape): JsonValue {
  const draft: Draft = new Map();
  const unknown = new Map<string, JsonValue[]>();
  readShape(reader, shape, draft, unknown);
  return finishShape(shape, draft, unknown);
}

function finishShape(
  shape: Shape,
  draft: Draft,
  unknown: ReadonlyMap<string, readonly JsonValue[]>,
): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [name] of shape.fields.values()) {
    const value = draft.get(name);
    if (value === undefined) continue;
    members.push([name, value instanceof Map ? Object.fromEntries(value) : value]);
  }
  if (unknown.size > 0) members.push(['x-undecoded', joinFields(unknown)]);
  return Object.fromEntries(members);
}

/** `FieldsV1`: one field of bytes that hold JSON; kept as text when they do not. */
function fieldsOf(reader: WireReader): JsonValue {
  let text = '';
  while (reader.next('FieldsV1')) {
    if (reader.field === 1) text = utf8Lossy(reader.view());
    else reader.skip();
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function exact(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A scalar's last occurrence counts, also when it sets the zero that is not printed. */
function setUnless(draft: Draft, name: string, value: JsonValue, zero: JsonValue): void {
  if (value === zero) draft.delete(name);
  else draft.set(name, value);
}

function mapIn(draft: Draft, name: string): Map<string, string> {
  const known = draft.get(name);
  if (known instanceof Map) return known;
  const created = new Map<string, string>();
  draft.set(name, created);
  return created;
}

function listIn(draft: Draft, name: string): JsonValue[] {
  const known = draft.get(name);
  if (Array.isArray(known)) return known;
  const created: JsonValue[] = [];
  draft.set(name, created);
  return created;
}
