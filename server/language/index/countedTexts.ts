/** Texts and how often each occurs: looked up by their beginning, else by likeness. */
import { TextPile, type Likeness } from './textPile';

export interface CountedText {
  readonly text: string;
  readonly count: number;
}

export interface FoundTexts {
  /** Those that begin as asked first, then the less alike; among equals the frequent first, then by name. */
  readonly found: readonly CountedText[];
  /** Whether others fit too, or may: those that are least alike are not looked for when there are enough. */
  readonly more: boolean;
}

export class CountedTexts {
  private readonly pile: TextPile;

  /** `texts` are sorted by UTF-16 units and differ; `counts` has one number for each. */
  constructor(
    private readonly texts: readonly string[],
    private readonly counts: Uint32Array,
  ) {
    this.pile = new TextPile(texts);
  }

  /** Texts that were not counted, in any order. */
  static uncounted(texts: Iterable<string>): CountedTexts {
    const sorted = [...new Set(texts)].sort();
    return new CountedTexts(sorted, new Uint32Array(sorted.length));
  }

  get size(): number {
    return this.texts.length;
  }

  /** Sorted by UTF-16 units. */
  get all(): readonly string[] {
    return this.texts;
  }

  /** -1 when it is not among them. */
  indexOf(text: string): number {
    const at = this.firstFrom(text);
    return this.texts[at] === text ? at : -1;
  }

  /** 0 when it is not among them. */
  countOf(text: string): number {
    return this.counts[this.indexOf(text)] ?? 0;
  }

  /**
   * At most `most` texts for what was typed: those that begin with it, found in their order; where they
   * are too few, those that hold it; then those that have its characters in their order.
   */
  find(typed: string, most: number): FoundTexts {
    const [start, end] = this.rangeOf(typed);
    const exact = new MostFrequent(most, this.counts);
    for (let i = start; i < end; i++) exact.offer(i);
    if (typed === '') return this.taken([exact], exact.offered > most);
    if (exact.isFull) return this.taken([exact], true);
    const seen = new Uint8Array(this.texts.length).fill(1, start, end);
    const holding = this.holding(typed, most - exact.size, seen);
    const taken = [exact, ...holding];
    const left = most - taken.reduce((sum, { size }) => sum + size, 0);
    if (left <= 0) return this.taken(taken, true);
    const scattered = new MostFrequent(left, this.counts);
    const isScattered = this.pile.scattered(typed);
    for (let i = 0; i < seen.length; i++) {
      if (seen[i] === 0 && isScattered(i)) scattered.offer(i);
    }
    return this.taken([...taken, scattered], scattered.offered > left);
  }

  /** By how they hold it, each list at most `most`; those that hold it are seen from now on. */
  private holding(typed: string, most: number, seen: Uint8Array): readonly MostFrequent[] {
    const lists: Readonly<Record<Likeness, MostFrequent>> = {
      beginning: new MostFrequent(most, this.counts),
      part: new MostFrequent(most, this.counts),
      inside: new MostFrequent(most, this.counts),
    };
    this.pile.eachHolding(typed, (text, how) => {
      if (seen[text] === 0) lists[how].offer(text);
      seen[text] = 1;
    });
    return [lists.beginning, lists.part, lists.inside];
  }

  private taken(ranks: readonly MostFrequent[], more: boolean): FoundTexts {
    const most = ranks[0]?.most ?? 0;
    const indexes = ranks.flatMap(({ best }) => best).slice(0, most);
    const found = indexes.map((i) => ({ text: this.texts[i] ?? '', count: this.counts[i] ?? 0 }));
    return { found, more };
  }

  /** From the first text with this beginning to behind the last. */
  private rangeOf(beginning: string): readonly [number, number] {
    if (beginning === '') return [0, this.texts.length];
    const start = this.firstFrom(beginning);
    const { length } = beginning;
    return [start, this.first((text) => text.slice(0, length) > beginning, start)];
  }

  private firstFrom(text: string): number {
    return this.first((each) => each >= text, 0);
  }

  /** The first index from `low` on for which it holds; it holds for all behind that. */
  private first(holds: (text: string) => boolean, low: number): number {
    let high = this.texts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.texts[middle] ?? '')) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Keeps the few most frequent of many, of equal ones those that were offered first. */
class MostFrequent {
  readonly best: number[] = [];
  offered = 0;

  constructor(
    readonly most: number,
    private readonly counts: Uint32Array,
  ) {}

  get size(): number {
    return this.best.length;
  }

  get isFull(): boolean {
    return this.best.length >= this.most;
  }

  offer(index: number): void {
    this.offered++;
    const count = this.counts[index] ?? 0;
    if (this.isFull && count <= this.countAt(this.best.length - 1)) return;
    let at = this.best.length;
    while (at > 0 && this.countAt(at - 1) < count) at--;
    this.best.splice(at, 0, index);
    if (this.best.length > this.most) this.best.pop();
  }

  private countAt(place: number): number {
    return this.counts[this.best[place] ?? -1] ?? 0;
  }
}
