/** The grid's header: one tab stop, arrows between its columns, Enter sorts. */
import { h, setAttribute } from '../dom';
import type { Column, Sort } from '../arrange';
import { columns } from './gridRow';

export interface GridHead {
  readonly element: HTMLElement;
  show(sort: Sort | null): void;
}

export function gridHead(onSort: (column: Column) => void): GridHead {
  const buttons = columns.map(({ column, title }, index) => {
    const button = h(
      'button',
      { type: 'button', class: 'head-button', tabindex: index === 0 ? 0 : -1 },
      h('span', { class: 'head-title' }, title),
      h('span', { class: 'sort-mark', 'aria-hidden': 'true' }),
    );
    button.addEventListener('click', () => {
      onSort(column);
    });
    return button;
  });
  const cells = columns.map(({ column }, index) =>
    h(
      'div',
      { role: 'columnheader', class: `cell ${column}`, 'aria-sort': 'none' },
      buttons[index] ?? null,
    ),
  );
  const row = h('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 }, ...cells);
  row.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = buttons.findIndex((button) => button === event.target);
    const next = buttons[at + step];
    if (step === 0 || at < 0 || !next) return;
    buttons.forEach((button) => {
      setAttribute(button, 'tabindex', button === next ? 0 : -1);
    });
    next.focus();
    event.stopPropagation();
  });
  return {
    element: h('div', { role: 'rowgroup', class: 'grid-head' }, row),
    show(sort) {
      columns.forEach(({ column }, index) => {
        const way = sort?.column !== column ? 'none' : sort.descending ? 'descending' : 'ascending';
        cells[index]?.setAttribute('aria-sort', way);
      });
    },
  };
}
