/** Texts and how often each occurs: looked up by their beginning, else by likeness. */
import { BestRanks, byFrequency } from './bestRanks';
import { LIKENESSES, TextPile } from './textPile';

export interface CountedText {
  readonly text: string;
  readonly count: number;
}

export interface FoundTexts {
  /** Those that begin as asked first, then the less alike; among equals the frequent first, then by name. */
  readonly found: readonly CountedText[];
  /** Whether others fit too, or may: those that begin otherwise are not looked for when there are enough. */
  readonly more: boolean;
}

/** What a search needs beside the texts. */
interface Search {
  readonly pile: TextPile;
  /** Numbers of texts by their ranks, the most frequent first. */
  readonly byRank: Uint32Array;
  /** Ranks of texts by their numbers. */
  readonly ranks: Uint32Array;
}

/** So few are made ready for a search when they are searched: of most labels nobody asks the values. */
const FEW = 1_000;

export class CountedTexts {
  private search: Search | undefined;

  /** `texts` are sorted by UTF-16 units and differ; `counts` has one number for each. */
  constructor(
    private readonly texts: readonly string[],
    private readonly counts: Uint32Array,
  ) {
    // Not while a person waits for offers.
    if (texts.length > FEW) this.search = searchOf(texts, counts);
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
    const search = (this.search ??= searchOf(this.texts, this.counts));
    const { pile, ranks } = search;
    const { length } = ranks;
    if (typed === '') return this.taken([...search.byRank.subarray(0, most)], length > most);
    const [start, end] = this.rangeOf(typed);
    const exact = new BestRanks(most);
    for (let i = start; i < end; i++) exact.offer(ranks[i] ?? length);
    const atRank = (rank: number): number => search.byRank[rank] ?? length;
    if (exact.isFull) return this.taken(exact.best().map(atRank), true);
    const left = most - exact.offered;
    const alike = LIKENESSES.map(() => new BestRanks(left));
    pile.eachLike(typed, (text, how) => {
      if (text < start || text >= end) alike[how]?.offer(ranks[text] ?? length);
    });
    const all = [exact, ...alike];
    const best = all.flatMap((each) => each.best()).slice(0, most);
    const offered = all.reduce((sum, each) => sum + each.offered, 0);
    return this.taken(best.map(atRank), offered > most);
  }

  private taken(numbers: readonly number[], more: boolean): FoundTexts {
    const found = numbers.map((i) => ({ text: this.texts[i] ?? '', count: this.counts[i] ?? 0 }));
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

function searchOf(texts: readonly string[], counts: Uint32Array): Search {
  const byRank = byFrequency(counts);
  const ranks = new Uint32Array(byRank.length);
  byRank.forEach((text, rank) => (ranks[text] = rank));
  return { pile: new TextPile(texts), byRank, ranks };
}
