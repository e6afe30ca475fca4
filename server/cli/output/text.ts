/** Stored text made safe for a terminal: nothing in it can move the cursor or hide what follows. */
import { cellText } from '../../kube/print/printable';

export { keyText } from '../../kube/print/keyText';

/** One line of text; control and direction characters become visible escapes. */
export function cell(text: string): string {
  return cellText(text);
}
