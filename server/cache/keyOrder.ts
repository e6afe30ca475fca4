/**
 * Keys as texts of one character a byte: JavaScript compares such texts as etcd compares keys, and
 * they take less memory than arrays of bytes do.
 */
import { prefixEnd } from '../common/bytes';

export function orderOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

/** The key again, in memory of its own. */
export function keyOf(order: string): Uint8Array {
  return new Uint8Array(Buffer.from(order, 'latin1'));
}

/** The first text beyond all that begin with this prefix. */
export const orderEnd = (prefix: Uint8Array): string => orderOf(prefixEnd(prefix));
