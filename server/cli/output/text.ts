/** Stored text made safe for a terminal: nothing in it can move the cursor or hide what follows. */
import { cellText } from '../../kube/print/printable';
import { elideMiddle } from './width';

export { keyText } from '../../kube/print/keyText';

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

const LONG_SENTENCE = 1000;
const KEPT_END = 400;

/** A sentence that repeats a long text, with the middle of that left out: what is wrong stands at its end. */
export function clipped(text: string): string {
  const short = shortened(text);
  if (short.length <= LONG_SENTENCE) return short;
  return `${short.slice(0, LONG_SENTENCE - KEPT_END)}…${short.slice(-KEPT_END)}`;
}
