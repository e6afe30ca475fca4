/** Helpers for etcd keys, which are bytes and not text. */

const encoder = new TextEncoder();
const lossyDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 bytes of a text; lone surrogates become U+FFFD. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Text of UTF-8 bytes; each invalid sequence becomes U+FFFD, as Go's conversion does when printing. */
export function utf8Lossy(bytes: Uint8Array): string {
  return lossyDecoder.decode(bytes);
}

/** Text of UTF-8 bytes, or undefined when they are not valid UTF-8. */
export function utf8Strict(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A copy with memory of its own. Unlike `slice`, which on a Buffer is a view. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** Byte order, as etcd sorts keys: negative, zero or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

export function startsWithBytes(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && equalBytes(bytes.subarray(0, prefix.length), prefix);
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The smallest key beyond `key`: the key and a NUL byte (rule P5). */
export function nextKey(key: Uint8Array): Uint8Array {
  return concatBytes(key, Uint8Array.of(0));
}

/**
 * The range end that covers every key with this prefix: the prefix with its last byte below 0xff
 * incremented. All 0xff or empty gives a single NUL, etcd's "to the end of the key space".
 *
 * Upstream: `clientv3.GetPrefixRangeEnd`.
 */
export function prefixEnd(prefix: Uint8Array): Uint8Array {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] ?? 0;
    if (byte < 0xff) {
      // A copy: `slice` of a Buffer would share its bytes with the prefix.
      const end = Uint8Array.from(prefix.subarray(0, i + 1));
      end[i] = byte + 1;
      return end;
    }
  }
  return Uint8Array.of(0);
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** Whether UTF-8 writes each of its characters as one byte. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
