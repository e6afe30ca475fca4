/** Keeps as many row elements in the document as are seen, and a few on either side. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type Range,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { GridRow } from './gridRow';
import type { Item } from '../rowModel';

/** Rows kept ready on either side; never more than half a screen. */
const overscan = 8;

interface Source {
  readonly length: number;
  at(position: number): Item | undefined;
}

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;

export class VirtualRows {
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  private readonly used = new Map<number, GridRow>();
  private readonly free: GridRow[] = [];
  private active = -1;
  private activeCell = -1;

  /** @param scroller Holds the head, `headHeight` pixels high, and then `body`. */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly body: HTMLElement,
    private readonly source: Source,
    private readonly rowHeight: number,
    headHeight: number,
  ) {
    this.virtualizer = new Virtualizer(this.options(headHeight));
    this.virtualizer._didMount();
    this.virtualizer._willUpdate();
  }

  /** Whole rows that fit the screen. */
  get pageRows(): number {
    const height = this.scroller.clientHeight - this.virtualizer.options.scrollMargin;
    return Math.max(1, Math.floor(height / this.rowHeight));
  }

  private options(headHeight: number): Options {
    return {
      count: this.source.length,
      getScrollElement: () => this.scroller,
      estimateSize: () => this.rowHeight,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => {
        this.draw();
      },
      rangeExtractor: (range) => this.positions(range),
      scrollMargin: headHeight,
      scrollPaddingStart: headHeight,
    };
  }

  /** The row that the keyboard is on stays in the document, so that it can be named. */
  private positions({ startIndex, endIndex, count }: Range): number[] {
    const extra = Math.min(overscan, Math.floor((endIndex - startIndex + 1) / 2));
    const first = Math.max(0, startIndex - extra);
    const last = Math.min(count - 1, endIndex + extra);
    const positions = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const isOut = this.active >= 0 && this.active < count;
    if (isOut && (this.active < first || this.active > last)) positions.push(this.active);
    return positions;
  }

  /** Rows were added, taken away, or stand elsewhere. */
  refresh(): void {
    const { options } = this.virtualizer;
    if (options.count !== this.source.length) {
      this.virtualizer.setOptions({ ...options, count: this.source.length });
      this.virtualizer._willUpdate();
      this.body.style.setProperty('height', `${this.source.length * this.rowHeight}px`);
    }
    this.draw();
  }

  setActive(position: number, cell: number, reveal: boolean): void {
    this.active = position;
    this.activeCell = cell;
    if (reveal && position >= 0) this.virtualizer.scrollToIndex(position, { align: 'auto' });
    this.draw();
  }

  toStart(): void {
    this.virtualizer.scrollToOffset(0);
  }

  private draw(): void {
    const now = Date.now();
    const items = this.virtualizer.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [position, row] of this.used) {
      if (wanted.has(position)) continue;
      this.used.delete(position);
      this.free.push(row);
    }
    const fresh: HTMLElement[] = [];
    for (const { index } of items) {
      const item = this.source.at(index);
      if (!item) continue;
      let row = this.used.get(index);
      if (!row) {
        row = this.free.pop() ?? new GridRow();
        this.used.set(index, row);
      }
      row.show(item, index, index * this.rowHeight, now);
      row.setActive(index === this.active ? this.activeCell : undefined);
      if (!row.element.isConnected) fresh.push(row.element);
    }
    this.body.append(...fresh);
    for (const row of this.free) row.element.remove();
  }
}
