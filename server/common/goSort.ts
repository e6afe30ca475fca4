/**
 * Go's `sort.Sort`: pattern-defeating quicksort, not stable but deterministic. Where equal
 * elements land is visible upstream (a label selector with many requirements on one key), so it
 * has to be the same here.
 *
 * Upstream: package `sort` of Go's standard library, Go 1.19 and later.
 */

const insertionLimit = 12;
const nintherLimit = 50;
/** All comparisons of a ninther found the pair out of order: the range runs downwards. */
const allSwapped = 12;

/** Sorts in place. `less` must be a strict weak order. O(n log n) comparisons at worst. */
export function goSort<T>(items: T[], less: (a: T, b: T) => boolean): void {
  if (items.length <= 1) return;
  const sorter = new Sorter(items, less);
  sorter.quicksort(0, items.length, bitLength(items.length));
}

function bitLength(n: number): number {
  return 32 - Math.clz32(n);
}

class Sorter<T> {
  constructor(
    private readonly items: T[],
    private readonly isLess: (a: T, b: T) => boolean,
  ) {}

  /** `badPivots` is how many unbalanced partitions are tolerated before heap sort takes over. */
  quicksort(start: number, end: number, badPivots: number): void {
    let [lo, hi, tolerated] = [start, end, badPivots];
    let balanced = true;
    let untouched = true;
    while (hi - lo > insertionLimit) {
      if (tolerated === 0) {
        this.heapSort(lo, hi);
        return;
      }
      if (!balanced) {
        this.scatter(lo, hi);
        tolerated--;
      }
      const { pivot, rising } = this.pivotOf(lo, hi);
      if (balanced && untouched && rising && this.finishNearlySorted(lo, hi)) return;
      if (lo > 0 && !this.less(lo - 1, pivot)) {
        lo = this.partitionEqual(lo, hi, pivot);
        continue;
      }
      const split = this.partition(lo, hi, pivot);
      untouched = split.untouched;
      const [left, right] = [split.middle - lo, hi - split.middle];
      balanced = Math.min(left, right) >= Math.floor((hi - lo) / 8);
      // The shorter side is the recursive one, which bounds the depth by log2(n).
      if (left < right) {
        this.quicksort(lo, split.middle, tolerated);
        lo = split.middle + 1;
      } else {
        this.quicksort(split.middle + 1, hi, tolerated);
        hi = split.middle;
      }
    }
    this.insertionSort(lo, hi);
  }

  private less(i: number, j: number): boolean {
    return this.isLess(this.items[i] as T, this.items[j] as T);
  }

  private swap(i: number, j: number): void {
    const kept = this.items[i] as T;
    this.items[i] = this.items[j] as T;
    this.items[j] = kept;
  }

  private insertionSort(lo: number, hi: number): void {
    for (let i = lo + 1; i < hi; i++) this.sinkLeft(i, lo);
  }

  private sinkLeft(from: number, floor: number): void {
    for (let i = from; i > floor && this.less(i, i - 1); i--) this.swap(i, i - 1);
  }

  private riseRight(from: number, hi: number): void {
    for (let i = from; i < hi && this.less(i, i - 1); i++) this.swap(i, i - 1);
  }

  private heapSort(lo: number, hi: number): void {
    const count = hi - lo;
    for (let root = Math.floor((count - 1) / 2); root >= 0; root--) this.siftDown(root, count, lo);
    for (let last = count - 1; last >= 0; last--) {
      this.swap(lo, lo + last);
      this.siftDown(0, last, lo);
    }
  }

  private siftDown(from: number, count: number, offset: number): void {
    let root = from;
    for (let child = 2 * root + 1; child < count; child = 2 * root + 1) {
      if (child + 1 < count && this.less(offset + child, offset + child + 1)) child++;
      if (!this.less(offset + root, offset + child)) return;
      this.swap(offset + root, offset + child);
      root = child;
    }
  }

