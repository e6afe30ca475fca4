/** Bytes that are written one by one, as `%C3%BC` or `\xc3\xbc`. */
import { goUtf8 } from '../../common/goText';
import type { MappedTextBuilder } from './mappedText';

/** One byte and where it is written. */
export interface WrittenByte {
  readonly byte: number;
  readonly start: number;
  readonly end: number;
}

/** The bytes of one character become one piece; each that is not UTF-8 becomes U+FFFD. */
export function putBytes(builder: MappedTextBuilder, bytes: readonly WrittenByte[]): void {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at];
    if (first === undefined) return;
    const size = characterSize(bytes, at, first.byte);
    const last = bytes[at + size - 1] ?? first;
    builder.piece(textOf(bytes, at, size), first.start, last.end);
    at += size;
  }
}

function textOf(bytes: readonly WrittenByte[], at: number, size: number): string {
  return goUtf8(Uint8Array.from(bytes.slice(at, at + size), ({ byte }) => byte));
}

/** How many bytes from here on are one character. */
function characterSize(bytes: readonly WrittenByte[], at: number, first: number): number {
  const announced = announcedSize(first);
  if (announced === 1 || at + announced > bytes.length) return 1;
  const text = textOf(bytes, at, announced);
  return text.length === (announced === 4 ? 2 : 1) && text !== '\ufffd\ufffd' ? announced : 1;
}

function announcedSize(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
