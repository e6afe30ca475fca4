/** How much of one object is turned into data. */
import { DecodeError } from './errors';

/**
 * Real objects have far fewer members and elements. Hostile ones, with two bytes for each, would
 * fill the memory, and keep a printer busy for minutes.
 */
const MOST_PARTS = 300_000;

export class Budget {
  constructor(private left = MOST_PARTS) {}

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Throws `DecodeError` when that was too much, and from then on. */
  spend(parts: number): void {
    this.left -= parts;
    if (this.isSpent) throw new DecodeError('there are too many fields and elements to show all');
  }
}
