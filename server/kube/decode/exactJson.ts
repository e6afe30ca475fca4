/** JSON read token by token, for what `JSON.parse` loses: long integers, and members that repeat. */
import { DecodeError } from './errors';
import type { JsonValue } from './jsonText';

/** Nothing that is read of an object stands deeper: labels of a template do at five. */
const MAX_READ_DEPTH = 8;

/** Nesting that Go's decoder allows. */
const MAX_DEPTH = 10_000;

/** An object or a list that is open. */
type Frame = ObjectFrame | ListFrame;

/** Reads JSON that `JSON.parse` has accepted already, so it need not check the grammar. */
export class ExactJson {
  private readonly token = /[\s,:]*([{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:{}[\]"]+)/y;
  /** Elements beyond a list's end stay in a slice's memory, and are there again once it grows. */
  private readonly slices = new WeakMap<readonly JsonValue[], JsonValue[]>();
  /** From the outermost to the innermost: nesting may be deeper than calls can be. */
  private readonly open: Frame[] = [];

  /**
   * @param onReplaced Given, a member is decoded into what an earlier one of its name has filled, as
   * Go does: each value goes into what is there, since what a whole object comes to in itself does not
   * tell what it does to another. A value that another takes the place of is told, since Go has
   * decoded it too: alone in an object that is otherwise empty.
   */
  constructor(
    private readonly text: string,
    private readonly onReplaced?: (alone: JsonValue) => void,
  ) {}

  parse(): JsonValue {
    let whole = this.begin(this.read(), undefined, '');
    for (let frame = this.open.at(-1); frame !== undefined; frame = this.open.at(-1)) {
      const value = this.step(frame);
      const outer = this.open.at(-1);
      if (value === undefined) continue;
      if (outer === undefined) whole = value;
      else this.give(outer, value);
    }
    return whole ?? null;
  }

  private read(): string {
    return this.token.exec(this.text)?.[1] ?? '';
  }

  /** Reads on in the innermost frame: the value that is complete, for the frame open then. */
  private step(frame: Frame): JsonValue | undefined {
    const token = this.read();
    if (token === frame.end) {
      this.open.pop();
      return frame.close();
    }
    if (frame instanceof ListFrame) {
      frame.enter();
      return this.begin(token, frame.earlier, '');
    }
    const name = JSON.parse(token) as string;
    frame.enter(name, this.onReplaced !== undefined);
    return this.begin(this.read(), frame.isMap ? undefined : frame.earlier, name);
  }

  /** The value, unless it has to be read first, in a frame of its own. */
  private begin(token: string, before: JsonValue | undefined, name: string): JsonValue | undefined {
    const isMap = MAPS.has(name);
    if (token === '{') this.push(new ObjectFrame(isStruct(before) ? before : {}, isMap));
    else if (token === '[') this.push(new ListFrame(before, this.slices));
    else if (token === 'null') return isMap || isList(before) ? null : (before ?? null);
    else if (/^-?\d+$/.test(token)) return exactInteger(token);
    else return JSON.parse(token) as JsonValue;
    return undefined;
  }

  private push(frame: Frame): void {
    this.open.push(frame);
    if (this.open.length > MAX_DEPTH) {
      throw new DecodeError('malformed JSON: exceeded max depth');
    }
  }

  private give(frame: Frame, value: JsonValue): void {
    this.tell(frame.earlier, value);
    frame.take(value);
  }

  /** Of structs and lists only the members are replaced, each by itself. */
  private tell(earlier: JsonValue | undefined, value: JsonValue): void {
    if (earlier === undefined || earlier === null || earlier === value) return;
    if ((isList(earlier) && isList(value)) || this.open.length > MAX_READ_DEPTH) return;
    const path = this.open.map(({ at }) => at);
    this.onReplaced?.(aloneAt(path, earlier));
  }
}

/** Of a map the entries are replaced, of a struct the members filled. */
class ObjectFrame {
  readonly end = '}';
  /** Name of the member that is read. */
  at = '';
  /** What stood there, if that counts; it is filled, and need not be what `take` is given. */
  earlier: JsonValue | undefined;

  constructor(
    private readonly members: Record<string, JsonValue>,
    readonly isMap: boolean,
  ) {}

  enter(name: string, merge: boolean): void {
    this.at = name;
    this.earlier = merge && Object.hasOwn(this.members, name) ? this.members[name] : undefined;
  }

  take(value: JsonValue): void {
    setMember(this.members, this.at, value);
  }

  close(): JsonValue {
    return this.members;
  }
}

class ListFrame {
  readonly end = ']';
  /** Position of the element that is read. */
  at = 0;
  earlier: JsonValue | undefined;
  private readonly memory: JsonValue[];
  private length = 0;

  constructor(
    before: JsonValue | undefined,
    private readonly slices: WeakMap<readonly JsonValue[], JsonValue[]>,
  ) {
    this.memory = isList(before) ? (slices.get(before) ?? before) : [];
  }

  enter(): void {
    this.at = this.length;
    this.earlier = this.memory[this.length];
  }

  take(value: JsonValue): void {
    this.memory[this.length++] = value;
  }

  close(): JsonValue {
    const { memory, length } = this;
    if (length === memory.length) return memory;
    if (length === 0) return [];
    const list = memory.slice(0, length);
    this.slices.set(list, memory);
    return list;
  }
}

/** The value at its path, with nothing beside it. Of a list it stands first. */
function aloneAt(path: readonly (string | number)[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inside, step) => {
    if (typeof step === 'number') return [inside];
    const members: Record<string, JsonValue> = {};
    setMember(members, step, inside);
    return members;
  }, value);
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
