/** JSON read token by token, for what `JSON.parse` loses: long integers, and members that repeat. */
import { DecodeError } from './errors';
import type { JsonValue } from './jsonText';

/** Nesting that Go's decoder allows. */
const MAX_DEPTH = 10_000;

/** Reads JSON that `JSON.parse` has accepted already, so it need not check the grammar. */
export class ExactJson {
  private readonly token = /[\s,:]*([{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:{}[\]"]+)/y;
  private readonly overlay = new Overlay();
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
      members.set(name, before === undefined ? value : this.overlay.decode(before, value, name));
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

/** What Go's decoder leaves where a value is decoded into what an earlier one has filled. */
class Overlay {
  /** Elements beyond a list's end stay in a slice's memory, and are there again once it grows. */
  private readonly slices = new WeakMap<readonly JsonValue[], readonly JsonValue[]>();

  decode(before: JsonValue, value: JsonValue, name: string): JsonValue {
    if (value === null) return MAPS.has(name) || isList(before) ? null : before;
    if (isList(before) && isList(value)) return this.list(before, value);
    if (!isStruct(before) || !isStruct(value)) return value;
    const members = new Map(Object.entries(before));
    for (const [key, inside] of Object.entries(value)) {
      const old = MAPS.has(name) ? undefined : members.get(key);
      members.set(key, old === undefined ? inside : this.decode(old, inside, key));
    }
    return Object.fromEntries(members);
  }

  private list(before: readonly JsonValue[], value: readonly JsonValue[]): JsonValue {
    if (value.length === 0) return value;
    const old = this.slices.get(before) ?? before;
    const list = value.map((element, index) => {
      const under = old[index];
      return under === undefined ? element : this.decode(under, element, '');
    });
    this.slices.set(list, [...list, ...old.slice(list.length)]);
    return list;
  }
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const isStruct = (value: JsonValue): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !isList(value);
