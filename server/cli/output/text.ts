/** Stored text made safe for a terminal: nothing in it can move the cursor or hide what follows. */
import { utf8Strict } from '../../common/bytes';
import { cellText } from '../../kube/print/printable';

/** One line of text; control and direction characters become visible escapes. */
export function cell(text: string): string {
  return cellText(text);
}

/** An etcd key: text where it is UTF-8, else its bytes with those that are not ASCII as `\xNN`. */
export function keyText(key: Uint8Array): string {
  const text = utf8Strict(key);
  if (text !== undefined) return cell(text);
  return [...key].map(byteText).join('');
}

function byteText(byte: number): string {
  const plain = byte >= 0x20 && byte < 0x7f;
  return plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}
