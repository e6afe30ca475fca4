/** What stands at each position of the grid: a row, or the divider before a later snapshot. */
import type { Row } from '../server/protocol/model';
import { matches } from './arrange';
import type { Snapshot } from './run';

export type Item =
  | {
      readonly kind: 'row';
      readonly row: Row;
      readonly later: boolean;
      /** Of the later snapshot that the row is of. */
      readonly revision: string | null;
    }
  | { readonly kind: 'divider'; readonly revision: string | null };

interface Divider {
  readonly position: number;
  readonly snapshot: Snapshot;
}

export class RowModel {
  readonly rows: Row[] = [];
  private order: Uint32Array | null = null;
  private snapshots: readonly Snapshot[] = [];
  private dividers: readonly Divider[] = [];
  /** Sorted rows mix the snapshots; a mark in the row then tells them apart. */
  private divided = true;

  clear(): void {
    this.rows.length = 0;
    this.order = null;
    this.snapshots = [];
    this.dividers = [];
  }

  /** New rows go to the end, whatever the order of those before them. */
  append(chunk: readonly Row[], filter: string): void {
    const from = this.rows.length;
    for (const row of chunk) this.rows.push(row);
    if (this.order) this.order = joined(this.order, this.rows, from, filter);
  }

  setSnapshots(snapshots: readonly Snapshot[]): void {
    this.snapshots = snapshots;
    this.placeDividers();
  }

  /** @param covered Rows that the order was made from; later ones are appended. */
  setOrder(order: Uint32Array | null, covered: number, filter: string, divided: boolean): void {
    this.order = order && joined(order, this.rows, covered, filter);
    this.divided = divided;
    this.placeDividers();
  }

  /** Rows shown, dividers not counted. */
  get rowCount(): number {
    return this.order?.length ?? this.rows.length;
  }

  get length(): number {
    return this.rowCount + this.dividers.length;
  }

  at(position: number): Item | undefined {
    let before = 0;
    for (const { position: divider, snapshot } of this.dividers) {
      if (divider === position) return { kind: 'divider', revision: snapshot.revision };
      if (divider < position) before += 1;
    }
    const index = this.indexAt(position - before);
    const row = this.rows[index];
    const first = this.snapshots[0]?.at ?? Infinity;
    if (!row) return undefined;
    const own = index >= first ? this.snapshots.findLast(({ at }) => at <= index) : undefined;
    return { kind: 'row', row, later: own !== undefined, revision: own?.revision ?? null };
  }

  *shown(): Generator<Row, void> {
    for (let at = 0; at < this.rowCount; at++) {
      const row = this.rows[this.indexAt(at)];
      if (row) yield row;
    }
  }

  private indexAt(at: number): number {
    return this.order ? (this.order[at] ?? -1) : at;
  }

  private placeDividers(): void {
    this.dividers = this.divided
      ? this.snapshots.map((snapshot, number) => ({
          position: this.shownBefore(snapshot.at) + number,
          snapshot,
        }))
      : [];
  }

  /** How many shown rows stand before the row of this index; the order is ascending here. */
  private shownBefore(index: number): number {
    if (!this.order) return index;
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.order[middle] ?? Infinity) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function joined(
  order: Uint32Array,
  rows: readonly Row[],
  from: number,
  filter: string,
): Uint32Array {
  const text = filter.toLowerCase();
  const more: number[] = [];
  for (let index = from; index < rows.length; index++) {
    const row = rows[index];
    if (row && (text === '' || matches(row, text))) more.push(index);
  }
  if (more.length === 0) return order;
  const all = new Uint32Array(order.length + more.length);
  all.set(order);
  all.set(more, order.length);
  return all;
}
