/**
 * Looks for damage in the metadata of a protobuf object, as reading it does, for objects as
 * Kubernetes writes them: known fields, integers and lengths of usual size. Every object of a list
 * comes by here, so positions stay in local variables.
 */

/** What may follow a tag; anything else is left to the reader that knows every case. */
const Step = { other: 0, varint: 1, bytes: 2, message: 3 } as const;

/** By tag: the field's number times eight, plus its wire type. */
export interface Shape {
  readonly steps: Uint8Array;
  readonly inner: readonly (Shape | undefined)[];
}

/** Two bytes of a tag, the second at most three, go up to field 63. */
export const TAGS = 512;

/** Fields of a message by what may stand in them. */
interface Known {
  readonly varints?: readonly number[];
  readonly bytes?: readonly number[];
  readonly messages?: readonly (readonly [number, Shape])[];
}

function shape({ varints = [], bytes = [], messages = [] }: Known): Shape {
  const steps = new Uint8Array(TAGS);
  const inner: (Shape | undefined)[] = Array.from({ length: TAGS }, () => undefined);
  for (const field of varints) steps[field * 8] = Step.varint;
  for (const field of bytes) steps[field * 8 + 2] = Step.bytes;
  for (const [field, message] of messages) {
    steps[field * 8 + 2] = Step.message;
    inner[field * 8 + 2] = message;
  }
  return { steps, inner };
}

const ENTRY = shape({ bytes: [1, 2] });
const TIME = shape({ varints: [1, 2] });
const OWNER = shape({ bytes: [1, 3, 4, 5], varints: [6, 7] });
const MANAGED = shape({
  bytes: [1, 2, 3, 6, 8],
  messages: [
    [4, TIME],
    [7, shape({ bytes: [1] })],
  ],
});
/** `ObjectMeta`; its fields 1, 3 and 11 are name, namespace and labels. */
export const META_KNOWN: Required<Known> = {
  bytes: [1, 2, 3, 4, 5, 6, 14],
  varints: [7, 10],
  messages: [
    [8, TIME],
    [9, TIME],
    [11, ENTRY],
    [12, ENTRY],
    [13, OWNER],
    [17, MANAGED],
  ],
};
const META = shape(META_KNOWN);

/** Of any other message: all that two bytes of a tag can name. */
export const ANY_FIELD = Array.from({ length: TAGS / 8 - 1 }, (_, i) => i + 1);
const FIELDS = ANY_FIELD.slice(1);
const OBJECT = shape({ bytes: FIELDS, varints: FIELDS, messages: [[1, META]] });

/** True when reading the metadata of the object whose message stands there will not fail; false when it may. */
export function isPlainlySound(data: Uint8Array, start = 0, end = data.length): boolean {
  return skim(data, start, end, OBJECT);
}

export function skim(
  data: Uint8Array,
  start: number,
  end: number,
  { steps, inner }: Shape,
): boolean {
  let at = start;
  while (at < end) {
    const tag = tagAt(data, at);
    at += tag < 0x80 ? 1 : 2;
    const step = steps[tag];
    if (step === Step.varint) {
      at = behindVarint(data, at);
      continue;
    }
    const content = contentAt(data, at);
    const stop = content + lengthAt(data, at);
    if (stop > end || step === undefined || step === Step.other) return false;
    if (step === Step.message) {
      const message = inner[tag];
      if (message === undefined || !skim(data, content, stop, message)) return false;
    }
    at = stop;
  }
  return at === end;
}

/** Beyond every end. */
const FAR = 2 ** 40;

/** A tag of one byte or two; a longer one, and one of two that would fit in one, has no step. */
export function tagAt(data: Uint8Array, at: number): number {
  const first = data[at] ?? 0;
  if (first < 0x80) return first;
  const second = data[at + 1] ?? 0;
  return second === 0 ? TAGS : (first & 0x7f) | (second << 7);
}

export function behindVarint(data: Uint8Array, start: number): number {
  let at = start;
  while ((data[at] ?? 0) >= 0x80) at++;
  return at - start < 10 ? at + 1 : FAR;
}

/** Where the content begins behind a length of up to three bytes. */
export function contentAt(data: Uint8Array, at: number): number {
  if ((data[at] ?? 0) < 0x80) return at + 1;
  if ((data[at + 1] ?? 0) < 0x80) return at + 2;
  return (data[at + 2] ?? 0) < 0x80 ? at + 3 : FAR;
}

export function lengthAt(data: Uint8Array, at: number): number {
  const first = data[at] ?? 0;
  if (first < 0x80) return first;
  const second = data[at + 1] ?? 0;
  const low = (first & 0x7f) | ((second & 0x7f) << 7);
  return second < 0x80 ? low : low | ((data[at + 2] ?? 0) << 14);
}

/** Where a text stands. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const Tag = { metadata: 0x0a, labels: 0x5a, key: 0x0a, value: 0x12 } as const;

/**
 * Finds the value of a label with an ASCII key in an object that is plainly sound: of several, the
 * last, in whichever metadata it stands, as protobuf merges them.
 */
export function findLabel(raw: Uint8Array, key: string): TextRange | undefined {
  let found: TextRange | undefined;
  eachField(raw, 0, raw.length, Tag.metadata, (from, to) => {
    eachField(raw, from, to, Tag.labels, (start, end) => {
      found = entryValue(raw, start, end, key) ?? found;
    });
  });
  return found;
}

function eachField(
  data: Uint8Array,
  start: number,
  end: number,
  wanted: number,
  visit: (start: number, end: number) => void,
): void {
  let at = start;
  while (at < end) {
    const tag = tagAt(data, at);
    at += tag < 0x80 ? 1 : 2;
    if ((tag & 7) === 0) at = behindVarint(data, at);
    else {
      const content = contentAt(data, at);
      at = content + lengthAt(data, at);
      if (tag === wanted) visit(content, at);
    }
  }
}

function entryValue(
  data: Uint8Array,
  start: number,
  end: number,
  key: string,
): TextRange | undefined {
  let isWanted = key === '';
  let value = { start: end, end };
  for (let at = start; at < end;) {
    const isKey = data[at] === Tag.key;
    const content = contentAt(data, at + 1);
    at = content + lengthAt(data, at + 1);
    if (isKey) isWanted = isAscii(data, content, at, key);
    // A value at the end behind another key is no use; before its key it may be.
    else if (isWanted || at < end) value = { start: content, end: at };
  }
  return isWanted ? value : undefined;
}

function isAscii(data: Uint8Array, start: number, end: number, text: string): boolean {
  const { length } = text;
  if (end - start !== length) return false;
  for (let i = 0; i < length; i++) if (data[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
