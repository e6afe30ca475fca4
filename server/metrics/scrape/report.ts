/** Everything that is told of scrapes, in the order in which it is told. */
import type { Note, Scrape, ServerScrape } from './model';
import { serversOf } from './servers';
import { increases } from './since';
import { cacheLists, etcdLists, type CacheLists, type EtcdLists } from './tally';
import { cacheVerdict, etcdVerdict, ratio, type CacheVerdict, type EtcdVerdict } from './verdict';
import { cacheWords, etcdWords, type Words } from './words';

export const SORTS = ['fetched', 'evaluated', 'requests', 'time'] as const;
/** By fetched : returned, by evaluated : returned, by requests to etcd, by their time. */
export type Sort = (typeof SORTS)[number];

export interface ReportOptions {
  readonly sort: Sort;
  /** A row for each resource of each server, and not for each resource. */
  readonly byServer: boolean;
  /** Rows of each table at most; undefined for all. */
  readonly top: number | undefined;
  /** Seconds between the two scrapes, where a person says so. */
  readonly seconds: number | undefined;
}

export interface EtcdRow extends EtcdLists {
  /** Empty for all of them. */
  readonly server: string;
  readonly verdict: EtcdVerdict;
  readonly words: Words;
}

export interface CacheRow extends CacheLists {
  readonly server: string;
  readonly verdict: CacheVerdict;
  readonly words: Words;
}

export interface MetricsReport {
  readonly servers: readonly ServerScrape[];
  /** Since the servers started, or between two scrapes. */
  readonly span: 'total' | 'between';
  /** Between two scrapes; undefined where it is not known. */
  readonly seconds: number | undefined;
  readonly sort: Sort;
  readonly etcd: readonly EtcdRow[];
  readonly cache: readonly CacheRow[];
  /** Rows that `top` left out. */
  readonly left: { readonly etcd: number; readonly cache: number };
  /** Of both, of what was read. */
  readonly notes: readonly Note[];
  readonly kept: number;
  readonly others: number;
}

/** `older` is empty where all since the start is told. Throws `ScrapeError`. */
export function metricsReport(
  newer: readonly Scrape[],
  older: readonly Scrape[],
  options: ReportOptions,
): MetricsReport {
  const now = serversOf(newer);
  const before = serversOf(older);
  const isBetween = older.length > 0;
  const since = isBetween ? increases(before.servers, now.servers, options.seconds) : undefined;
  const servers = since?.servers ?? now.servers;
  const groups = options.byServer ? servers.map((server) => [server]) : [servers];
  const name = ([first]: readonly ServerScrape[]) => (options.byServer ? (first?.name ?? '') : '');
  const etcd = groups.flatMap((group) =>
    etcdLists(group)
      .filter(isUsed)
      .map(etcdRow(name(group))),
  );
  const cache = groups.flatMap((group) =>
    cacheLists(group)
      .filter(isUsed)
      .map(cacheRow(name(group))),
  );
  const top = options.top ?? Infinity;
  return {
    servers,
    span: isBetween ? 'between' : 'total',
    seconds: since?.seconds,
    sort: options.sort,
    etcd: ranked(etcd, options.sort).slice(0, top),
    cache: cache.sort(byCost).slice(0, top),
    left: { etcd: Math.max(0, etcd.length - top), cache: Math.max(0, cache.length - top) },
    notes: [...before.notes, ...now.notes, ...(since?.notes ?? [])],
    kept: newer.reduce((sum, scrape) => sum + scrape.kept, 0),
    others: newer.reduce((sum, scrape) => sum + scrape.others, 0),
  };
}

/** Something of it happened. */
function isUsed(of: EtcdLists | CacheLists): boolean {
  const own = 'requests' in of ? [of.requests, of.evaluated] : [of.consistent];
  return [of.lists, of.fetched, of.returned, ...own].some((count) => (count ?? 0) > 0);
}

const etcdRow =
  (server: string) =>
  (of: EtcdLists): EtcdRow => ({ ...of, server, verdict: etcdVerdict(of), words: etcdWords(of) });

const cacheRow =
  (server: string) =>
  (of: CacheLists): CacheRow => ({
    ...of,
    server,
    verdict: cacheVerdict(of),
    words: cacheWords(of),
  });

/** Of what was too little or is not known a ratio says nothing: it comes last. */
const JUDGED: Readonly<Record<EtcdVerdict, number>> = {
  spiral: 0,
  scan: 0,
  overread: 0,
  fine: 0,
  little: 1,
  unknown: 2,
};

function ranked(rows: readonly EtcdRow[], sort: Sort): EtcdRow[] {
  const value = SORT_VALUES[sort];
  const isRatio = sort === 'fetched' || sort === 'evaluated';
  const group = ({ verdict }: EtcdRow): number => (isRatio ? JUDGED[verdict] : 0);
  return [...rows].sort(
    (a, b) =>
      group(a) - group(b) ||
      descending(value(a), value(b)) ||
      descending(a.fetched, b.fetched) ||
      byName(a, b),
  );
}

const SORT_VALUES: Readonly<Record<Sort, (row: EtcdRow) => number | undefined>> = {
  fetched: (row) => ratio(row.fetched, row.returned),
  evaluated: (row) => ratio(row.evaluated, row.returned),
  requests: (row) => row.requests,
  time: (row) => row.requestSeconds,
};

/** What is not known comes last; infinities are equal. */
function descending(a: number | undefined, b: number | undefined): number {
  if (a === b) return 0;
  return (b ?? -1) > (a ?? -1) ? 1 : -1;
}

function byName(a: { resource: string; server: string }, b: typeof a): number {
  const left = `${a.resource}\0${a.server}`;
  const right = `${b.resource}\0${b.server}`;
  return left < right ? -1 : Number(left > right);
}

function byCost(a: CacheRow, b: CacheRow): number {
  return descending(a.fetched, b.fetched) || descending(a.lists, b.lists) || byName(a, b);
}
