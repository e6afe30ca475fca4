/** Which objects have which values of one label or field. */
import { CountedTexts } from './countedTexts';
import type { ObjectSet } from './objectSet';

export class Postings {
  /** `objects` lists the objects of the first value, of the second and so on; `starts` says where each begins, and where the last ends. */
  constructor(
    readonly values: CountedTexts,
    private readonly starts: Uint32Array,
    private readonly objects: Uint32Array,
  ) {}

  /** How many objects have it. */
  get count(): number {
    return this.objects.length;
  }

  addAllTo(set: ObjectSet): void {
    for (const object of this.objects) set.add(object);
  }

  addValueTo(set: ObjectSet, value: string): void {
    this.addTo(set, this.values.indexOf(value));
  }

  /** Objects whose value passes. */
  addWhere(set: ObjectSet, passes: (value: string) => boolean): void {
    this.values.all.forEach((value, i) => {
      if (passes(value)) this.addTo(set, i);
    });
  }

  private addTo(set: ObjectSet, value: number): void {
    const end = this.starts[value + 1] ?? 0;
    for (let i = this.starts[value] ?? end; i < end; i++) set.add(this.objects[i] ?? 0);
  }
}

/** Gathers the values of one label or field, object by object. */
export class PostingsBuilder {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly objects = new NumberList();
  private readonly values = new NumberList();

  /** `shared` gives the one copy that is kept of a text. An object adds one value at most. */
  add(object: number, value: string, shared: (text: string) => string): void {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.texts.length;
      const text = shared(value);
      this.texts.push(text);
      this.numbers.set(text, number);
    }
    this.objects.push(object);
    this.values.push(number);
  }

  build(): Postings {
    const { texts, objects, values } = this;
    const order = texts
      .map((_, i) => i)
      .sort((a, b) => ((texts[a] ?? '') < (texts[b] ?? '') ? -1 : 1));
    const ranks = new Uint32Array(order.length);
    order.forEach((number, rank) => (ranks[number] = rank));
    const counts = new Uint32Array(order.length);
    for (const value of values.items) increase(counts, ranks[value] ?? 0);
    const starts = startsOf(counts);
    const sorted = new Uint32Array(objects.items.length);
    const next = starts.slice();
    values.items.forEach((value, i) => {
      const rank = ranks[value] ?? 0;
      sorted[next[rank] ?? 0] = objects.items[i] ?? 0;
      increase(next, rank);
    });
    const all = new CountedTexts(
      order.map((number) => texts[number] ?? ''),
      counts,
    );
    return new Postings(all, starts, sorted);
  }
}

function increase(numbers: Uint32Array, at: number): void {
  numbers[at] = (numbers[at] ?? 0) + 1;
}

function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  counts.forEach((count, i) => (starts[i + 1] = (starts[i] ?? 0) + count));
  return starts;
}

/** Numbers below 2^32, four bytes each. */
class NumberList {
  private held = new Uint32Array(8);
  private length = 0;

  get items(): Uint32Array {
    return this.held.subarray(0, this.length);
  }

  push(number: number): void {
    if (this.length === this.held.length) {
      const grown = new Uint32Array(2 * this.length);
      grown.set(this.held);
      this.held = grown;
    }
    this.held[this.length++] = number;
  }
}
