/**
 * JSON as Kubernetes reads it: integers exact. `JSON.parse` does the work unless the text may hold
 * an integer beyond 2^53, which only the reader below keeps.
 */
import { utf8Lossy } from '../../common/bytes';
import { DecodeError } from './errors';
import { ExactJson } from './exactJson';

export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Where a value may stand; text that looks like it costs time only. */
const LONG_INTEGER = /[:[,]\s*-?\d{16}/;
/** Fewer digits and smaller exponents than these cannot leave the range of a double. */
const PERHAPS_HUGE = /\d{200}|[eE]\+?\d{3}/;
/**
 * Parses a stored JSON object. Integers beyond 2^53 become bigint; no member name is special. Of
 * members of one name the last counts, or, where `isStruct` says so of the object, each is decoded
 * over the one before, and `onReplaced` told each value that another took the place of, alone in an
 * object that is otherwise empty. Throws `DecodeError` with a text of our own.
 */
export function parseJsonObject(
  value: Uint8Array,
  isStruct: (object: JsonObject) => boolean = () => false,
  onReplaced: (alone: JsonObject) => void = () => undefined,
): JsonObject {
  const text = utf8Lossy(value);
  const parsed = parseJsonValue(text);
  if (!isObject(parsed)) throw new DecodeError('the value is JSON, but not an object');
  if (!isStruct(parsed) || !mayRepeat(text, parsed)) return parsed;
  return new ExactJson(text, (alone) => {
    if (isObject(alone)) onReplaced(alone);
  }).parse() as JsonObject;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether arrays and objects are nested more than `levels` deep, whatever the depth. */
export function isDeeper(value: JsonValue, levels: number): boolean {
  let layer: readonly JsonValue[] = [value];
  for (let level = 0; layer.length > 0; level++) {
    if (level > levels) return true;
    layer = layer.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values<JsonValue>(one) : [],
    );
  }
  return false;
}

/** A member of its own, never one inherited from JavaScript's object prototype. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Any JSON value; like `parseJsonObject`. */
export function parseJsonValue(text: string): JsonValue {
  try {
    const parsed = JSON.parse(text) as JsonValue;
    if (PERHAPS_HUGE.test(text)) refuseHugeNumbers(text);
    return LONG_INTEGER.test(text) ? new ExactJson(text).parse() : parsed;
  } catch (cause) {
    if (cause instanceof DecodeError) throw cause;
    throw new DecodeError(`malformed JSON: ${jsonFault(cause)}`);
  }
}

/** The message itself quotes the text around the fault, which may be a secret. */
function jsonFault(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  if (/^Unexpected end|^Unterminated/.test(message)) return 'it ends too early';
  if (/^Bad control character/.test(message)) return 'a text holds a control character';
  if (/^Bad (Unicode )?escape/.test(message)) return 'a text holds an escape that is none';
  return 'a character stands where it may not';
}

/** A number that no double holds is an error to Kubernetes' decoder, and infinite to JavaScript's. */
function refuseHugeNumbers(text: string): void {
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs)) {
    if (token.startsWith('"') || Number.isFinite(Number(token))) continue;
    throw new DecodeError('malformed JSON: a number is out of range');
  }
}

/** Whether the text seems to name more members than were parsed; text within texts may look so. */
function mayRepeat(text: string, parsed: JsonValue): boolean {
  if (/"\s+:/.test(text)) return true;
  let named = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) named++;
  return named > memberCount(parsed);
}

function memberCount(parsed: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [parsed];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inside = Object.values<JsonValue>(value);
    if (!Array.isArray(value)) count += inside.length;
    for (const one of inside) open.push(one);
  }
  return count;
}