  /** Breaks a pattern that made the last partition lopsided, with numbers seeded by the length. */
  private scatter(lo: number, hi: number): void {
    const length = hi - lo;
    const mask = BigInt(2 ** bitLength(length) - 1);
    const middle = lo + 2 * Math.floor(length / 4);
    let random = BigInt(length);
    for (let i = middle - 1; i <= middle + 1; i++) {
      random = xorshift(random);
      const other = Number(random & mask);
      this.swap(i, lo + (other >= length ? other - length : other));
    }
  }

  /** The index of the pivot, and whether the range seems to be in order; a falling one is turned. */
  private pivotOf(lo: number, hi: number): { pivot: number; rising: boolean } {
    const length = hi - lo;
    const quarter = Math.floor(length / 4);
    const swaps = { count: 0 };
    let samples: [number, number, number] = [lo + quarter, lo + 2 * quarter, lo + 3 * quarter];
    if (length >= nintherLimit) {
      const [i, j, k] = samples;
      samples = [this.around(i, swaps), this.around(j, swaps), this.around(k, swaps)];
    }
    const pivot = this.median(...samples, swaps);
    if (swaps.count !== allSwapped) return { pivot, rising: swaps.count === 0 };
    this.reverse(lo, hi);
    return { pivot: hi - 1 - (pivot - lo), rising: true };
  }

  private around(i: number, swaps: { count: number }): number {
    return this.median(i - 1, i, i + 1, swaps);
  }

  private median(i: number, j: number, k: number, swaps: { count: number }): number {
    const [low, upper] = this.ordered(i, j, swaps);
    const [middle] = this.ordered(upper, k, swaps);
    return this.ordered(low, middle, swaps)[1];
  }

  private ordered(i: number, j: number, swaps: { count: number }): [number, number] {
    if (!this.less(j, i)) return [i, j];
    swaps.count++;
    return [j, i];
  }

  private reverse(lo: number, hi: number): void {
    for (let i = lo, j = hi - 1; i < j; i++, j--) this.swap(i, j);
  }

  /**
   * True when the range is in order at the end. Mends at most five pairs, and only in ranges long
   * enough to be worth it.
   */
  private finishNearlySorted(lo: number, hi: number): boolean {
    let i = lo + 1;
    for (let step = 0; step < 5; step++) {
      while (i < hi && !this.less(i, i - 1)) i++;
      if (i === hi) return true;
      if (hi - lo < nintherLimit) return false;
      this.swap(i, i - 1);
      if (i - lo >= 2) this.sinkLeft(i - 1, 0);
      if (hi - i >= 2) this.riseRight(i + 1, hi);
    }
    return false;
  }

  /** Afterwards what is less than the pivot stands left of it. `untouched`: it already did. */
  private partition(lo: number, hi: number, pivot: number): { middle: number; untouched: boolean } {
    this.swap(lo, pivot);
    let [i, j] = [lo + 1, hi - 1];
    let untouched = true;
    for (;;) {
      while (i <= j && this.less(i, lo)) i++;
      while (i <= j && !this.less(j, lo)) j--;
      if (i > j) break;
      this.swap(i++, j--);
      untouched = false;
    }
    this.swap(j, lo);
    return { middle: j, untouched };
  }

  /** For a range without anything less than the pivot: its equals first. The end of these. */
  private partitionEqual(lo: number, hi: number, pivot: number): number {
    this.swap(lo, pivot);
    let [i, j] = [lo + 1, hi - 1];
    for (;;) {
      while (i <= j && !this.less(lo, i)) i++;
      while (i <= j && this.less(lo, j)) j--;
      if (i > j) return i;
      this.swap(i++, j--);
    }
  }
}

/** Marsaglia's 64-bit xorshift with the shifts 13, 7, 17. */
function xorshift(state: bigint): bigint {
  let next = state;
  next = BigInt.asUintN(64, next ^ (next << 13n));
  next ^= next >> 7n;
  return BigInt.asUintN(64, next ^ (next << 17n));
}
