/** What came back: namespace, name, labels, age, version and size, sorted and filtered at will. */
import type { Row } from '../../server/protocol/model';
import { arrange, type Column, type Sort } from '../arrange';
import { h, setAttribute, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import { counted, thousands } from '../../server/protocol/format';
import { RowModel, type Item } from '../rowModel';
import { hasEnded, isRunning, type Run } from '../run';
import type { PanelState } from '../state';
import { textField } from '../toolkit';
import { GridKeys } from './gridKeys';
import { columns, GridRow, laterText } from './gridRow';
import { gridHead, type GridHead } from './gridHead';
import { VirtualRows } from './virtualRows';
import type { View } from './view';

/** Longest piece of arranging work between two frames, in milliseconds. */
const sliceMs = 8;
const filterDelayMs = 120;

export class Grid implements View {
  readonly element: HTMLElement;
  private readonly model = new RowModel();
  private readonly body = h('div', { role: 'rowgroup', class: 'grid-body' });
  private readonly grid: HTMLElement;
  private readonly head: GridHead;
  private readonly filterField;
  private readonly filterCount = h('span', { class: 'quiet count' });
  private readonly tools: HTMLElement;
  /** Sorted rows have no line between the snapshots: what their bars say stands above them. */
  private readonly caption = h('p', { class: 'later-caption', hidden: true });
  private readonly none = h('p', { class: 'quiet hint none', hidden: true });
  private rows: VirtualRows<Item> | undefined;
  private readonly keys: GridKeys;
  private run: Run | null = null;
  private chunksTaken = 0;
  private filter = '';
  private sort: Sort | null = null;
  private arranging = 0;
  private filterTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(controller: Controller) {
    this.head = gridHead((column) => {
      this.sortBy(column);
    });
    this.grid = h(
      'div',
      {
        role: 'grid',
        class: 'grid',
        tabindex: 0,
        'aria-label': 'Rows',
        'aria-colcount': columns.length,
        'aria-readonly': 'true',
      },
      this.head.element,
      this.body,
    );
    this.filterField = textField('filter', 'namespace, name or label', (text) => {
      clearTimeout(this.filterTimer);
      this.filterTimer = setTimeout(() => {
        this.setFilter(text);
      }, filterDelayMs);
    });
    this.filterField.element.classList.add('field', 'filter');
    this.tools = h('div', { class: 'grid-tools' }, this.filterField.element, this.filterCount);
    this.element = h('div', { class: 'grid-box' }, this.tools, this.caption, this.grid, this.none);
    this.keys = new GridKeys(this.grid, this.body, this.model, {
      pageRows: () => this.rows?.pageRows ?? 1,
      move: (position, cell, reveal) => this.rows?.setActive(position, cell, reveal),
      open: (row) => {
        controller.open(row);
      },
      copy: (text, what) => {
        controller.outputs.copy(text, what);
      },
    });
  }

  /** The rows as they stand in the grid. */
  shownRows(): Iterable<Row> {
    return this.model.shown();
  }

  update({ run, tab }: PanelState): void {
    setHidden(this.element, run === null);
    if (run && tab === 'rows') this.rows ??= this.createRows();
    if (run === this.run) return;
    const previous = this.run;
    this.run = run;
    if (!run) return;
    // Next page and the like keep the query; a list of its own begins in its own order.
    if (run.query !== previous?.query) this.unsort();
    this.takeRows(run, previous);
    if (this.sort && hasEnded(run, previous)) this.arrange();
    this.refresh();
  }

  /**
   * Chunks are appended. Where the first is another, the run is another; where the last that was taken
   * is another, the run goes on from an earlier place.
   */
  private takeRows(run: Run, previous: Run | null): void {
    const isTaken = (at: number): boolean =>
      at >= 0 && run.rowChunks[at] !== undefined && run.rowChunks[at] === previous?.rowChunks[at];
    const isSame = this.chunksTaken > 0 && isTaken(0);
    const isContinued = isSame && isTaken(this.chunksTaken - 1);
    if (!isContinued) this.restart(isSame);
    for (const chunk of run.rowChunks.slice(this.chunksTaken)) {
      this.model.append(chunk, this.filter);
    }
    this.chunksTaken = run.rowChunks.length;
    if (!isContinued || run.snapshots !== previous?.snapshots) {
      this.model.setSnapshots(run.snapshots);
    }
  }

  private createRows(): VirtualRows<Item> {
    const { grid: scroller, body, model: source } = this;
    return new VirtualRows({ scroller, body, source, createRow: () => new GridRow() });
  }

  private restart(keepPlace: boolean): void {
    this.arranging += 1;
    this.model.clear();
    this.chunksTaken = 0;
    this.keys.reset();
    if (!keepPlace) this.rows?.toStart();
    if (this.filter !== '' || this.sort)
      this.model.setOrder(new Uint32Array(), 0, this.filter, this.sort === null);
  }

  private setFilter(text: string): void {
    this.filter = text.trim();
    this.arrange();
  }

  private sortBy(column: Column): void {
    const same = this.sort?.column === column ? this.sort : null;
    // Up, down, and back to the order of the list.
    if (same?.descending) this.sort = null;
    else this.sort = { column, descending: same !== null };
    this.head.show(this.sort);
    this.arrange();
  }

  private unsort(): void {
    if (!this.sort) return;
    this.sort = null;
    this.head.show(null);
    this.model.setOrder(null, 0, '', true);
  }

  /** Arranges in slices between frames; a newer wish ends an older one. */
  private arrange(): void {
    const number = ++this.arranging;
    const covered = this.model.rows.length;
    const { filter, sort } = this;
    const work = arrange(this.model.rows.slice(), filter, sort);
    const go = (): void => {
      if (number !== this.arranging) return;
      const until = performance.now() + sliceMs;
      let step = work.next();
      while (!step.done && performance.now() < until) step = work.next();
      if (!step.done) {
        setTimeout(go);
        return;
      }
      this.model.setOrder(step.value, covered, filter, sort === null);
      this.keys.reset();
      this.rows?.toStart();
      this.refresh();
    };
    go();
  }

  private showCaption(): void {
    const snapshots = this.run?.snapshots ?? [];
    const isShown = this.sort !== null && snapshots.length > 0;
    setHidden(this.caption, !isShown);
    const revisions = snapshots.map(({ revision }) => revision);
    const text = `Rows with this bar are ${laterText(revisions)}, inconsistent with the others`;
    setText(this.caption, isShown ? text : '');
  }

  private refresh(): void {
    const { model, run } = this;
    setAttribute(this.grid, 'aria-rowcount', model.length + 1);
    this.rows?.refresh();
    const total = model.rows.length;
    const filtered = this.filter !== '';
    setText(
      this.filterCount,
      filtered ? `${thousands(model.rowCount)} of ${counted(total, 'row')}` : '',
    );
    this.showCaption();
    setHidden(this.none, model.rowCount > 0 || run === null || (isRunning(run) && !filtered));
    setText(this.none, emptyText(run, total, filtered));
  }
}

const matchedIn = (run: Run): number => run.requests.reduce((sum, { matched }) => sum + matched, 0);

function emptyText(run: Run | null, total: number, filtered: boolean): string {
  if (run?.past) return 'Rows are not kept in the history. Run to list again.';
  if (filtered && total > 0) return 'No row matches the filter.';
  if (!run || (!run.failure && run.phase !== 'stopped')) return 'Nothing matched.';
  const end = run.failure ? 'the failure' : 'the list stopped';
  const matched = matchedIn(run);
  return matched === 0
    ? `No rows came before ${end}.`
    : `${counted(matched, 'object')} matched before ${end}; rows come once their page is whole.`;
}
