/** An estimate as plain text: a table, a picture of its pages, and what it takes for granted. */
import type { Cost, Estimate, EstimateRow, Figure, StoredKeys } from './estimateModel';
import { bytesText, countText, grouped, rateText } from './estimateNumbers';
import type { PageRead } from './estimatePages';
import type { Held } from './estimateReceipt';
import { pictureOf, type PictureSeries } from './estimatePicture';
import type { Way } from './model';
import { wrapped } from './text';

export const WAY_NAMES: Readonly<Record<Way, string>> = {
  watchCache: 'watch cache',
  etcdPages: 'etcd, pages',
  etcdStream: 'etcd, stream',
  etcdKey: 'etcd, one key',
  refused: 'refused',
};

export function estimateText(estimate: Estimate, width?: number): string {
  const { stored, rows, assumptions } = estimate;
  return [
    `Estimate: ${storedText(stored)}`,
    '',
    ...tableLines(rows),
    ...pictureLines(pictureOf(estimate)),
    '',
    ...assumptions.flatMap((text) => wrapped(text, '  ', '  ', width)),
    '',
  ].join('\n');
}

/** `50,000 keys of about 2.0 kB, of which 1 % match`. */
export function storedText({ keys, bytesPerKey, matches }: StoredKeys): string {
  const size = bytesPerKey === undefined ? '' : ` of about ${bytesText(bytesPerKey.likely)}`;
  const plain = `${countText(keys, 'key')}${size}`;
  switch (matches.kind) {
    case 'all':
      return `${plain}, no selector`;
    case 'unknown':
      return `${plain}; how many match is not known`;
    case 'known':
      return `${plain}, of which ${grouped(matches.at.length)} match`;
    case 'share':
      return `${plain}, of which ${rateText(matches.share.likely)} match${matches.clustered === true ? ', side by side' : ''}`;
  }
}

/** Where there is room for no more: `5 to 7 etcd requests, 3,100 to 12,700 keys`. */
export function costLine({ cost }: Pick<EstimateRow, 'cost'>): string {
  const requests = spread(cost.requests, grouped);
  const one = requests === '1' ? 'request' : 'requests';
  const bytes = cost.bytes === undefined ? '' : `, ${bytesText(cost.bytes.likely)}`;
  return `${requests} etcd ${one}, ${spread(cost.keys, grouped)} keys${bytes}`;
}

function spread({ low, high }: Figure, of: (value: number) => string): string {
  return low === high ? of(low) : `${of(low)} to ${of(high)}`;
}

interface Column {
  readonly title: string;
  readonly of: (cost: Cost) => Figure | undefined;
  readonly text: (value: number) => string;
}

const COLUMNS: readonly Column[] = [
  { title: 'requests', of: ({ requests }) => requests, text: grouped },
  { title: 'keys', of: ({ keys }) => keys, text: grouped },
  { title: 'objects', of: ({ returned }) => returned, text: grouped },
  { title: 'bytes', of: ({ bytes }) => bytes, text: bytesText },
  { title: 'largest', of: ({ largestReply }) => largestReply, text: bytesText },
  { title: 'held', of: ({ held }) => held, text: bytesText },
];

function tableLines(rows: readonly EstimateRow[]): string[] {
  const columns = COLUMNS.filter(({ of }) => rows.some(({ cost }) => of(cost) !== undefined));
  const cells = [
    ['', 'served by', ...columns.map(({ title }) => title)],
    ...rows.flatMap((row) => rowCells(row, columns)),
  ];
  const widths = (cells[0] ?? []).map((_, i) =>
    Math.max(...cells.map((line) => (line[i] ?? '').length)),
  );
  return cells.map((line) =>
    line
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .replace(/^/, '  ')
      .trimEnd(),
  );
}

