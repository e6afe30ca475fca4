/** A comparison as a table for people, the same on the command line and in the editor. */
import { bytesText, grouped } from '../explain/estimateNumbers';
import type { Forecast } from './forecast';
import { overFetched, type ComparedWay, type Comparison, type RunFigures } from './model';

interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string;
}

/** A line's cells, or a way's name and why it has none. */
type Line = readonly string[] | { readonly name: string; readonly why: string };

/** The middle one, or the mean of the two in the middle; 0 of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}

/** `2.1 ms`, `1,204 ms`. */
function msText(ms: number): string {
  return `${ms < 100 ? ms.toFixed(1) : grouped(Math.round(ms))} ms`;
}

/** The first column is left-aligned, all others right. */
function layOut(headers: readonly string[], lines: readonly Line[]): string[] {
  const rows = [headers, ...lines];
  const widths = headers.map((_, i) =>
    Math.max(...rows.map((row) => ('why' in row ? [row.name] : row)[i]?.length ?? 0)),
  );
  return rows.map((row) => {
    if ('why' in row) return `${row.name.padEnd(widths[0] ?? 0)}  ${row.why}`;
    return row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ');
  });
}

const figureColumns: readonly Column<RunFigures>[] = [
  { header: 'REQUESTS', cell: ({ requests }) => grouped(requests) },
  { header: 'FETCHED', cell: ({ fetched }) => grouped(fetched) },
  { header: 'OVER-FETCHED', cell: (figures) => grouped(overFetched(figures)) },
  { header: 'EVALUATED', cell: ({ evaluated }) => grouped(evaluated) },
  { header: 'RETURNED', cell: ({ returned }) => grouped(returned) },
  { header: 'BYTES', cell: ({ bytes }) => bytesText(bytes) },
  { header: 'LARGEST REPLY', cell: ({ largestReplyBytes }) => bytesText(largestReplyBytes) },
];
const listsColumn: Column<RunFigures> = { header: 'LISTS', cell: ({ lists }) => grouped(lists) };

function lineOf(compared: ComparedWay, columns: readonly Column<RunFigures>[]): Line {
  const { way, figures, durationsMs, unsupported, broken } = compared;
  if (unsupported) return { name: way, why: 'not supported: this etcd has no RangeStream' };
  const shown = figures ?? broken;
  if (shown === undefined) return { name: way, why: 'not run' };
  const time = figures === undefined ? 'broken off' : msText(medianOf(durationsMs));
  return [way, ...columns.map(({ cell }) => cell(shown)), time];
}

/** One line a way, under a line of headers. `toTheEnd` shows how many LIST requests it took. */
export function comparisonTable({ ways }: Comparison, toTheEnd: boolean): string[] {
  const columns = [...(toTheEnd ? [listsColumn] : []), ...figureColumns];
  const most = Math.max(...ways.map(({ durationsMs }) => durationsMs.length));
  const time = most > 1 ? `TIME (MEDIAN OF ${most})` : 'TIME';
  const headers = ['WAY', ...columns.map(({ header }) => header), time];
  return layOut(
    headers,
    ways.map((way) => lineOf(way, columns)),
  );
}

export function forecastTable(forecasts: readonly Forecast[]): string[] {
  const lines = forecasts.map(({ way, requests, keys, bytes, atLeast }) => {
    const more = atLeast ? ' or more' : '';
    return [way, grouped(requests) + more, grouped(keys) + more, bytesText(bytes) + more];
  });
  return layOut(['WAY', 'REQUESTS', 'KEYS', 'BYTES'], lines);
}
