/**
 * JSON as Kubernetes reads it: integers exact. `JSON.parse` does the work unless the text may hold
 * an integer beyond 2^53, which only the reader below keeps.
 */
import { utf8Lossy } from '../../common/bytes';
import { DecodeError } from './errors';

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
/** Nesting that Go's decoder allows. */
const MAX_DEPTH = 10_000;

/**
 * Parses a stored JSON object. Integers beyond 2^53 become bigint; of duplicate members the last
 * counts; no member name is special. Throws `DecodeError` with a text of our own.
 */
export function parseJsonObject(value: Uint8Array): JsonObject {
  const parsed = parseJsonValue(utf8Lossy(value));
  if (!isObject(parsed)) throw new DecodeError('the value is JSON, but not an object');
  return parsed;
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
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DecodeError(`malformed JSON: ${why}`, { cause });
  }
}

/** A number that no double holds is an error to Kubernetes' decoder, and infinite to JavaScript's. */
function refuseHugeNumbers(text: string): void {
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs)) {
    if (token.startsWith('"') || Number.isFinite(Number(token))) continue;
    const number = token.length > 40 ? `${token.slice(0, 40)}…` : token;
    throw new DecodeError(`malformed JSON: the number ${number} is out of range`);
  }
}

/** Reads JSON that `JSON.parse` has accepted already, so it need not check the grammar. */
class ExactJson {
  private readonly token = /[\s,:]*([{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:{}[\]"]+)/y;
  private depth = 0;

  constructor(private readonly text: string) {}

  parse(): JsonValue {
    return this.value(this.read());
  }

  private read(): string {
    return this.token.exec(this.text)?.[1] ?? '';
  }

  private value(token: string): JsonValue {
    if (token === '{') return this.nested(() => this.object());
    if (token === '[') return this.nested(() => this.array());
    if (/^-?\d+$/.test(token)) return exactInteger(token);
    return JSON.parse(token) as JsonValue;
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new DecodeError('malformed JSON: exceeded max depth');
    const result = read();
    this.depth--;
    return result;
  }

  private object(): JsonValue {
    const members = new Map<string, JsonValue>();
    for (let token = this.read(); token !== '}'; token = this.read()) {
      members.set(JSON.parse(token) as string, this.value(this.read()));
    }
    return Object.fromEntries(members);
  }

  private array(): JsonValue {
    const items: JsonValue[] = [];
    for (let token = this.read(); token !== ']'; token = this.read()) items.push(this.value(token));
    return items;
  }
}

/** An int64 exactly; beyond that the nearest double, as Kubernetes' decoder does. */
function exactInteger(text: string): number | bigint {
  const number = Number(text);
  if (Number.isSafeInteger(number) || text.length > 20) return number;
  const exact = BigInt(text);
  return BigInt.asIntN(64, exact) === exact ? exact : number;
}
