/**
 * Stored bytes to the object a list works with: type, metadata and, when asked, selectable fields.
 * The rest stays undecoded, so damage inside it goes unseen here.
 */
import type { SelectableFields } from '../fields/selectableFields';
import { type FieldPlan, readJsonFields } from '../fields/readPlan';
import { DOTTED_GROUPS } from '../resources/builtIn';
import type { StringSet } from '../selectors/types';
import { defaultLabels, hasDefaultLabels, jsonTemplateLabels } from './defaults';
import { detectEncoding, type StoredEncoding } from './encoding';
import { openEnvelope, typeOr, type ItemType } from './envelope';
import { DecodeError } from './errors';
import { jsonMetadata, textMember } from './jsonMetadata';
import { member, parseJsonObject, type JsonObject } from './jsonText';
import { emptyMetadata, type ObjectMetadata } from './metadata';
import { isPlainlySound } from './skim';
import { addMetadataFields, WireObject } from './wireObject';

export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly encoding: 'protobuf' | 'json';
  readonly metadata: ObjectMetadata;
  /**
   * Selectable fields by their internal labels. Of protobuf they are read at first use, which
   * throws `DecodeError` when the bytes they stand in are damaged.
   */
  readonly fields: StringSet;
  /** The stored value, after encryption at rest is undone. */
  readonly value: Uint8Array;
}

/**
 * Decodes a transformed value. `item` is the type of a built-in resource's items: like upstream, an
 * object that does not name its type is taken for one, and an empty value for an empty one. Custom
 * resources have none and must name theirs.
 *
 * Throws `DecodeError` with upstream's text for protobuf, ours for JSON, and naming the encoding for
 * what this tool cannot read.
 */
export function decodeObject(
  value: Uint8Array,
  selectable: SelectableFields,
  item?: ItemType,
): StoredObject {
  const encoding = detectEncoding(value);
  if (encoding.kind === 'protobuf') return decodeProtobuf(value, selectable, item);
  if (encoding.kind === 'json') return decodeJson(value, selectable, item);
  if (encoding.kind === 'empty' && item !== undefined) return emptyObject(value, selectable, item);
  throw new DecodeError(cannotRead(encoding));
}

function emptyObject(
  value: Uint8Array,
  selectable: SelectableFields,
  item: ItemType,
): StoredObject {
  const { apiVersion, kind } = item;
  const metadata = emptyMetadata();
  return new JsonStored(apiVersion, kind, metadata, value, selectable, (fields) => {
    readJsonFields(selectable.planFor(apiVersion), {}, fields);
  });
}

/** Reads the selectable fields now. Throws `DecodeError` when the bytes they stand in are damaged. */
export function readFields(object: StoredObject): void {
  // Those of JSON were read with the object.
  if (object instanceof WireObject) object.checkFields();
}

/** What selectors look at: the object's labels and fields, looked up one by one where that is cheaper. */
export function attributesOf(object: StoredObject): {
  readonly labels: StringSet;
  readonly fields: StringSet;
} {
  if (object instanceof WireObject) return new WireAttributes(object);
  return {
    labels: object.metadata.labels,
    get fields() {
      return object.fields;
    },
  };
}

function cannotRead(encoding: StoredEncoding): string {
  switch (encoding.kind) {
    case 'empty':
      return 'empty data';
    case 'cbor':
      return 'the value is CBOR, which this tool does not decode';
    case 'encrypted':
      return `the value is encrypted by ${encoding.provider}`;
    case 'unknown':
      return encoding.firstBytes === ''
        ? 'the value has no known encoding: it is text'
        : `the value has no known encoding: it starts with ${encoding.firstBytes}`;
    default:
      return `unexpected encoding ${encoding.kind}`;
  }
}

function decodeProtobuf(
  value: Uint8Array,
  selectable: SelectableFields,
  item: ItemType | undefined,
): StoredObject {
  const { apiVersion, kind, raw } = openEnvelope(value, item);
  // An absent message lies in no value.
  const rawStart = raw.length === 0 ? 0 : raw.byteOffset - value.byteOffset;
  const place = { within: value, start: 0, end: value.length };
  const object = new WireObject(
    { apiVersion, kind, selectable },
    { ...place, rawStart, rawEnd: rawStart + raw.length },
  );
  if (hasDefaultLabels({ apiVersion, kind }) || !isPlainlySound(raw)) object.readNow();
  return object;
}

function decodeJson(
  value: Uint8Array,
  selectable: SelectableFields,
  item: ItemType | undefined,
): StoredObject {
  const replaced: JsonObject[] = [];
  const object = parseJsonObject(value, isStruct, (alone) => replaced.push(alone));
  const stored = {
    kind: textMember(object, 'kind', 'kind'),
    apiVersion: textMember(object, 'apiVersion', 'apiVersion'),
  };
  const { kind, apiVersion } = typeOr(stored, item);
  if (kind === '') throw new DecodeError("malformed object: 'kind' is missing");
  if (apiVersion === '') throw new DecodeError("malformed object: 'apiVersion' is missing");
  const metadata = jsonMetadata(object, isCustom(apiVersion) ? 'drop' : 'refuse');
  defaultLabels({ apiVersion, kind }, metadata, () => jsonTemplateLabels(object));
  const own = new Map<string, string>();
  const plan = selectable.planFor(apiVersion);
  readJsonFields(plan, object, own);
  for (const alone of replaced) checkTypes(plan, alone);
  return new JsonStored(apiVersion, kind, metadata, value, selectable, (fields) => {
    for (const [name, text] of own) fields.set(name, text);
  });
}

/** Throws `DecodeError` for a value of the wrong type, which Go refuses though another follows it. */
function checkTypes(plan: FieldPlan, object: JsonObject): void {
  textMember(object, 'kind', 'kind');
  textMember(object, 'apiVersion', 'apiVersion');
  jsonMetadata(object, 'refuse');
  readJsonFields(plan, object, new Map());
}

/** Built-in kinds are decoded into Go's structs, custom resources into a map. */
function isStruct(object: JsonObject): boolean {
  const apiVersion = member(object, 'apiVersion');
  return typeof apiVersion !== 'string' || !isCustom(apiVersion);
}

/** Custom resources may have a group that ends in `.k8s.io`, as those of the Gateway API do. */
function isCustom(apiVersion: string): boolean {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return group.includes('.') && !DOTTED_GROUPS.has(group);
}

class WireAttributes {
  constructor(private readonly object: WireObject) {}

  get labels(): StringSet {
    return this.object.labels;
  }

  get fields(): StringSet {
    return this.object.lookup;
  }
}

class JsonStored implements StoredObject {
  readonly encoding = 'json';
  private known: StringSet | undefined;

  constructor(
    readonly apiVersion: string,
    readonly kind: string,
    readonly metadata: ObjectMetadata,
    readonly value: Uint8Array,
    private readonly selectable: SelectableFields,
    private readonly readOwn: (fields: Map<string, string>) => void,
  ) {}

  get fields(): StringSet {
    return (this.known ??= this.readFields());
  }

  private readFields(): StringSet {
    const fields = new Map<string, string>();
    this.readOwn(fields);
    addMetadataFields(fields, this.metadata, this.selectable);
    return fields;
  }
}
