/** Rows and receipt of lists as one plain text. */
import { age, bytes, counted, labelsText, thousands, visible } from '../../server/protocol/format';
import type { Row, TotalEntry, UnreadableEntry } from '../../server/protocol/model';
import { costText, countsText, joined } from './receiptText';

/** Rows that the text shows of all its lists together; a table of more is no text to read. */
export const MOST_ROWS = 10_000;
/** UTF-16 units of one cell. */
const LONGEST_CELL = 100;
/** Unreadable objects that are named. */
const MOST_UNREADABLE = 100;

/** One list so far. */
export interface Result {
  readonly title: string;
  /** Only as many as are shown. */
  readonly rows: readonly Row[];
  /** All that came. */
  readonly rowCount: number;
  readonly bytes: number;
  readonly notices: readonly string[];
  readonly unreadable: readonly UnreadableEntry[];
  readonly total: TotalEntry | undefined;
  /** A sentence about what ended it early, or kept it from being run; empty for none. */
  readonly ending: string;
  readonly isRunning: boolean;
}

/** `now` is what ages are counted from, in milliseconds since 1970. */
export function resultsText(results: readonly Result[], now: number): string {
  return results.map((result) => resultText(result, now)).join('\n\n');
}

function resultText(result: Result, now: number): string {
  return [
    `### ${visible(result.title)}`,
    '',
    ...table(result.rows, now),
    ...(result.rows.length > 0 ? [''] : []),
    rowsLine(result),
    ...result.notices.map((notice) => `Note: ${visible(notice)}`),
    ...unreadableLines(result.unreadable),
    ...(result.ending === '' ? [] : [visible(result.ending)]),
    ...totalLines(result),
    '',
  ].join('\n');
}

function rowsLine({ rows, rowCount, total, isRunning }: Result): string {
  const shown = rows.length === 0 ? 'none' : `only the first ${thousands(rows.length)}`;
  const more = rowCount > rows.length ? `${shown} shown: the panel shows and exports all` : '';
  const state = isRunning ? 'running' : followsText(total);
  return joined([counted(rowCount, 'row'), more, state]);
}

function followsText(total: TotalEntry | undefined): string {
  if (total === undefined || total.error !== undefined) return '';
  if (total.continue === '') return 'all';
  const { remainingItemCount } = total;
  return remainingItemCount === null
    ? 'more follow'
    : `${thousands(remainingItemCount)} more follow`;
}

function unreadableLines(unreadable: readonly UnreadableEntry[]): string[] {
  if (unreadable.length === 0) return [];
  const named = unreadable.slice(0, MOST_UNREADABLE);
  const rest = unreadable.length - named.length;
  return [
    `${counted(unreadable.length, 'object')} left out, which cannot be read:`,
    ...named.map(({ key, reason }) => `  ${visible(key)}: ${visible(reason)}`),
    ...(rest > 0 ? [`  and ${thousands(rest)} more`] : []),
  ];
}

function totalLines({ total, bytes: received }: Result): string[] {
  if (total === undefined) return [];
  const { resourceVersion, streamed, naiveRequests } = total;
  const cost = joined([
    costText(total),
    bytes(received),
    resourceVersion === null ? '' : `revision ${thousands(resourceVersion)}`,
    streamed ? 'streamed' : '',
    naiveRequests === null ? '' : `naive paging: ${counted(naiveRequests, 'round trip')}`,
  ]);
  const token = total.continue === '' ? [] : [`continue: ${total.continue}`];
  return [countsText(total), cost, ...token];
}

interface Column {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly isNumber?: true;
}

function columns(rows: readonly Row[], now: number): readonly Column[] {
  const all: readonly Column[] = [
    { title: 'namespace', cell: ({ namespace }) => namespace },
    { title: 'name', cell: ({ name }) => name },
    { title: 'labels', cell: ({ labels }) => labelsText(labels) },
    { title: 'age', cell: ({ created }) => age(created, now), isNumber: true },
    { title: 'version', cell: ({ version }) => thousands(version), isNumber: true },
    { title: 'size', cell: ({ size }) => bytes(size), isNumber: true },
  ];
  return rows.some(({ namespace }) => namespace !== '') ? all : all.slice(1);
}

function table(rows: readonly Row[], now: number): string[] {
  if (rows.length === 0) return [];
  const shown = columns(rows, now).map((column) => padded(column, rows));
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    shown
      .map((cells) => cells[line] ?? '')
      .join('  ')
      .trimEnd(),
  );
}

function padded({ title, cell, isNumber }: Column, rows: readonly Row[]): string[] {
  const cells = [title, ...rows.map((row) => shortened(cell(row)))];
  const width = cells.reduce((widest, text) => Math.max(widest, text.length), 0);
  return cells.map((text) => (isNumber ? text.padStart(width) : text.padEnd(width)));
}

function shortened(text: string): string {
  const shown = visible(text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text);
  return shown.length > LONGEST_CELL * 2 ? `${shown.slice(0, LONGEST_CELL)}…` : shown;
}