/** Where it is not certain, a line each for the least and the most. */
function rowCells({ title, way, cost, isPartial }: EstimateRow, columns: readonly Column[]) {
  const line = (name: string, served: string, pick: keyof Figure): string[] => [
    name,
    served,
    ...columns.map(({ of, text }) => {
      const figure = of(cost);
      return figure === undefined ? '' : text(figure[pick]);
    }),
  ];
  const likely = line(`${title}${isPartial ? ' (at least)' : ''}`, WAY_NAMES[way], 'likely');
  const differs = (pick: 'low' | 'high'): boolean =>
    columns.some(({ of, text }) => isApart(of(cost), pick, text === bytesText ? SIZES_ALIKE : 0));
  return [
    likely,
    ...(differs('low') ? [line('    at least', '', 'low')] : []),
    ...(differs('high') ? [line('    at most', '', 'high')] : []),
  ];
}

/** Means of sizes are never certain: so much to either side is not worth a line. */
const SIZES_ALIKE = 0.1;

function isApart(figure: Figure | undefined, pick: 'low' | 'high', slack: number): boolean {
  if (figure === undefined) return false;
  return Math.abs(figure[pick] - figure.likely) > figure.likely * slack;
}

/** Characters of the longest bar. */
const BAR = 40;
/** Lines of one series; the middle of a longer one is left out. */
const MOST_LINES = 8;

function pictureLines(series: readonly PictureSeries[]): string[] {
  if (series.length === 0) return [];
  const most = Math.max(1, ...series.flatMap(({ pages }) => pages.map(({ keys }) => keys)));
  return [
    '',
    '  Page sizes over round trips, in keys',
    ...series.flatMap((one) => seriesLines(one, most)),
  ];
}

function seriesLines({ name, title, pages, count, keys }: PictureSeries, most: number): string[] {
  const unit = name === 'stream' ? 'chunk' : 'round trip';
  const head = `  ${title}: ${countText(count, unit)}${name === 'stream' ? ' in one round trip' : ''}, ${countText(keys, 'key')}`;
  if (pages.length <= MOST_LINES) return [head, ...pages.map((page, i) => barLine(page, i, most))];
  const shown = pages.slice(0, MOST_LINES - 2);
  return [
    head,
    ...shown.map((page, i) => barLine(page, i, most)),
    `${' '.repeat(6)}… ${grouped(count - shown.length - 1)} more`,
    ...(pages.length < count ? [] : pages.slice(-1).map((page) => barLine(page, count - 1, most))),
  ];
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barLine({ keys }: PageRead, index: number, most: number): string {
  const eighths = Math.max(keys > 0 ? 1 : 0, Math.round((keys / most) * BAR * 8));
  const bar = '█'.repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? '');
  return `  ${grouped(index + 1).padStart(7)}  ${grouped(keys).padStart(7)}  ${bar}`.trimEnd();
}

/** `estimate against receipt`, figure by figure. */
export function heldLines({ title }: Pick<EstimateRow, 'title'>, held: readonly Held[]): string[] {
  const cells = held.map(({ name, title: figure, estimate, receipt, isWithin }) => {
    const text = name === 'bytes' || name === 'largestReply' ? bytesText : grouped;
    return [figure, spread(estimate, text), text(receipt), verdict(estimate, receipt, isWithin)];
  });
  const lines = [['', 'estimate', 'receipt', ''], ...cells];
  const widths = [0, 1, 2].map((i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  return [
    `Estimate against receipt: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    ...lines.map(([first = '', second = '', third = '', last = '']) =>
      [
        `  ${first.padEnd(widths[0] ?? 0)}`,
        second.padStart(widths[1] ?? 0),
        third.padStart(widths[2] ?? 0),
        last,
      ]
        .join('  ')
        .trimEnd(),
    ),
  ];
}

function verdict({ low, high }: Figure, receipt: number, isWithin: boolean): string {
  if (!isWithin) return receipt < low ? 'less than estimated' : 'more than estimated';
  return low === high && receipt === low ? 'exact' : 'as estimated';
}
