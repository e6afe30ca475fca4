/** JSON read token by token, for what `JSON.parse` loses: long integers, and members that repeat. */
import { DecodeError } from './errors';
import type { JsonValue } from './jsonText';

/** Nesting that Go's decoder allows. */
const MAX_DEPTH = 10_000;

/** Reads JSON that `JSON.parse` has accepted already, so it need not check the grammar. */
export class ExactJson {
  private readonly token = /[\s,:]*([{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:{}[\]"]+)/y;
  private depth = 0;

  /** @param merge Whether members of one name are decoded one over the other. */
  constructor(
    private readonly text: string,
    private readonly merge = false,
  ) {}

  parse(): JsonValue {
    return this.value(this.read());
  }

  private read(): string {
    return this.token.exec(this.text)?.[1] ?? '';
  }

  /** @param isMap Whether Go keeps an object that stands here in a map. */
  private value(token: string, isMap = false): JsonValue {
    if (token === '{') return this.nested(() => this.object(isMap));
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

  private object(isMap: boolean): JsonValue {
    const members = new Map<string, JsonValue>();
    for (let token = this.read(); token !== '}'; token = this.read()) {
      const name = JSON.parse(token) as string;
      const value = this.value(this.read(), MAPS.has(name));
      const before = this.merge && !isMap ? members.get(name) : undefined;
      members.set(name, before === undefined ? value : decodedOver(before, value, name));
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

/** Members that are maps in Go: their entries are replaced, and null takes them all away. */
const MAPS: ReadonlySet<string> = new Set(['labels', 'annotations']);

/** What Go's decoder leaves where `value` is decoded into what `before` has filled. */
function decodedOver(before: JsonValue, value: JsonValue, name: string): JsonValue {
  if (value === null) return MAPS.has(name) ? null : before;
  if (!isStruct(before) || !isStruct(value)) return value;
  const members = new Map(Object.entries(before));
  for (const [key, inside] of Object.entries(value)) {
    const old = MAPS.has(name) ? undefined : members.get(key);
    members.set(key, old === undefined ? inside : decodedOver(old, inside, key));
  }
  return Object.fromEntries(members);
}

const isStruct = (value: JsonValue): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
