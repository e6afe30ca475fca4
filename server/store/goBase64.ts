import { utf8 } from '../common/bytes';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const values = new Map(Array.from(utf8(alphabet), (byte, index) => [byte, index]));
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Decodes unpadded base64url as Go's `base64.RawURLEncoding`: line breaks are skipped anywhere, the
 * unused bits at the end are not checked, everything else outside the alphabet is refused with the
 * offset of the byte to blame. Node's own decoder accepts far more.
 */
export function decodeRawUrlBase64(text: string): Uint8Array {
  const input = utf8(text);
  const output: number[] = [];
  let bits = 0;
  let held = 0;
  let digits = 0;
  for (let at = 0; at < input.length; at++) {
    const byte = input[at] ?? 0;
    if (byte === lineFeed || byte === carriageReturn) continue;
    const value = values.get(byte);
    if (value === undefined) throw corrupt(at);
    held = (held << 6) | value;
    bits += 6;
    digits++;
    if (bits >= 8) {
      bits -= 8;
      output.push((held >> bits) & 0xff);
      held &= (1 << bits) - 1;
    }
  }
  if (digits % 4 === 1) throw corrupt(input.length - 1);
  return Uint8Array.from(output);
}

export function encodeRawUrlBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

function corrupt(offset: number): Error {
  return new Error(`illegal base64 data at input byte ${offset}`);
}
