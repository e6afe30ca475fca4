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
    const [a = 0, b = 0, c = 0, d = 0] = wanted;
    const { held } = this;
    for (let at = 0; at < held.length; at += WORDS) {
      // Most fail at one of the first two.
      if (((held[at] ?? 0) & a) !== a || ((held[at + 1] ?? 0) & b) !== b) continue;
      if (((held[at + 2] ?? 0) & c) !== c || ((held[at + 3] ?? 0) & d) !== d) continue;
      tell(at / WORDS);
    }
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
