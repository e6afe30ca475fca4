/** A set of objects by their numbers, one bit for each. Changing methods change it in place. */
export class ObjectSet {
  private readonly words: Uint32Array;

  /** Empty; may hold the numbers below `size`. */
  constructor(private readonly size: number) {
    this.words = new Uint32Array(Math.ceil(size / 32));
  }

  /** All numbers below `size`. */
  static all(size: number): ObjectSet {
    return new ObjectSet(size).complement();
  }

  get count(): number {
    let sum = 0;
    for (const word of this.words) sum += bitsOf(word);
    return sum;
  }

  add(object: number): void {
    const at = object >>> 5;
    this.words[at] = (this.words[at] ?? 0) | (1 << (object & 31));
  }

  complement(): this {
    const { words, size } = this;
    for (let i = 0; i < words.length; i++) words[i] = ~(words[i] ?? 0);
    const used = size & 31;
    if (used > 0) words[words.length - 1] = (words.at(-1) ?? 0) & ((1 << used) - 1);
    return this;
  }

  intersect(other: ObjectSet): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) & (other.words[i] ?? 0);
    return this;
  }

  unite(other: ObjectSet): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) | (other.words[i] ?? 0);
    return this;
  }
}

/** Sums of neighbouring bits, then pairs, then groups of four, and of the four bytes. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
