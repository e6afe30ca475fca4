/** Many texts as one, so that all of them are searched in one go, without regard to case. */

/** A text begins as was typed; a part of it does, such as `name` of `example.com/name`; it holds it elsewhere. */
export type Likeness = 'beginning' | 'part' | 'inside';

const SEPARATOR = '\n';

export class TextPile {
  private readonly joined: string;
  /** Where each text begins, and one behind the last separator. */
  private readonly starts: Uint32Array;
  /** Which characters each text has, in 32 groups. */
  private readonly groups: Uint32Array;

  constructor(texts: readonly string[]) {
    const lower = texts.map((text) => text.toLowerCase());
    this.joined = lower.join(SEPARATOR);
    this.starts = new Uint32Array(texts.length + 1);
    this.groups = Uint32Array.from(lower, groupsOf);
    lower.forEach((text, i) => (this.starts[i + 1] = (this.starts[i] ?? 0) + text.length + 1));
  }

  /** Calls with the number of each text that holds what was typed, in order, and how it does. */
  eachHolding(typed: string, tell: (text: number, how: Likeness) => void): void {
    const wanted = typed.toLowerCase();
    if (wanted === '' || wanted.includes(SEPARATOR)) return;
    const { joined, starts } = this;
    let text = 0;
    for (let at = joined.indexOf(wanted); at >= 0;) {
      while (at >= (starts[text + 1] ?? Infinity)) text++;
      const next = starts[text + 1] ?? joined.length;
      tell(text, this.likenessAt(at, text, wanted));
      at = joined.indexOf(wanted, next);
    }
  }

  /** Whether the characters of what was typed occur in a text in their order: asked of very many texts. */
  scattered(typed: string): (text: number) => boolean {
    const { joined, starts, groups: ofTexts } = this;
    const wanted = typed.toLowerCase();
    const groups = groupsOf(wanted) | 0;
    const codes = Uint16Array.from({ length: wanted.length }, (_, i) => wanted.charCodeAt(i));
    return (text) => {
      if (((ofTexts[text] ?? 0) & groups) !== groups) return false;
      const end = (starts[text + 1] ?? 1) - 1;
      let at = starts[text] ?? end;
      for (let i = 0; i < codes.length; i++) {
        const code = codes[i];
        while (at < end && joined.charCodeAt(at) !== code) at++;
        if (at >= end) return false;
        at++;
      }
      return true;
    };
  }

  /** `at` is where it occurs first; a later place may be the beginning of a part. */
  private likenessAt(at: number, text: number, wanted: string): Likeness {
    const { joined, starts } = this;
    if (at === starts[text]) return 'beginning';
    const end = (starts[text + 1] ?? joined.length + 1) - 1;
    for (let place = at; place >= 0 && place + wanted.length <= end;) {
      if (isSeparator(joined.charCodeAt(place - 1))) return 'part';
      place = joined.indexOf(wanted, place + wanted.length);
    }
    return 'inside';
  }
}

/** What is neither a digit nor a letter of ASCII, nor beyond it. */
function isSeparator(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  const isSmall = code >= 0x61 && code <= 0x7a;
  return !isDigit && !isSmall && code < 0x80;
}

/** One bit for each character, which some share. */
function groupsOf(text: string): number {
  let groups = 0;
  for (let i = 0; i < text.length; i++) groups |= 1 << (text.charCodeAt(i) & 31);
  return groups >>> 0;
}
