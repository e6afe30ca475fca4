/** Repeatable chance for bytes and texts. */
import { concatBytes } from '../../server/common/bytes';

const suffixes = [
  ...['', '', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'],
  ...['e', 'e1', 'e-1', 'E3', 'E-9', 'e20', 'e-30', 'e+6', 'Kik', 'mm', 'e4294967299', 'K'],
];

/** Repeatable chance (mulberry32). */
export class Random {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** A quantity, or what looks like one. */
  quantity(): string {
    const digits = (most: number): string =>
      Array.from({ length: this.below(most) }, () => this.pick(Array.from('000123456789'))).join(
        '',
      );
    const fraction = this.below(3) === 0 ? `.${digits(this.pick([4, 12, 25]))}` : '';
    const number = this.pick(['', '', '', '-', '+']) + digits(this.pick([3, 8, 30])) + fraction;
    const odd = this.below(12) === 0 ? this.pick(['x', ' ', '.', '-', 'é', '\0']) : '';
    return number + this.pick(suffixes) + odd;
  }

  /** One or two bytes changed, bytes cut out, doubled or put in. */
  damage(raw: Uint8Array): Uint8Array {
    const at = this.below(raw.length + 1);
    const [before, after] = [raw.subarray(0, at), raw.subarray(at)];
    switch (this.below(6)) {
      case 0:
        return before;
      case 1:
        return concatBytes(before, after.subarray(1 + this.below(4)));
      case 2:
        return concatBytes(before, Uint8Array.of(this.below(256)), after);
      case 3:
        return concatBytes(raw, raw);
      default: {
        const changed = Uint8Array.from(raw);
        for (const bit of [this.below(8), this.below(8)]) {
          const place = this.below(raw.length);
          changed[place] = (changed[place] ?? 0) ^ (1 << bit);
        }
        return changed;
      }
    }
  }
}
