/** What crosses the border about metrics: the server's own, and scrapes of API servers. */

/** A text that the client holds is handed over in parts, each read as it comes. */
export interface ScrapePart {
  /** Chosen by the client; the same for all parts of a text. */
  readonly scrape: string;
  /** What the text is called. */
  readonly name: string;
  /** At most `LONGEST_PART`. */
  readonly text: string;
  readonly first: boolean;
}

/** UTF-16 units of a part. */
export const LONGEST_PART = 1024 * 1024;

export type ScrapeSource =
  /** The language server reads the file. */
  | { readonly kind: 'file'; readonly path: string }
  /** All parts were handed over. */
  | { readonly kind: 'parts'; readonly scrape: string };

export const METRIC_SORTS = ['fetched', 'evaluated', 'requests', 'time'] as const;
export type MetricSort = (typeof METRIC_SORTS)[number];

export interface ReadMetricsParams {
  readonly newer: readonly ScrapeSource[];
  /** Older scrapes of the same servers; empty for all since their start. */
  readonly older: readonly ScrapeSource[];
  readonly sort: MetricSort;
  readonly byServer: boolean;
}

export interface MetricsRow {
  readonly server: string;
  readonly resource: string;
  /** As a person reads them. */
  readonly cells: readonly string[];
  /** For a sheet; null for what is not known or no number. */
  readonly values: readonly (string | number | null)[];
  readonly meaning: string;
  readonly advice: readonly string[];
  readonly isTold: boolean;
}

export interface MetricsTable {
  readonly title: string;
  readonly columns: readonly { readonly header: string; readonly right: boolean }[];
  readonly rows: readonly MetricsRow[];
  /** Rows that are left out, since there are very many. */
  readonly left: number;
}

export interface MetricsRead {
  /** What was read first. */
  readonly name: string;
  /** Which servers it is of, and of what time. */
  readonly heads: readonly string[];
  /** Of etcd, and of the watch cache. */
  readonly tables: readonly MetricsTable[];
  /** What of the texts could not be read, and what else to know; a sentence each. */
  readonly notes: readonly string[];
  /** All of it as plain text. */
  readonly text: string;
}

export interface HoverMetricParams {
  /** Lines of one text that tell of lists of the same resource, in their order. */
  readonly lines: readonly string[];
  /** Which of them is under the pointer. */
  readonly index: number;
}

/** Lines, and UTF-16 units of each, that a hover takes along. */
export const MOST_HOVER_LINES = 2000;
export const LONGEST_HOVER_LINE = 4000;
