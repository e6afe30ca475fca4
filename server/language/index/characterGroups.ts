/** Which characters texts have, and which of them twice: rules out most texts without a look at them. */

/** Words of 32 bits for each text: two of groups that it has, two of those that it has twice. */
const WORDS = 4;

export class CharacterGroups {
  private readonly held: Int32Array;

  constructor(texts: readonly string[]) {
    this.held = new Int32Array(WORDS * texts.length);
    texts.forEach((text, i) => {
      putGroups(text, this.held, WORDS * i);
    });
  }

  /** Calls with the number of each text, in order, that may have all these characters. */
  eachWith(characters: string, tell: (text: number) => void): void {
    const wanted = new Int32Array(WORDS);
    putGroups(characters, wanted, 0);
    for (let at = 0; at < this.held.length; at += WORDS)
      if (this.hasAll(at, wanted)) tell(at / WORDS);
  }

  private hasAll(at: number, wanted: Int32Array): boolean {
    for (let i = 0; i < WORDS; i++) {
      const bits = wanted[i] ?? 0;
      if (((this.held[at + i] ?? 0) & bits) !== bits) return false;
    }
    return true;
  }
}

function putGroups(text: string, into: Int32Array, at: number): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const bit = 1 << (code & 31);
    if (code >= 0x60) {
      c |= a & bit;
      a |= bit;
    } else {
      d |= b & bit;
      b |= bit;
    }
  }
  into[at] = a;
  into[at + 1] = b;
  into[at + 2] = c;
  into[at + 3] = d;
}
