/** Scrapes of API servers that were read: which lists hurt, what the numbers mean, what to try. */
import { thousands } from '../../server/protocol/format';
import type { MetricsRead, MetricsRow, MetricsTable } from '../../server/protocol/metrics';
import type { Controller } from '../controller';
import { h, replaceChildren } from '../dom';
import { tableToCsv } from '../exporters';
import type { PanelState } from '../state';
import { button } from '../toolkit';
import type { View } from './view';

/** Shown once something was read. */
export const hasMetrics = ({ metrics }: PanelState): boolean => metrics !== null;

export class MetricsTab implements View {
  readonly element: HTMLElement;
  private shown: MetricsRead | null = null;

  constructor(private readonly controller: Controller) {
    this.element = h('div', {
      class: 'metrics-tab',
      tabindex: 0,
      role: 'region',
      'aria-label': 'Metrics',
    });
  }

  update({ metrics }: PanelState): void {
    if (metrics === this.shown) return;
    this.shown = metrics;
    replaceChildren(this.element, ...(metrics === null ? [] : this.parts(metrics)));
    this.element.scrollTop = 0;
  }

  private parts(read: MetricsRead): HTMLElement[] {
    const { heads, notes, tables } = read;
    const asText = button('Open as text', () => {
      this.controller.outputs.openMetricsText();
    });
    return [
      h(
        'div',
        { class: 'metrics-heads' },
        ...heads.map((text) => h('p', {}, text)),
        asText.element,
      ),
      ...(notes.length === 0 ? [] : [listOf(notes, 'metrics-notes')]),
      ...tables.map((table, index) => this.section(table, index)),
    ];
  }

  private section(table: MetricsTable, index: number): HTMLElement {
    const { title, rows, left } = table;
    const id = `metrics-title-${index}`;
    const copy = button('Copy as CSV', () => {
      this.controller.outputs.copy(tableToCsv(table), 'the table as CSV');
    });
    const told = rows.filter(({ isTold }) => isTold);
    const advice = [...new Set(told.flatMap((row) => row.advice))];
    return h(
      'section',
      { class: 'metrics-section', 'aria-labelledby': id },
      h('div', { class: 'metrics-title' }, h('h2', { id }, title), rows.length > 0 && copy.element),
      rows.length === 0 ? h('p', { class: 'quiet' }, 'none') : tableOf(table, id),
      left > 0 && h('p', { class: 'quiet' }, `${thousands(left)} more are left out`),
      told.length > 0 && listOf(told.map(meaningOf), 'metrics-meanings'),
      advice.length > 0 && h('h3', {}, 'What to try'),
      advice.length > 0 && listOf(advice, 'metrics-advice'),
    );
  }
}

function meaningOf({ server, resource, meaning }: MetricsRow): string {
  return `${server === '' ? resource : `${resource} of ${server}`}: ${meaning}`;
}

const listOf = (texts: readonly string[], name: string): HTMLElement =>
  h('ul', { class: name }, ...texts.map((text) => h('li', {}, text)));

/** `FETCHED:RETURNED` as the page's other tables write it. */
const titleOf = (header: string): string => header.charAt(0) + header.slice(1).toLowerCase();

/** The resource names the row; before it stands at most its server. */
function tableOf({ columns, rows }: MetricsTable, labelledBy: string): HTMLElement {
  const named = columns.findIndex(({ header }) => header === 'RESOURCE');
  const classOf = (index: number): string => (columns[index]?.right === true ? 'number' : 'text');
  const heads = columns.map(({ header }, index) =>
    h('th', { scope: 'col', class: classOf(index) }, titleOf(header)),
  );
  const lines = rows.map(({ cells, isTold }) =>
    h(
      'tr',
      { class: isTold ? 'told' : undefined },
      ...cells.map((text, index) =>
        index === named
          ? h('th', { scope: 'row', class: 'text' }, text)
          : h('td', { class: classOf(index) }, text),
      ),
    ),
  );
  return h(
    'div',
    { class: 'metrics-scroller', tabindex: 0, role: 'group', 'aria-labelledby': labelledBy },
    h(
      'table',
      { class: 'metrics-table', 'aria-labelledby': labelledBy },
      h('thead', {}, h('tr', {}, ...heads)),
      h('tbody', {}, ...lines),
    ),
  );
}
