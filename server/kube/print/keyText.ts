/** An etcd key as people see it. */
import { utf8Strict } from '../../common/bytes';
import { cellText } from './cellText';

/** Text where the key is UTF-8, made safe; else its bytes with those that are not ASCII as `\xNN`. */
export function keyText(key: Uint8Array): string {
  const text = utf8Strict(key);
  if (text !== undefined) return cellText(text);
  return [...key].map(byteText).join('');
}

function byteText(byte: number): string {
  const plain = byte >= 0x20 && byte < 0x7f;
  return plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}
