/** Many texts as one, so that all of them are gone through in one go, without regard to case. */
import { CharacterGroups } from './characterGroups';

/**
 * How a text holds what was typed, the more alike first: it begins so; a part of it does, such as
 * `name` of `example.com/name`; it holds it elsewhere; it has its characters in their order.
 */
export const LIKENESSES = ['beginning', 'part', 'inside', 'scattered'] as const;

/** An index of `LIKENESSES`. */
export type Likeness = 0 | 1 | 2 | 3;

const SEPARATOR = '\n';

export class TextPile {
  private readonly joined: string;
  /** Where each text begins, and one behind the last separator. */
  private readonly starts: Uint32Array;
  private readonly groups: CharacterGroups;

  constructor(texts: readonly string[]) {
    const lower = texts.map((text) => text.toLowerCase());
    this.joined = lower.join(SEPARATOR);
    this.starts = new Uint32Array(texts.length + 1);
    this.groups = new CharacterGroups(lower);
    lower.forEach((text, i) => (this.starts[i + 1] = (this.starts[i] ?? 0) + text.length + 1));
  }

  /** Calls with the number of each text that is like what was typed, in order, and how it is. */
  eachLike(typed: string, tell: (text: number, how: Likeness) => void): void {
    const wanted = typed.toLowerCase();
    const codes = Uint16Array.from({ length: wanted.length }, (_, i) => wanted.charCodeAt(i));
    this.groups.eachWith(wanted, (text) => {
      const how = this.likeness(text, codes);
      if (how !== undefined) tell(text, how);
    });
  }

  /** Asked of very many texts. */
  private likeness(text: number, codes: Uint16Array): Likeness | undefined {
    const { joined } = this;
    const start = this.starts[text] ?? 0;
    const end = (this.starts[text + 1] ?? 1) - 1;
    let at = start;
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i];
      while (at < end && joined.charCodeAt(at) !== code) at++;
      if (at >= end) return undefined;
      at++;
    }
    // A place where it stands as it is ends no earlier than its scattered characters do.
    return this.heldLikeness(start, at - codes.length, end - codes.length, codes);
  }

  /** The best of the places from `from` to `last` at which it may stand in the text that begins at `start`. */
  private heldLikeness(start: number, from: number, last: number, codes: Uint16Array): Likeness {
    const { joined } = this;
    let best: Likeness = 3;
    for (let place = from; place <= last; place++) {
      let i = 0;
      while (i < codes.length && joined.charCodeAt(place + i) === codes[i]) i++;
      if (i < codes.length) continue;
      if (place === start) return 0;
      if (isSeparator(joined.charCodeAt(place - 1))) return 1;
      best = 2;
    }
    return best;
  }
}

/** What is neither a digit nor a letter of ASCII, nor beyond it. */
function isSeparator(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  const isSmall = code >= 0x61 && code <= 0x7a;
  return !isDigit && !isSmall && code < 0x80;
}
