/** Bytes as text: of any Unicode encoding that has a mark at its beginning, else UTF-8. */
import { TextDecoder } from 'node:util';

export function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** What is no text of the encoding becomes U+FFFD. */
export async function* decodedText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head: Uint8Array = new Uint8Array();
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    const bytes: Uint8Array = head.length === 0 ? piece : Buffer.concat([head, piece]);
    head = new Uint8Array();
    if (decoder === undefined && bytes.length < 2) {
      head = Uint8Array.from(bytes);
      continue;
    }
    decoder ??= new TextDecoder(encodingOf(bytes));
    yield decoder.decode(bytes, { stream: true });
  }
  yield (decoder ?? new TextDecoder()).decode(head);
}
