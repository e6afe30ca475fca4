/** What is kept of scrapes, and what is told of them. */
import type { Counter, Dialect } from './families';

/** One API server at one time. */
export interface ServerScrape {
  /** Its `instance` where the scrape has one, else where it stands: `FILE`, or `FILE#2`. */
  readonly name: string;
  /** Whether `name` is an `instance`. */
  readonly isInstance: boolean;
  /** Lines of the first and the last sample that was kept. */
  readonly lines: readonly [number, number];
  /** By `counterKey`. */
  readonly counters: ReadonlyMap<string, Counter>;
  readonly dialect: Dialect | undefined;
  /** Such as `v1.37.2`; empty where the scrape does not say. */
  readonly version: string;
  /** Seconds since 1970 at which the process started. */
  readonly startedAt: number | undefined;
  /** Milliseconds since 1970 of its latest sample with a time. */
  readonly at: number | undefined;
}

/** A line that could not be read as one. */
export interface LineFault {
  readonly line: number;
  /** What is wrong, as the end of a sentence. */
  readonly why: string;
}

/** One text, read to its end. */
export interface Scrape {
  readonly source: string;
  readonly servers: readonly ServerScrape[];
  /** The first ones. */
  readonly faults: readonly LineFault[];
  /** All of them. */
  readonly faultCount: number;
  /** Samples that were kept, and those of other metrics. */
  readonly kept: number;
  readonly others: number;
  readonly lines: number;
  /** The last line, where it ends without a line break and may be cut off. */
  readonly openEnd: number | undefined;
}

/** Something a person should know of the reading, as one sentence. */
export type Note = string;
