/** The order of texts by how often they occur, and the best few of very many. */

/** Numbers of texts, the most frequent first; of equal ones in the order of their numbers. */
export function byFrequency(counts: Uint32Array): Uint32Array {
  const { length } = counts;
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  // Both in one number, so that no function of ours compares them: there are below 2^21 texts.
  const keys = Float64Array.from(counts, (count, i) => (most - count) * length + i).sort();
  return Uint32Array.from(keys, (key) => key % length);
}

/** Keeps the lowest few of many ranks, which differ. */
export class BestRanks {
  offered = 0;
  private kept: number[] = [];
  private limit = Infinity;

  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.offered >= this.most;
  }

  offer(rank: number): void {
    this.offered++;
    if (rank >= this.limit) return;
    this.kept.push(rank);
    // Now and then, so that each costs little in whatever order they come.
    if (this.kept.length >= 2 * this.most + 1) this.cut();
  }

  /** The lowest first. */
  best(): readonly number[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    const lowest = Uint32Array.from(this.kept).sort().subarray(0, this.most);
    this.kept = [...lowest];
    if (lowest.length === this.most) this.limit = lowest.at(-1) ?? 0;
  }
}
