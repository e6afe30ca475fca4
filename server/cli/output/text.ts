/** Stored text made safe for a terminal: nothing in it can move the cursor or hide what follows. */
import { utf8Strict } from '../../common/bytes';
import { cellText } from '../../kube/print/printable';
import { elideMiddle } from './width';

/** One line of text; control and direction characters become visible escapes. */
export function cell(text: string): string {
  return cellText(text);
}

/** Longer than any key of Kubernetes. */
const LONG_WORD = /\S{401,}/g;
const SHORT_WORD = 120;

/** A sentence in which no word, such as an argument it repeats, is so long that it hides the rest. */
export function shortened(text: string): string {
  return text.replace(LONG_WORD, (word) => elideMiddle(word, SHORT_WORD));
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
