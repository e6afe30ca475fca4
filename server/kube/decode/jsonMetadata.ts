/** Reads the metadata that lists need out of a JSON object. Texts here are ours, not upstream's. */
import { DecodeError } from './errors';
import { isObject, type JsonObject, type JsonValue, member } from './jsonText';
import { emptyMetadata, formatTime, type MetadataDraft } from './metadata';

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const INT64_LIMIT = 1n << 63n;

/** What a member of the wrong type means: an error, or that the member is dropped. */
export type Malformed = 'refuse' | 'drop';

/**
 * The object's `metadata`; absent members are empty. Throws `DecodeError` when it is no object, and
 * for members of the wrong type unless these are dropped.
 *
 * Upstream drops them from stored custom resources (`schema/objectmeta` of the apiextensions API
 * server) and refuses built-in objects.
 */
export function jsonMetadata(object: JsonObject, malformed: Malformed): MetadataDraft {
  const draft = emptyMetadata();
  const metadata = member(object, 'metadata') ?? null;
  if (metadata === null) return draft;
  if (!isObject(metadata)) throw wrongType('metadata', 'an object');
  const readers: readonly (() => void)[] = [
    () => (draft.name = textMember(metadata, 'name', 'metadata.name')),
    () => (draft.namespace = textMember(metadata, 'namespace', 'metadata.namespace')),
    () => (draft.uid = textMember(metadata, 'uid', 'metadata.uid')),
    () => (draft.labels = jsonLabels(member(metadata, 'labels'), 'metadata.labels')),
    () => (draft.creationTimestamp = jsonTime(metadata, 'creationTimestamp')),
    () => (draft.deletionTimestamp = jsonTime(metadata, 'deletionTimestamp')),
    () => (draft.generation = jsonGeneration(member(metadata, 'generation'))),
  ];
  for (const read of readers) {
    if (malformed === 'refuse') read();
    else readOrDrop(read);
  }
  return draft;
}

function readOrDrop(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
}

/** A text member; absent and null are empty. `path` names it in the error. */
export function textMember(object: JsonObject, name: string, path: string): string {
  const value = member(object, name) ?? '';
  if (typeof value !== 'string') throw wrongType(path, 'a string');
  return value;
}

/** A map from text to text; absent and null are empty. `path` names it in the error. */
export function jsonLabels(value: JsonValue | undefined, path: string): Map<string, string> {
  const labels = new Map<string, string>();
  if (value === undefined || value === null) return labels;
  if (!isObject(value)) throw wrongType(path, 'an object');
  for (const [key, member] of Object.entries(value)) {
    // Go decodes a null into the empty string.
    const text = member ?? '';
    if (typeof text !== 'string') {
      throw wrongType(`${path}[${JSON.stringify(key)}]`, 'a string');
    }
    labels.set(key, text);
  }
  return labels;
}

function jsonTime(metadata: JsonObject, name: string): string | undefined {
  const text = textMember(metadata, name, `metadata.${name}`);
  if (text === '') return undefined;
  const milliseconds = RFC3339.test(text) ? Date.parse(text.replace(',', '.')) : NaN;
  if (Number.isNaN(milliseconds)) throw wrongType(`metadata.${name}`, 'an RFC 3339 time');
  return formatTime(BigInt(Math.floor(milliseconds / 1000)));
}

/** Undefined when absent, null or zero. */
function jsonGeneration(value: JsonValue | undefined): bigint | undefined {
  if (value === undefined || value === null || value === 0) return undefined;
  const whole = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof whole !== 'bigint' || whole >= INT64_LIMIT || whole < -INT64_LIMIT) {
    throw wrongType('metadata.generation', 'a 64-bit integer');
  }
  return whole;
}

function wrongType(path: string, wanted: string): DecodeError {
  return new DecodeError(`malformed object: ${path} must be ${wanted}`);
}
