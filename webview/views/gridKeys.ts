/** Keyboard and pointer in the grid: which row is active, opening it, copying it. */
import type { Row } from '../../server/protocol/model';
import { setAttribute } from '../dom';
import type { RowModel } from '../rowModel';
import { cellCopyText, columns, copyText } from './gridRow';
import { tellWhole } from './wholeText';

interface GridActions {
  pageRows(): number;
  move(position: number, cell: number, reveal: boolean): void;
  open(row: Row): void;
  copy(text: string, what: string): void;
}

export class GridKeys {
  private position = -1;
  /** Column within the row; -1 for the row as a whole. */
  private cell = -1;

  constructor(
    private readonly grid: HTMLElement,
    body: HTMLElement,
    private readonly model: RowModel,
    private readonly actions: GridActions,
  ) {
    grid.addEventListener('keydown', (event) => {
      if (event.target === grid && this.onKey(event)) event.preventDefault();
    });
    body.addEventListener('click', (event) => {
      this.onClick(event);
    });
    body.addEventListener('dblclick', ({ target }) => {
      // The first click on a name has opened it.
      if (!isName(target)) this.openActive();
    });
    grid.addEventListener('focus', () => {
      if (this.position < 0 && model.length > 0) this.go(0, -1);
    });
    tellWhole(grid);
  }

  reset(): void {
    this.position = -1;
    this.cell = -1;
    setAttribute(this.grid, 'aria-activedescendant', undefined);
    this.actions.move(-1, -1, false);
  }

  private go(position: number, cell: number, reveal = true): void {
    const last = this.model.length - 1;
    if (last < 0) return;
    this.position = Math.max(0, Math.min(position, last));
    this.cell = Math.max(-1, Math.min(cell, columns.length - 1));
    const item = this.model.at(this.position);
    if (item?.kind === 'divider') this.cell = -1;
    this.actions.move(this.position, this.cell, reveal);
    const row = `row-${this.position}`;
    const id = this.cell < 0 ? row : `${row}-cell-${this.cell}`;
    setAttribute(this.grid, 'aria-activedescendant', id);
  }

  /** Whether the key was one of the grid's. */
  private onKey(event: KeyboardEvent): boolean {
    const { position, cell, model } = this;
    const page = this.actions.pageRows();
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [position + 1, cell],
      ArrowUp: [position - 1, cell],
      ArrowRight: [position, cell + 1],
      ArrowLeft: [position, cell - 1],
      PageDown: [position + page, cell],
      PageUp: [position - page, cell],
      Home: [0, cell],
      End: [model.length - 1, cell],
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (move) {
      this.go(...move);
      return true;
    }
    if (event.key === 'Enter') return this.openActive();
    return event.key === 'c' && (event.ctrlKey || event.metaKey) && this.copyActive();
  }

  private activeRow(): Row | undefined {
    const item = this.model.at(this.position);
    return item?.kind === 'row' ? item.row : undefined;
  }

  private openActive(): boolean {
    const row = this.activeRow();
    if (row) this.actions.open(row);
    return row !== undefined;
  }

  /** A selection made with the pointer is the browser's to copy. */
  private copyActive(): boolean {
    const row = this.activeRow();
    if (!row || getSelection()?.isCollapsed === false) return false;
    const title = columns[this.cell]?.title.toLowerCase();
    const text = this.cell < 0 ? copyText(row) : cellCopyText(row, this.cell);
    this.actions.copy(text, title ?? 'row');
    return true;
  }

  /** The second click of two changes nothing: it would open the object once more. */
  private onClick({ target, detail }: MouseEvent): void {
    const row = target instanceof Element ? target.closest('.row') : null;
    if (!row || detail > 1) return;
    this.go(Number(row.getAttribute('aria-rowindex')) - 2, -1, false);
    if (isName(target)) this.openActive();
  }
}

const isName = (target: EventTarget | null): boolean =>
  target instanceof Element && target.classList.contains('name');
