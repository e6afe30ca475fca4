/** A report as plain text, for a terminal and for a document. */
import { grouped, secondsText } from './figures';
import type { MetricsReport } from './report';
import { reportTables, type ReportTable, type TableRow } from './tables';

export interface TextStyle {
  /** What stands in a scrape is untrusted: as it may be shown. */
  readonly clean: (text: string) => string;
  readonly bold: (text: string) => string;
}

const GAP = '   ';
/** Columns that sentences take. */
const WIDTH = 100;

export function reportText(report: MetricsReport, style: TextStyle): string {
  const tables = reportTables(report, style.clean);
  const lines = [
    ...headLines(report, style.clean),
    ...tables.flatMap((table) => ['', ...tableLines(table, style)]),
  ];
  return `${lines.join('\n')}\n`;
}

const DIALECTS = { resource: '1.33 or older', group: '1.34 to 1.36', storage: '1.37 or newer' };

/** Which servers it is of, and of what time. */
export function headLines(
  { servers, span, seconds }: MetricsReport,
  clean: TextStyle['clean'],
): string[] {
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

function tableLines(table: ReportTable, { bold }: TextStyle): string[] {
  const { title, rows, left } = table;
  return [
    bold(title),
    ...(rows.length === 0 ? ['none'] : laidOut(table, bold)),
    ...(left === 0 ? [] : [`… ${grouped(left)} more`]),
    ...meanings(rows.filter(({ isTold }) => isTold)),
  ];
}

function laidOut({ columns, rows }: ReportTable, bold: TextStyle['bold']): string[] {
  const widths = columns.map(({ header }, i) =>
    rows.reduce((widest, { cells }) => Math.max(widest, cells[i]?.length ?? 0), header.length),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, i) => {
        const width = widths[i] ?? 0;
        return columns[i]?.right === true ? text.padStart(width) : text.padEnd(width);
      })
      .join(GAP)
      .trimEnd();
  return [bold(line(columns.map(({ header }) => header))), ...rows.map(({ cells }) => line(cells))];
}

/** What is to be tried stands once, below the resources that it is for. */
function meanings(rows: readonly TableRow[]): string[] {
  const advice = new Set<string>();
  const said = rows.flatMap(({ server, resource, words }) => {
    for (const text of words.advice) advice.add(text);
    const where = server === '' ? resource : `${resource} of ${server}`;
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
