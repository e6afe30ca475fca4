/** One row element of the grid. Elements are used again for other rows as the grid scrolls. */
import { h, setAttribute, setText } from '../dom';
import { age, labelsText, thousands, visible } from '../../server/protocol/format';
import type { Row } from '../../server/protocol/model';
import type { Column } from '../arrange';
import type { Item } from '../rowModel';
import type { VirtualRow } from './virtualRows';

export const columns: readonly { readonly column: Column; readonly title: string }[] = [
  { column: 'namespace', title: 'Namespace' },
  { column: 'name', title: 'Name' },
  { column: 'labels', title: 'Labels' },
  { column: 'age', title: 'Age' },
  { column: 'version', title: 'Version' },
  { column: 'size', title: 'Size' },
];

/** Line breaks must not make a row taller, and a name that turns its direction not lie: both are shown. */
function cellTexts(row: Row, now: number): readonly string[] {
  return [
    visible(row.namespace),
    visible(row.name),
    visible(labelsText(row.labels)),
    age(row.created, now),
    thousands(row.version),
    thousands(row.size),
  ];
}

function copyTexts(row: Row): readonly string[] {
  const { namespace, name, labels, created, version, size } = row;
  return [namespace, name, labelsText(labels), created, version, String(size)];
}

/** Of one line and as many fields as there are columns, whatever stands in them. */
export const copyText = (row: Row): string => copyTexts(row).map(visible).join('\t');

/** A cell as it is copied: exact to the character. */
export const cellCopyText = (row: Row, cell: number): string => copyTexts(row)[cell] ?? '';

type RowItem = Extract<Item, { readonly kind: 'row' }>;

/** `of a later snapshot (revision 90,117)`. */
export function laterText(revisions: readonly (string | null)[]): string {
  const known = revisions.flatMap((each) => (each === null ? [] : [thousands(each)]));
  const several = revisions.length > 1;
  const what = several ? 'of later snapshots' : 'of a later snapshot';
  if (known.length === 0) return what;
  return `${what} (${known.length > 1 ? 'revisions' : 'revision'} ${known.join(' and ')})`;
}

function isSame(a: Item, b: Item): boolean {
  if (a.kind === 'row' && b.kind === 'row') {
    return a.row === b.row && a.later === b.later && a.revision === b.revision;
  }
  return a.kind === 'divider' && b.kind === 'divider' && a.revision === b.revision;
}

export class GridRow implements VirtualRow<Item> {
  readonly element: HTMLElement;
  private readonly cells: readonly HTMLElement[];
  private readonly divider = h('div', {
    role: 'gridcell',
    class: 'cell divider-text',
    'aria-colspan': columns.length,
  });
  private shown: Item | undefined;
  position = -1;

  constructor() {
    this.cells = columns.map(({ column }) =>
      h('div', { role: 'gridcell', class: `cell ${column}` }),
    );
    this.element = h('div', { role: 'row', class: 'row' }, ...this.cells);
  }

  show(item: Item, position: number, top: number, now: number): void {
    const { element } = this;
    if (this.position !== position) {
      this.position = position;
      element.id = `row-${position}`;
      element.setAttribute('aria-rowindex', String(position + 2));
      element.classList.toggle('odd', position % 2 === 1);
    }
    element.style.setProperty('transform', `translateY(${top}px)`);
    if (this.shown && isSame(this.shown, item)) return;
    const kindChanged = this.shown?.kind !== item.kind;
    this.shown = item;
    if (kindChanged) {
      element.replaceChildren(...(item.kind === 'row' ? this.cells : [this.divider]));
      element.classList.toggle('divider', item.kind === 'divider');
    }
    if (item.kind === 'row') this.fillRow(item, now);
    else this.fillDivider(item.revision);
  }

  setActive(cell: number | undefined): void {
    const { element } = this;
    const active = cell !== undefined;
    if (element.classList.contains('active') !== active) {
      element.classList.toggle('active', active);
      setAttribute(element, 'aria-selected', active ? 'true' : undefined);
    }
    this.cells.forEach((each, index) => {
      const isActive = index === cell;
      if (each.classList.contains('active') !== isActive) each.classList.toggle('active', isActive);
      setAttribute(each, 'id', isActive ? `row-${this.position}-cell-${index}` : undefined);
    });
  }

  private fillRow({ row, later, revision }: RowItem, now: number): void {
    cellTexts(row, now).forEach((text, index) => {
      const cell = this.cells[index];
      if (cell) setText(cell, text);
    });
    this.element.classList.toggle('later', later);
    this.setMark(later ? laterText([revision]) : undefined);
  }

  /** What the bar at the row's side says, to those who point at it and those who hear it. */
  private setMark(text: string | undefined): void {
    setAttribute(this.element, 'title', text);
    setAttribute(this.element, 'aria-description', text);
  }

  private fillDivider(revision: string | null): void {
    setText(this.divider, `Rows below are ${laterText([revision])}, inconsistent with those above`);
    this.element.classList.remove('later');
    this.setMark(undefined);
  }
}
