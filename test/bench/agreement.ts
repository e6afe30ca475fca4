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

const textOf = (value: number | readonly Sent[]): string =>
  typeof value === 'number'
    ? String(value)
    : value.map(({ method, message }) => `${method} ${message}`).join(', ');

/** Of one list, through all runs of all sides. */
export class Agreement {
  private readonly said = new Map<keyof Told, { readonly by: string; readonly text: string }>();

  constructor(private readonly about: string) {}

  /** Throws when something else was told before. */
  note(by: string, told: Told): void {
    for (const fact of facts) {
      const value = told[fact];
      if (value === undefined) continue;
      const text = textOf(value);
      const before = this.said.get(fact);
      if (before === undefined) this.said.set(fact, { by, text });
      else if (before.text !== text) this.fail(fact, `${before.by}: ${before.text}`, by, text);
    }
  }

  private fail(fact: keyof Told, before: string, by: string, text: string): never {
    throw new Error(`${this.about}: not the same ${titles[fact]}: ${before}; ${by}: ${text}`);
  }
}
