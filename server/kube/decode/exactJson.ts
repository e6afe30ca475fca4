/** JSON read token by token, for what `JSON.parse` loses: long integers, and members that repeat. */
import { DecodeError } from './errors';
import type { JsonValue } from './jsonText';

/** Nesting that Go's decoder allows. */
const MAX_DEPTH = 10_000;

/** Reads JSON that `JSON.parse` has accepted already, so it need not check the grammar. */
export class ExactJson {
  private readonly token = /[\s,:]*([{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:{}[\]"]+)/y;
  /** Elements beyond a list's end stay in a slice's memory, and are there again once it grows. */
  private readonly slices = new WeakMap<readonly JsonValue[], JsonValue[]>();
  private depth = 0;

  /**
   * @param merge Whether a member is decoded into what an earlier one of its name has filled, as Go
   * does: each value goes into what is there, since what a whole object comes to in itself does not
   * tell what it does to another.
   */
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

  /** `before` is what the member of that name holds; it is filled, and need not be what is returned. */
  private value(token: string, before?: JsonValue, name = ''): JsonValue {
    const isMap = MAPS.has(name);
    if (token === '{') return this.nested(() => this.object(before, isMap));
    if (token === '[') return this.nested(() => this.array(before));
    if (token === 'null') return isMap || isList(before) ? null : (before ?? null);
    if (/^-?\d+$/.test(token)) return exactInteger(token);
    return JSON.parse(token) as JsonValue;
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new DecodeError('malformed JSON: exceeded max depth');
    const result = read();
    this.depth--;
    return result;
  }

  /** Of a map the entries are replaced, of a struct the members filled. */
  private object(before: JsonValue | undefined, isMap: boolean): JsonValue {
    const members: Record<string, JsonValue> = isStruct(before) ? before : {};
    for (let token = this.read(); token !== '}'; token = this.read()) {
      const name = JSON.parse(token) as string;
      const isKnown = this.merge && !isMap && Object.hasOwn(members, name);
      setMember(members, name, this.value(this.read(), isKnown ? members[name] : undefined, name));
    }
    return members;
  }

  private array(before: JsonValue | undefined): JsonValue {
    const memory = isList(before) ? (this.slices.get(before) ?? before) : [];
    let length = 0;
    for (let token = this.read(); token !== ']'; token = this.read()) {
      memory[length] = this.value(token, memory[length]);
      length++;
    }
    if (length === memory.length) return memory;
    if (length === 0) return [];
    const list = memory.slice(0, length);
    this.slices.set(list, memory);
    return list;
  }
}

/** One of its own, whatever its name. */
function setMember(members: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') members[name] = value;
  else {
    const own = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(members, name, own);
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

// What is filled was made here, so it may be changed.
const isList = (value: JsonValue | undefined): value is JsonValue[] => Array.isArray(value);

const isStruct = (value: JsonValue | undefined): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !isList(value);
