/** Reads parameters at the border. Each problem is one sentence; nothing unasked for is passed on. */
import { InvalidParamsError } from './failures';

/** Longest text taken where nothing else is said, in UTF-16 units. */
const LONGEST = 1024 * 1024;

export class Params {
  private readonly members: Readonly<Record<string, unknown>>;

  /** `what` names the object in sentences, such as `query`. */
  constructor(
    value: unknown,
    private readonly what = 'parameters',
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidParamsError(`The ${what} must be an object.`);
    }
    this.members = value as Readonly<Record<string, unknown>>;
  }

  /** The object itself, for another reader. */
  get all(): unknown {
    return this.members;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined && this.value(name) !== null;
  }

  text(name: string, longest = LONGEST): string {
    const value = this.value(name);
    if (typeof value !== 'string') throw this.wrong(name, 'must be a text');
    if (value.length > longest) {
      throw this.wrong(name, `is too long: at most ${longest.toLocaleString('en-US')} characters`);
    }
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== 'boolean') throw this.wrong(name, 'must be true or false');
    return value;
  }

  optionalFlag(name: string): boolean {
    return this.has(name) && this.flag(name);
  }

  whole(name: string, least: number, most: number): number {
    const value = this.value(name);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      const range = `${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
      throw this.wrong(name, `must be a whole number from ${range}`);
    }
    return value;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[]): T {
    const value = this.value(name);
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    const named = allowed.map((each) => JSON.stringify(each)).join(', ');
    throw this.wrong(name, `must be one of ${named}`);
  }

  texts(name: string, most: number): string[] {
    const value = this.value(name);
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
      throw this.wrong(name, 'must be a list of texts');
    }
    if (value.length > most) throw this.wrong(name, `must have at most ${most} entries`);
    return value;
  }

  objects(name: string, most: number): Params[] {
    const value = this.value(name);
    if (!Array.isArray(value)) throw this.wrong(name, 'must be a list');
    if (value.length > most) throw this.wrong(name, `must have at most ${most} entries`);
    return value.map((each: unknown) => new Params(each, name));
  }

  object(name: string): Params {
    return new Params(this.value(name), name);
  }

  private value(name: string): unknown {
    return Object.hasOwn(this.members, name) ? this.members[name] : undefined;
  }

  private wrong(name: string, problem: string): InvalidParamsError {
    return new InvalidParamsError(`"${name}" of the ${this.what} ${problem}.`);
  }
}

/** For requests that take nothing: whatever comes is not looked at. */
export const nothing = (): null => null;
