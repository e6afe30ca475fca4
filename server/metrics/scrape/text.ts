/** A report as plain text, for a terminal and for a document. */
import { grouped, NONE, rateText, ratioText, secondsText, shareText } from './figures';
import type { CacheRow, EtcdRow, MetricsReport } from './report';
import { ratio } from './verdict';
import { CACHE_VERDICTS, ETCD_VERDICTS, type Words } from './words';

export interface TextStyle {
  /** What stands in a scrape is untrusted: as it may be shown. */
  readonly clean: (text: string) => string;
  readonly bold: (text: string) => string;
}

interface Column<R> {
  readonly header: string;
  readonly text: (row: R) => string;
  readonly left?: boolean;
}

const GAP = '   ';
/** Columns that sentences take. */
const WIDTH = 100;

export function reportText(report: MetricsReport, style: TextStyle): string {
  const { etcd, cache, left } = report;
  const lines = [
    ...headLines(report, style),
    '',
    style.bold(`Lists from etcd, by ${SORT_WORDS[report.sort]}`),
    ...(etcd.length === 0 ? ['none'] : table(etcd, etcdColumns(report, style), style)),
    ...leftLine(left.etcd),
    ...meanings(
      etcd.filter(({ verdict }) => verdict !== 'fine' && verdict !== 'little'),
      style,
    ),
    '',
    style.bold('Lists from the watch cache, which etcd has no part in'),
    ...(cache.length === 0 ? ['none'] : table(cache, cacheColumns(report, style), style)),
    ...leftLine(left.cache),
    ...meanings(
      cache.filter(({ verdict }) => verdict !== 'fine'),
      style,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const SORT_WORDS: Readonly<Record<MetricsReport['sort'], string>> = {
  fetched: 'objects fetched for each one returned',
  evaluated: 'objects tested for each one returned',
  requests: 'requests to etcd',
  time: 'time in etcd',
};

const DIALECTS = { resource: '1.33 or older', group: '1.34 to 1.36', storage: '1.37 or newer' };

function headLines({ servers, span, seconds }: MetricsReport, { clean }: TextStyle): string[] {
  const named = servers.map(({ name, version, dialect }) => {
    const said = version === '' && dialect !== undefined ? DIALECTS[dialect] : version;
    return said === '' ? clean(name) : `${clean(name)} (${clean(said)})`;
  });
  const count = servers.length === 1 ? '1 API server' : `${grouped(servers.length)} API servers`;
  const between =
    seconds === undefined
      ? 'Counted between the two scrapes; how long that was is not known'
      : `Counted in ${secondsText(seconds)} between the two scrapes`;
  const when = span === 'total' ? 'Counted since each of them started' : between;
  return [`${count}: ${named.join(', ')}`, when];
}

function etcdColumns({ etcd, seconds }: MetricsReport, { clean }: TextStyle): Column<EtcdRow>[] {
  return [
    ...serverColumn(etcd, clean),
    { header: 'RESOURCE', left: true, text: ({ resource }) => clean(resource) },
    { header: 'LISTS', text: ({ lists }) => grouped(lists) },
    ...rateColumn<EtcdRow>('LISTS/S', seconds, ({ lists }) => lists),
    { header: 'FETCHED', text: ({ fetched }) => grouped(fetched) },
    ...rateColumn<EtcdRow>('FETCHED/S', seconds, ({ fetched }) => fetched),
    { header: 'TESTED', text: ({ evaluated }) => grouped(evaluated) },
    { header: 'RETURNED', text: ({ returned }) => grouped(returned) },
    { header: 'FETCHED:RETURNED', text: (row) => ratioText(ratio(row.fetched, row.returned)) },
    { header: 'TESTED:RETURNED', text: (row) => ratioText(ratio(row.evaluated, row.returned)) },
    { header: 'REQUESTS', text: ({ requests }) => grouped(requests) },
    { header: 'PER LIST', text: ({ requests, lists }) => ratioText(ratio(requests, lists)) },
    { header: 'TIME', text: ({ requestSeconds }) => secondsText(requestSeconds) },
    { header: 'STREAMED', text: ({ streamed, timedLists }) => shareText(streamed, timedLists) },
    { header: 'VERDICT', left: true, text: ({ verdict }) => ETCD_VERDICTS[verdict] },
  ];
}

function cacheColumns({ cache, seconds }: MetricsReport, { clean }: TextStyle): Column<CacheRow>[] {
  return [
    ...serverColumn(cache, clean),
    { header: 'RESOURCE', left: true, text: ({ resource }) => clean(resource) },
    { header: 'LISTS', text: ({ lists }) => grouped(lists) },
    ...rateColumn<CacheRow>('LISTS/S', seconds, ({ lists }) => lists),
    { header: 'FETCHED', text: ({ fetched }) => grouped(fetched) },
    { header: 'RETURNED', text: ({ returned }) => grouped(returned) },
    { header: 'FETCHED:RETURNED', text: (row) => ratioText(ratio(row.fetched, row.returned)) },
    { header: 'BY INDEX', text: ({ indexed, lists }) => shareText(indexed, lists) },
    { header: 'CONSISTENT', text: ({ consistent }) => grouped(consistent) },
    { header: 'TO ETCD', text: ({ fellBack }) => grouped(fellBack) },
    { header: 'FAILED', text: ({ failed }) => grouped(failed) },
    { header: 'VERDICT', left: true, text: ({ verdict }) => CACHE_VERDICTS[verdict] },
  ];
}

function serverColumn<R extends { readonly server: string }>(
  rows: readonly R[],
  clean: TextStyle['clean'],
): Column<R>[] {
  const isNamed = rows.some(({ server }) => server !== '');
  return isNamed ? [{ header: 'SERVER', left: true, text: ({ server }) => clean(server) }] : [];
}

function rateColumn<R>(
  header: string,
  seconds: number | undefined,
  of: (row: R) => number | undefined,
): Column<R>[] {
  return seconds === undefined ? [] : [{ header, text: (row) => rateText(of(row), seconds) }];
}

function table<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  { bold }: TextStyle,
): string[] {
  // A column of which nothing is known says nothing.
  const told = columns.filter(({ text }) => rows.some((row) => text(row) !== NONE));
  const cells = rows.map((row) => told.map(({ text }) => text(row)));
  const widths = told.map(({ header }, i) =>
    cells.reduce((widest, line) => Math.max(widest, line[i]?.length ?? 0), header.length),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, i) =>
        told[i]?.left === true ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0),
      )
      .join(GAP)
      .trimEnd();
  return [bold(line(told.map(({ header }) => header))), ...cells.map(line)];
}

const leftLine = (left: number): string[] => (left === 0 ? [] : [`… ${grouped(left)} more`]);

interface Worded {
  readonly server: string;
  readonly resource: string;
  readonly words: Words;
}

/** What is to be tried stands once, below the resources that it is for. */
function meanings(rows: readonly Worded[], { clean }: TextStyle): string[] {
  const advice = new Set<string>();
  const said = rows.flatMap(({ server, resource, words }) => {
    for (const text of words.advice) advice.add(text);
    const where = server === '' ? clean(resource) : `${clean(resource)} of ${clean(server)}`;
    return wrapped(`${where}: ${words.meaning}`, '  ', '    ');
  });
  const tried = [...advice].flatMap((text) => wrapped(text, '  - ', '    '));
  return [
    ...(said.length === 0 ? [] : ['', ...said]),
    ...(tried.length === 0 ? [] : ['', '  What to try:', ...tried]),
  ];
}

function wrapped(text: string, first: string, others: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = others;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
