/** Numbers, names and ids that look random and are the same for the same seed. */

/** Characters of Kubernetes' generated names: no vowels, so that no words appear. */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const hexAlphabet = '0123456789abcdef';

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `below`, exclusive. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** The end of a generated name, such as `x7k2p`. */
  suffix(length: number): string {
    return this.text(nameAlphabet, length);
  }

  hex(length: number): string {
    return this.text(hexAlphabet, length);
  }

  uid(): string {
    const variant = this.pick(['8', '9', 'a', 'b']);
    const parts = [this.hex(8), this.hex(4), `4${this.hex(3)}`, `${variant}${this.hex(3)}`];
    return [...parts, this.hex(12)].join('-');
  }

  private text(alphabet: string, length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += alphabet.charAt(this.below(alphabet.length));
    return text;
  }
}
