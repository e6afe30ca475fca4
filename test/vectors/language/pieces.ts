/** Texts that are written in another form, with the place of each of their characters. */
import type { Span } from '../../../server/kube/selectors';

/** For each UTF-16 unit of what was written: where its form begins and ends. */
export interface Encoded {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Why a text cannot stand in a form. */
export class Unwritten {
  constructor(readonly why: string) {}
}

export type Encoding = (text: string) => Encoded | Unwritten;

/** The form of one character; `from` and `to` where not all of it stands for the character. */
type Piece = string | { readonly text: string; readonly from: number; readonly to: number };

/** Writes character by character. What is written as it is keeps the places of its units apart. */
export function encodeEach(
  text: string,
  write: (character: string, at: number) => Piece | Unwritten,
): Encoded | Unwritten {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let length = 0;
  let at = 0;
  for (const character of text) {
    const piece = write(character, at);
    if (piece instanceof Unwritten) return piece;
    const whole = typeof piece === 'string' ? { text: piece, from: 0, to: piece.length } : piece;
    for (let unit = 0; unit < character.length; unit++) {
      const isRaw = piece === character;
      starts.push(length + (isRaw ? unit : whole.from));
      ends.push(length + (isRaw ? unit + 1 : whole.to));
    }
    parts.push(whole.text);
    length += whole.text.length;
    at += character.length;
  }
  return { text: parts.join(''), starts, ends };
}

export function around(before: string, encoded: Encoded, after: string): Encoded {
  const shift = (offset: number): number => offset + before.length;
  return {
    text: before + encoded.text + after,
    starts: encoded.starts.map(shift),
    ends: encoded.ends.map(shift),
  };
}

/** Writes what is written already once more, all of it. */
export function nested(outer: Encoding, inner: Encoded): Encoded | Unwritten {
  const written = outer(inner.text);
  if (written instanceof Unwritten) return written;
  return {
    text: written.text,
    starts: inner.starts.map((start) => written.starts[start]!),
    ends: inner.ends.map((end) => written.ends[end - 1]!),
  };
}

/** With the line ends of Windows. */
export function withCrLf({ text, starts, ends }: Encoded): Encoded {
  const shifts: number[] = [0];
  for (const unit of text.split('')) shifts.push(shifts.at(-1)! + (unit === '\n' ? 1 : 0));
  const shift = (offset: number): number => offset + shifts[offset]!;
  return { text: text.replaceAll('\n', '\r\n'), starts: starts.map(shift), ends: ends.map(shift) };
}

/** Where characters of what was written stand. */
export function placeOf({ starts, ends }: Encoded, { start, end }: Span): Span {
  return { start: starts[start]!, end: ends[end - 1]! };
}

/** Which characters stand there; undefined where the span cuts one or takes something else along. */
export function charactersAt({ starts, ends }: Encoded, span: Span): Span | undefined {
  const start = starts.indexOf(span.start);
  const end = ends.lastIndexOf(span.end) + 1;
  return start < 0 || end === 0 || end <= start ? undefined : { start, end };
}

/** From the first character's form to the last one's. */
export function scalarOf({ starts, ends }: Encoded): Span | undefined {
  const [start] = starts;
  const end = ends.at(-1);
  return start === undefined || end === undefined ? undefined : { start, end };
}
