/** The receipt for people: a line a round trip as it happens, then what it all came to. */
import type { RequestRecord } from '../store/interfaces';
import type { CommandTotal } from '../store/totals';
import { keyText } from './output/text';
import { elideMiddle, padEnd, padStart, textWidth } from './output/width';
import { printMs, printSize, thousands } from './quantities';
import type { Style } from './style';

/** Widths are fixed, since lines are printed one by one. */
const WIDTHS = [3, 13, 7, 8, 8, 8, 9, 10] as const;
const HEADERS = [
  '#',
  'operation',
  'page',
  'keys',
  'matched',
  'so far',
  'bytes',
  'time',
  'start key',
];

/** The one name that is wider than its column. */
const SHORT: ReadonlyMap<string, string> = new Map([['getCurrentResourceVersion', 'getCurrentRV']]);

/** A narrower terminal gets fewer columns, so that something of the key remains. */
const WIDE_ENOUGH = 110;
const LEFT_OUT_WHEN_NARROW: readonly string[] = ['operation', 'so far'];

/** The columns shown, by their place; undefined for `columns` is a pipe, which has room for all. */
function shown(columns: number | undefined): readonly number[] {
  const all = [...HEADERS.keys()];
  if (columns === undefined || columns >= WIDE_ENOUGH) return all;
  return all.filter((i) => !LEFT_OUT_WHEN_NARROW.includes(HEADERS[i] ?? ''));
}

export function receiptHeader(style: Style, columns?: number): string {
  return style.dim(layOut(HEADERS, columns));
}

/** Columns in front of the start key. */
function keyAt(columns: number): number {
  return shown(columns).reduce((sum, i) => sum + (WIDTHS[i] === undefined ? 0 : WIDTHS[i] + 2), 0);
}

/**
 * `matchedSoFar` counts this round trip's matches too. The start key is shortened in its middle to
 * fit into `columns`; undefined leaves it whole.
 */
export function roundTripLine(
  record: RequestRecord,
  matchedSoFar: number,
  style: Style,
  columns?: number,
): string {
  const key = keyText(record.startKey);
  const end = outcome(record);
  const room = columns === undefined ? undefined : columns - keyAt(columns) - textWidth(end.text);
  const line = layOut(
    [
      record.n.toString(),
      SHORT.get(record.operation) ?? record.operation,
      pageText(record),
      thousands(record.keys),
      thousands(record.matched),
      thousands(matchedSoFar),
      printSize(record.bytes),
      printMs(record.durationMs),
      room === undefined ? key : elideMiddle(key, room),
    ],
    columns,
  );
  return line + (end.colour === undefined ? end.text : style[end.colour](end.text));
}

function pageText(record: RequestRecord): string {
  if (record.endKey === undefined) return 'one';
  if (record.operation === 'listWithCount') return 'count';
  return record.limit > 0n ? thousands(record.limit) : 'all';
}

interface Outcome {
  readonly text: string;
  readonly colour?: 'red' | 'yellow';
}

function outcome(record: RequestRecord): Outcome {
  if (record.refused === true) {
    return { text: '  refused: this etcd has no RangeStream', colour: 'yellow' };
  }
  if (record.error !== undefined) return { text: `  ${record.error.code}`, colour: 'red' };
  return { text: record.chunks === undefined ? '' : `  ${plural(record.chunks, 'chunk')}` };
}

/** The passing line while a request runs. */
export function runningText(record: RequestRecord): string {
  const page = record.limit > 0n ? `a page of ${thousands(record.limit)}` : 'all keys';
  const what = record.endKey === undefined ? 'one key' : page;
  const so = record.chunks === undefined ? '' : `, ${thousands(record.keys)} keys so far`;
  return `round trip ${record.n}: ${record.operation}, ${what}${so} …`;
}

function layOut(cells: readonly string[], columns: number | undefined): string {
  return shown(columns)
    .map((i) => {
      const text = cells[i] ?? '';
      const width = WIDTHS[i];
      if (width === undefined) return text;
      return i === 1 ? padEnd(text, width) : padStart(text, width);
    })
    .join('  ');
}

export function totalLines(
  total: CommandTotal,
  context: {
    /** The client's; zero for none, and for a single key, which has no pages. */
    readonly limit: bigint;
    /** LIST requests that the totals cover. */
    readonly pages: number;
    /** All replies together, for people. */
    readonly bytes: string;
    readonly style: Style;
  },
): string[] {
  const { style, limit, pages, bytes } = context;
  const counts = [
    `${thousands(total.fetched)} fetched`,
    `${thousands(total.evaluated)} evaluated`,
    `${thousands(total.returned)} returned`,
  ].join(' : ');
  const cost = [
    ...servedBy(total),
    plural(total.requests, 'round trip'),
    ...(pages > 1 ? [`${thousands(pages)} LIST requests`] : []),
    bytes,
    printMs(total.durationMs),
    revisionText(total),
  ];
  return [
    style.bold(counts) + amplification(total),
    cost.join(' · '),
    ...naiveLine(total, limit),
    ...remainingLine(total),
  ];
}

function servedBy({ servedBy: source }: CommandTotal): string[] {
  if (source === undefined) return [];
  return [source === 'mixed' ? 'partly from the watch cache' : 'from the watch cache'];
}

function revisionText(total: CommandTotal): string {
  if (total.resourceVersion === null) return 'no revision';
  return `revision ${thousands(total.resourceVersion)}`;
}

/** Keys read for each object that was wanted. What a watch cache goes over was not read. */
function amplification(total: CommandTotal): string {
  if (total.servedBy === 'watchcache') return total.returned === 0 ? '   nothing matched' : '';
  if (total.returned === 0) {
    return total.fetched === 0 || total.error !== undefined ? '' : '   nothing matched';
  }
  const factor = total.fetched / total.returned;
  return `   ×${factor < 10 ? factor.toFixed(1) : thousands(Math.round(factor))} read amplification`;
}

function naiveLine(total: CommandTotal, limit: bigint): string[] {
  if (total.naiveRequests === null || limit <= 0n || total.error !== undefined) return [];
  if (total.servedBy === 'watchcache') return [];
  const trips = plural(total.naiveRequests, 'round trip');
  return [`naive paging in pages of ${thousands(limit)} would have needed ${trips}`];
}

function remainingLine(total: CommandTotal): string[] {
  if (total.remainingItemCount === null) return [];
  const { remainingItemCount: count } = total;
  return [count === 1n ? '1 more object follows' : `${thousands(count)} more objects follow`];
}

export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}
