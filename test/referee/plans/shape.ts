/** Checks of what a file says, part by part. The first fault is told with the place it stands at. */

/** Not what the file had to hold; the message is a clause that begins with the place. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/** Throws `ShapeError` unless the value at that place is as wanted. */
export type Shape = (value: unknown, place: string) => void;

function refuse(place: string, wanted: string, value: unknown): never {
  throw new ShapeError(`${place} must be ${wanted}, not ${shown(value)}`);
}

/** A value in a few characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'left out';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

const mostText = 4096;

export const text: Shape = (value, place) => {
  if (typeof value !== 'string') refuse(place, 'a text', value);
  if (value.length > mostText) {
    throw new ShapeError(`${place} has more than ${String(mostText)} characters`);
  }
};

/** `wanted` says in words what the pattern stands for. */
export const textLike =
  (pattern: RegExp, wanted: string, most = mostText): Shape =>
  (value, place) => {
    if (typeof value !== 'string' || value.length > most || !pattern.test(value)) {
      refuse(place, wanted, value);
    }
  };

export const flag: Shape = (value, place) => {
  if (typeof value !== 'boolean') refuse(place, 'true or false', value);
};

export const whole =
  (least: number, most: number): Shape =>
  (value, place) => {
    const fits = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    if (!fits) refuse(place, `a whole number from ${String(least)} to ${String(most)}`, value);
  };

export const share: Shape = (value, place) => {
  if (typeof value !== 'number' || value < 0 || value > 1) {
    refuse(place, 'a number from 0 to 1', value);
  }
};

const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** A text of digits, as JSON's numbers are not exact enough. */
export const int64Text: Shape = (value, place) => {
  const number =
    typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined;
  if (number === undefined || number < int64.least || number > int64.most) {
    refuse(place, 'a 64-bit number as text', value);
  }
};

export const one =
  (wanted: string | number): Shape =>
  (value, place) => {
    if (value !== wanted) refuse(place, shown(wanted), value);
  };

export const listOf =
  (inner: Shape, most: number): Shape =>
  (value, place) => {
    if (!Array.isArray(value)) refuse(place, 'a list', value);
    if (value.length > most) {
      throw new ShapeError(`${place} has more than ${String(most)} elements`);
    }
    for (const [index, element] of value.entries()) inner(element, `${place}[${String(index)}]`);
  };

export const tuple =
  (...inner: readonly Shape[]): Shape =>
  (value, place) => {
    if (!Array.isArray(value) || value.length !== inner.length) {
      refuse(place, `a list of ${String(inner.length)}`, value);
    }
    for (const [index, shape] of inner.entries()) shape(value[index], `${place}[${String(index)}]`);
  };

/** A member that may be left out. */
export const maybe =
  (inner: Shape): Shape =>
  (value, place) => {
    if (value !== undefined) inner(value, place);
  };

/** An object of these members and no others; `what` names it. */
export const members =
  (what: string, own: Readonly<Record<string, Shape>>): Shape =>
  (value, place) => {
    if (!isObject(value)) refuse(place, what, value);
    const shapes = new Map(Object.entries(own));
    for (const name of Object.keys(value)) {
      if (!shapes.has(name)) {
        throw new ShapeError(`${place}: ${shown(name)} is no member of ${what}`);
      }
    }
    for (const [name, shape] of shapes) shape(value[name], `${place}.${name}`);
  };

/** An object that its member `kind` tells the shape of. */
export const byKind =
  (what: string, kinds: Readonly<Record<string, Shape>>): Shape =>
  (value, place) => {
    if (!isObject(value)) refuse(place, what, value);
    const shape = new Map(Object.entries(kinds)).get(String(value['kind']));
    if (shape === undefined) refuse(`${place}.kind`, namesOf(Object.keys(kinds)), value['kind']);
    shape(value, place);
  };

/** An object that has exactly one of these members. */
export const either =
  (what: string, choices: Readonly<Record<string, Shape>>): Shape =>
  (value, place) => {
    if (!isObject(value)) refuse(place, what, value);
    const [name = '', ...others] = Object.keys(value);
    const shape = new Map(Object.entries(choices)).get(name);
    if (shape === undefined || others.length > 0) {
      throw new ShapeError(`${place} must have one member, ${namesOf(Object.keys(choices))}`);
    }
    shape(value[name], `${place}.${name}`);
  };

const namesOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' or ');

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
