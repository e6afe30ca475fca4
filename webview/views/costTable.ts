/** The estimate as tables: a row for each way, and its figures against a receipt. */
import type { CostFigure, CostRow, ListEstimate } from '../../server/protocol/explain';
import { bytes, thousands } from '../../server/protocol/format';
import { h } from '../dom';
import type { HeldRun } from '../explainHeld';

interface Column {
  readonly title: string;
  readonly of: (row: CostRow) => CostFigure | undefined;
  readonly text: (value: number) => string;
}

const COLUMNS: readonly Column[] = [
  { title: 'requests', of: ({ requests }) => requests, text: thousands },
  { title: 'keys', of: ({ keys }) => keys, text: thousands },
  { title: 'objects', of: ({ returned }) => returned, text: thousands },
  { title: 'bytes', of: (row) => row.bytes, text: bytes },
  { title: 'largest reply', of: ({ largestReply }) => largestReply, text: bytes },
  { title: 'held in memory', of: ({ held }) => held, text: bytes },
];

export function costTable({ rows, stored }: ListEstimate): HTMLElement {
  const columns = COLUMNS.filter(({ of }) => rows.some((row) => of(row) !== undefined));
  const head = ['way', 'served by', ...columns.map(({ title }) => title)];
  return scrolled(
    'What it costs',
    h(
      'table',
      { class: 'cost' },
      h('caption', {}, stored),
      h('thead', {}, h('tr', {}, ...head.map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, ...rows.map((row) => costRow(row, columns))),
    ),
  );
}

function costRow(row: CostRow, columns: readonly Column[]): HTMLElement {
  const { title, served, isPartial } = row;
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, `${title}${isPartial ? ' (at least)' : ''}`),
    h('td', { class: 'words' }, served),
    ...columns.map(({ of, text }) => h('td', {}, ...figureText(of(row), text))),
  );
}

/** The likely figure, and below it the range where there is one. */
function figureText(figure: CostFigure | undefined, text: (value: number) => string) {
  if (figure === undefined) return [];
  const range = rangeText(figure, text);
  return [
    text(figure.likely),
    range !== text(figure.likely) && h('span', { class: 'quiet range' }, range),
  ];
}

/** `17.2 to 54.9 MB`: a unit that both ends have stands once, or the widest table does not fit. */
export function rangeText({ low, high }: CostFigure, text: (value: number) => string): string {
  const [from, to] = [text(low), text(high)];
  if (from === to) return from;
  const [number = '', unit] = from.split(' ');
  return `${to.split(' ')[1] === unit ? number : from} to ${to}`;
}

export function heldTable({ row, figures }: HeldRun): HTMLElement {
  const head = ['figure', 'estimate', 'receipt', 'how it held'];
  return scrolled(
    'Estimate against receipt',
    h(
      'table',
      { class: 'cost held' },
      h('caption', {}, `Estimate against the receipt of this run: ${row.title.toLowerCase()}`),
      h('thead', {}, h('tr', {}, ...head.map((title) => h('th', { scope: 'col' }, title)))),
      h(
        'tbody',
        {},
        ...figures.map(({ title, estimate, receipt, isSize, verdict }) => {
          const text = isSize ? bytes : thousands;
          return h(
            'tr',
            {},
            h('th', { scope: 'row' }, title),
            h('td', {}, rangeText(estimate, text)),
            h('td', {}, text(receipt)),
            h('td', { class: 'words' }, verdict),
          );
        }),
      ),
    ),
  );
}

/** Sideways only the table scrolls. */
function scrolled(label: string, table: HTMLElement): HTMLElement {
  const attributes = { class: 'cost-scroller', tabindex: 0, role: 'region', 'aria-label': label };
  return h('div', attributes, table);
}
