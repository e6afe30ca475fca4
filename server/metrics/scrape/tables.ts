/** The two tables of a report, as cells; whoever shows them lays them out. */
import { grouped, NONE, rateText, ratioText, secondsText, shareText } from './figures';
import type { CacheRow, EtcdRow, MetricsReport } from './report';
import { ratio } from './verdict';
import { CACHE_VERDICTS, ETCD_VERDICTS, type Words } from './words';

export interface TableColumn {
  readonly header: string;
  /** Numbers stand at the right edge. */
  readonly right: boolean;
}

export interface TableRow {
  readonly server: string;
  readonly resource: string;
  /** As a person reads them. */
  readonly cells: readonly string[];
  /** The same for a sheet: numbers as they are, null for what is not known or no number. */
  readonly values: readonly (string | number | null)[];
  readonly words: Words;
  /** Something is to be said of it. */
  readonly isTold: boolean;
}

export interface ReportTable {
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Rows that were left out. */
  readonly left: number;
}

type Value = string | number | undefined;

interface Column<R> {
  readonly header: string;
  readonly value: (row: R) => Value;
  readonly text: (value: Value) => string;
}

const named = <R>(header: string, value: (row: R) => string): Column<R> => ({
  header,
  value,
  text: String,
});

function figure<R>(
  header: string,
  value: (row: R) => number | undefined,
  text: (value: number | undefined) => string,
): Column<R> {
  return { header, value, text: (given) => text(typeof given === 'number' ? given : undefined) };
}

const count = <R>(header: string, value: (row: R) => number | undefined) =>
  figure(header, value, grouped);
const ratios = <R>(header: string, value: (row: R) => number | undefined) =>
  figure(header, value, ratioText);
const share = <R>(header: string, value: (row: R) => number | undefined) =>
  figure(header, value, (part) => shareText(part, 1));

const SORT_WORDS: Readonly<Record<MetricsReport['sort'], string>> = {
  fetched: 'objects fetched for each one returned',
  evaluated: 'objects tested for each one returned',
  requests: 'requests to etcd',
  time: 'time in etcd',
};

/** Nothing in them is a control character or hides text, once `clean` has seen what a scrape holds. */
export function reportTables(
  report: MetricsReport,
  clean: (text: string) => string,
): readonly [ReportTable, ReportTable] {
  const { etcd, cache, left, sort } = report;
  const etcdRows = tableOf(etcd, etcdColumns(report), clean);
  const cacheRows = tableOf(cache, cacheColumns(report), clean);
  return [
    { title: `Lists from etcd, by ${SORT_WORDS[sort]}`, ...etcdRows, left: left.etcd },
    {
      title: 'Lists from the watch cache, which etcd has no part in',
      ...cacheRows,
      left: left.cache,
    },
  ];
}

function etcdColumns({ etcd, seconds }: MetricsReport): Column<EtcdRow>[] {
  return [
    ...serverColumn(etcd),
    named('RESOURCE', ({ resource }) => resource),
    count('LISTS', ({ lists }) => lists),
    ...rateColumn<EtcdRow>('LISTS/S', seconds, ({ lists }) => lists),
    count('FETCHED', ({ fetched }) => fetched),
    ...rateColumn<EtcdRow>('FETCHED/S', seconds, ({ fetched }) => fetched),
    count('TESTED', ({ evaluated }) => evaluated),
    count('RETURNED', ({ returned }) => returned),
    ratios('FETCHED:RETURNED', ({ fetched, returned }) => ratio(fetched, returned)),
    ratios('TESTED:RETURNED', ({ evaluated, returned }) => ratio(evaluated, returned)),
    count('REQUESTS', ({ requests }) => requests),
    ratios('PER LIST', ({ requests, lists }) => ratio(requests, lists)),
    figure('TIME', ({ requestSeconds }) => requestSeconds, secondsText),
    share('STREAMED', ({ streamed, timedLists }) => partOf(streamed, timedLists)),
    named('VERDICT', ({ verdict }) => ETCD_VERDICTS[verdict]),
  ];
}

function cacheColumns({ cache, seconds }: MetricsReport): Column<CacheRow>[] {
  return [
    ...serverColumn(cache),
    named('RESOURCE', ({ resource }) => resource),
    count('LISTS', ({ lists }) => lists),
    ...rateColumn<CacheRow>('LISTS/S', seconds, ({ lists }) => lists),
    count('FETCHED', ({ fetched }) => fetched),
    count('RETURNED', ({ returned }) => returned),
    ratios('FETCHED:RETURNED', ({ fetched, returned }) => ratio(fetched, returned)),
    share('BY INDEX', ({ indexed, lists }) => partOf(indexed, lists)),
    count('CONSISTENT', ({ consistent }) => consistent),
    count('TO ETCD', ({ fellBack }) => fellBack),
    count('FAILED', ({ failed }) => failed),
    named('VERDICT', ({ verdict }) => CACHE_VERDICTS[verdict]),
  ];
}

function partOf(part: number | undefined, whole: number | undefined): number | undefined {
  return whole === 0 ? undefined : ratio(part, whole);
}

function serverColumn<R extends { readonly server: string }>(rows: readonly R[]): Column<R>[] {
  const isNamed = rows.some(({ server }) => server !== '');
  return isNamed ? [named('SERVER', ({ server }) => server)] : [];
}

function rateColumn<R>(
  header: string,
  seconds: number | undefined,
  of: (row: R) => number | undefined,
): Column<R>[] {
  if (seconds === undefined) return [];
  const rate = (row: R): number | undefined => {
    const counted = of(row);
    return counted === undefined ? undefined : counted / seconds;
  };
  return [figure(header, rate, rateText)];
}

type Told = (EtcdRow | CacheRow) & { readonly verdict: string };

function tableOf<R extends Told>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  clean: (text: string) => string,
): Pick<ReportTable, 'columns' | 'rows'> {
  // A column of which nothing is known says nothing.
  const told = columns.filter(({ value, text }) => rows.some((row) => text(value(row)) !== NONE));
  return {
    columns: told.map(({ header, value }) => ({
      header,
      right: rows.every((row) => typeof value(row) !== 'string'),
    })),
    rows: rows.map((row) => ({
      server: clean(row.server),
      resource: clean(row.resource),
      cells: told.map(({ value, text }) => clean(text(value(row)))),
      values: told.map(({ value }) => sheetValue(value(row), clean)),
      words: row.words,
      isTold: row.verdict !== 'fine' && row.verdict !== 'little',
    })),
  };
}

function sheetValue(value: Value, clean: (text: string) => string): string | number | null {
  if (typeof value === 'string') return clean(value);
  return value !== undefined && Number.isFinite(value) ? value : null;
}
