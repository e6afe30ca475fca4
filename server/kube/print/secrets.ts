/** Masks what a Secret holds. Everything not known to be harmless is masked. */
import { isObject, type JsonObject, type JsonValue, member } from '../decode/jsonText';
import { WireReader, WireType } from '../decode/wire';
import type { FieldPrinter } from './undecoded';

export const MASK = '(masked)';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const OPEN_MEMBERS: readonly string[] = ['apiVersion', 'kind', 'metadata', 'type', 'immutable'];
const SECRETS = 'secrets';
/** Where the namespace can stand first in `/ROOT/RESOURCE/NAMESPACE/NAME`. */
const FIRST_NAMESPACE = 3;
/** Field numbers of `type` and `immutable` (`k8s.io/api/core/v1/generated.proto`). */
const OPEN_FIELDS: readonly number[] = [3, 5];
/** Field numbers of `data` and `stringData`. */
const MAP_FIELDS: readonly number[] = [2, 4];

/**
 * Whether a key is where Secrets are kept, so that what it holds may be one whatever it says it is.
 * Only a namespace of that name, which the object agrees to, is told apart.
 */
export function isSecretKey(key: Uint8Array, namespace = ''): boolean {
  const segments = Buffer.from(key).toString('latin1').split('/');
  const namespaceAt = segments.length - 2;
  return segments.some(
    (segment, i) =>
      segment === SECRETS &&
      i < segments.length - 1 &&
      !(i === namespaceAt && i >= FIRST_NAMESPACE && namespace === SECRETS),
  );
}

/** A JSON object under a Secret's key that is of another kind: only what it is called stays. */
export function maskForeign(object: JsonObject): JsonObject {
  return mapMembers(object, (name, value) => {
    if (name === 'apiVersion' || name === 'kind') return value;
    return name === 'metadata' && isObject(value) ? maskAllButNames(value) : MASK;
  });
}

/** Of an object under a Secret's key that is of another kind. */
export function maskAllButNames(metadata: JsonObject): JsonObject {
  return mapMembers(metadata, (name, value) =>
    name === 'name' || name === 'namespace' ? value : MASK,
  );
}

/** Prints any protobuf field as masked. */
export const printMasked: FieldPrinter = (reader) => {
  reader.skip();
  return MASK;
};

export function isSecret(object: { readonly kind: string }): boolean {
  return object.kind === 'Secret';
}

/** Whether an object is a list, which nothing but a mistake stores, and so may hold Secrets. */
export function isListOfSecrets(object: { readonly kind: string }): boolean {
  return object.kind === 'SecretList' || object.kind === 'List';
}

/** A Secret's JSON: the names in `data` and `stringData` stay, their values go. */
export function maskSecret(object: JsonObject): JsonObject {
  return mapMembers(object, (name, value) => {
    if (name === 'metadata') return isObject(value) ? maskMetadata(value) : value;
    return OPEN_MEMBERS.includes(name) ? value : maskValues(value);
  });
}

/** kubectl keeps the whole object it applied in an annotation. */
export function maskMetadata(metadata: JsonObject): JsonObject {
  return mapMembers(metadata, (name, value) => {
    if (name !== 'annotations' || !isObject(value)) return value;
    if (member(value, LAST_APPLIED) === undefined) return value;
    return mapMembers(value, (key, text) => (key === LAST_APPLIED ? MASK : text));
  });
}

function maskValues(value: JsonValue): JsonValue {
  return isObject(value) ? mapMembers(value, () => MASK) : MASK;
}

function mapMembers(
  object: JsonObject,
  map: (name: string, value: JsonValue) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, map(name, value)]),
  );
}

/** Prints a Secret's protobuf fields: of the two maps the keys stay. */
export function printSecretField(printOpen: FieldPrinter): FieldPrinter {
  return (reader) => {
    if (OPEN_FIELDS.includes(reader.field)) return printOpen(reader);
    if (!MAP_FIELDS.includes(reader.field) || reader.wireType !== WireType.bytes) {
      reader.skip();
      return MASK;
    }
    return maskedEntry(reader.view());
  };
}

function maskedEntry(entry: Uint8Array): JsonValue {
  const reader = new WireReader(entry);
  let key = '';
  try {
    while (reader.next('entry')) {
      if (reader.field === 1 && reader.wireType === WireType.bytes) key = reader.text();
      else reader.skip();
    }
  } catch {
    return MASK;
  }
  return { '1': key, '2': MASK };
}
