/** Numbers, names and ids that look random and are the same for the same seed. */

/** Characters of Kubernetes' generated names: no vowels, so that no words appear. */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

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
    let text = '';
    for (let i = 0; i < length; i++) text += nameAlphabet.charAt(this.below(nameAlphabet.length));
    return text;
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += hexBytes[this.below(256)] ?? '';
    return text.slice(0, length);
  }

  uid(): string {
    const hex = this.hex(32);
    const variant = '89ab'.charAt(this.below(4));
    const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 15)];
    return `${a}-${b}-4${c}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
  }
}
