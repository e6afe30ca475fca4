/** Times of different work are not worth comparing: whoever does the same list has to say the same. */
import type { Sent } from './work';

/** What a side tells of a run; it is held to what it tells and to nothing else. */
export interface Told {
  readonly items?: number | undefined;
  readonly keys?: number | undefined;
  readonly requestCount?: number | undefined;
  readonly requests?: readonly Sent[] | undefined;
  readonly replyBytes?: number | undefined;
  readonly printedBytes?: number | undefined;
}

const titles: Readonly<Record<keyof Told, string>> = {
  items: 'objects found',
  keys: 'keys received',
  requestCount: 'number of etcd requests',
  requests: 'etcd requests',
  replyBytes: 'bytes of the replies',
  printedBytes: 'bytes printed',
};

const facts = Object.keys(titles) as (keyof Told)[];

const partsOf = (value: number | readonly Sent[]): string[] =>
  typeof value === 'number'
    ? [String(value)]
    : value.map(({ method, message }) => `${method} ${message}`);

interface Said {
  readonly by: string;
  readonly parts: readonly string[];
}

/** Of one list, through all runs of all sides. */
export class Agreement {
  private readonly said = new Map<keyof Told, Said>();

  constructor(private readonly about: string) {}

  /** Throws when something else was told before. */
  note(by: string, told: Told): void {
    for (const fact of facts) {
      const value = told[fact];
      if (value === undefined) continue;
      const now = { by, parts: partsOf(value) };
      const before = this.said.get(fact);
      if (before === undefined) this.said.set(fact, now);
      else this.compare(fact, before, now);
    }
  }

  private compare(fact: keyof Told, before: Said, now: Said): void {
    for (let i = 0; i < Math.max(before.parts.length, now.parts.length); i++) {
      if (before.parts[i] === now.parts[i]) continue;
      const [one, other] = [before, now].map(({ by, parts }) => `${by} ${parts[i] ?? 'nothing'}`);
      const place = fact === 'requests' ? `, number ${i + 1}` : '';
      throw new Error(`${this.about}: not the same ${titles[fact]}${place}: ${one}, ${other}`);
    }
  }
}
