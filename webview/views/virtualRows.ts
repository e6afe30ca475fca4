/** Keeps as many row elements in the document as are seen, and a few on either side. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type Range,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';

/** Rows kept ready on either side; never more than half a screen. */
const overscan = 8;

/** One row's element, which is used again for other rows as the list scrolls. */
export interface VirtualRow<I> {
  readonly element: HTMLElement;
  /** @param top Pixels below the body's upper edge. @param now Milliseconds since 1970. */
  show(item: I, position: number, top: number, now: number): void;
  /** @param cell The cell in it that is active; -1 when the row as a whole is, undefined for none. */
  setActive?(cell: number | undefined): void;
}

export interface Source<I> {
  readonly length: number;
  at(position: number): I | undefined;
}

interface Parts<I> {
  /** Holds a head as high as a row, and then the body. */
  readonly scroller: HTMLElement;
  readonly body: HTMLElement;
  readonly source: Source<I>;
  readonly createRow: () => VirtualRow<I>;
}

/** Whole pixels, by the size of the font; the style takes it from `--row-height`. */
function rowHeightIn(element: HTMLElement): number {
  const fontSize = Number.parseFloat(getComputedStyle(element).fontSize);
  const rowHeight = Math.max(22, Math.round(fontSize * 1.7));
  document.documentElement.style.setProperty('--row-height', `${rowHeight}px`);
  return rowHeight;
}

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;

export class VirtualRows<I> {
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  /** By position, ascending, as they stand in the document. */
  private used: ReadonlyMap<number, VirtualRow<I>> = new Map();
  private readonly free: VirtualRow<I>[] = [];
  private active = -1;
  private activeCell = -1;

  private readonly scroller: HTMLElement;
  private readonly body: HTMLElement;
  private readonly source: Source<I>;
  private readonly createRow: () => VirtualRow<I>;
  private rowHeight: number;

  constructor({ scroller, body, source, createRow }: Parts<I>) {
    this.scroller = scroller;
    this.body = body;
    this.source = source;
    this.createRow = createRow;
    this.rowHeight = rowHeightIn(scroller);
    this.virtualizer = new Virtualizer(this.options(this.rowHeight));
    this.virtualizer._didMount();
    this.virtualizer._willUpdate();
    // VS Code states the size of the font in the document's own style.
    const style = { attributes: true, attributeFilter: ['style'] };
    new MutationObserver(() => {
      this.measure();
    }).observe(document.documentElement, style);
  }

  private measure(): void {
    const rowHeight = rowHeightIn(this.scroller);
    if (rowHeight === this.rowHeight) return;
    this.rowHeight = rowHeight;
    this.virtualizer.setOptions(this.options(rowHeight));
    this.virtualizer.measure();
    this.stretch();
    this.draw();
  }

  private stretch(): void {
    this.body.style.setProperty('height', `${this.source.length * this.rowHeight}px`);
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
    const { active } = this;
    if (active >= 0 && active < first) positions.unshift(active);
    if (active > last && active < count) positions.push(active);
    return positions;
  }

  /** Rows were added, taken away, or stand elsewhere. */
  refresh(): void {
    const { options } = this.virtualizer;
    if (options.count !== this.source.length) {
      this.virtualizer.setOptions({ ...options, count: this.source.length });
      this.virtualizer._willUpdate();
      this.stretch();
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
    const before = this.used;
    // The virtualizer may still count rows that are gone.
    const items = this.virtualizer.getVirtualItems().flatMap(({ index }) => {
      const item = this.source.at(index);
      return item ? [{ index, item }] : [];
    });
    const wanted = new Set(items.map(({ index }) => index));
    const left = [...before].flatMap(([position, row]) => (wanted.has(position) ? [] : [row]));
    const used = new Map<number, VirtualRow<I>>();
    const moved = new Set<VirtualRow<I>>();
    for (const { index, item } of items) {
      let row = before.get(index);
      if (!row) {
        row = left.shift() ?? this.free.pop() ?? this.createRow();
        moved.add(row);
      }
      used.set(index, row);
      row.show(item, index, index * this.rowHeight, now);
      row.setActive?.(index === this.active ? this.activeCell : undefined);
    }
    this.used = used;
    for (const row of left) row.element.remove();
    this.free.push(...left);
    this.order(moved);
  }

  /**
   * Rows stand in the document in their order, for those who read it. Without those that were moved
   * the others are in order among themselves, so that these few are taken out and put in again.
   */
  private order(moved: ReadonlySet<VirtualRow<I>>): void {
    for (const { element } of moved) element.remove();
    let next: Element | null = null;
    // The virtualizer gives rows in no fixed order.
    const fromTheEnd = [...this.used].sort(([a], [b]) => b - a);
    for (const [, { element }] of fromTheEnd) {
      const isInPlace = element.isConnected && element.nextElementSibling === next;
      if (!isInPlace) this.body.insertBefore(element, next);
      next = element;
    }
  }
}
