/** What every output format is given, and how rows come to it. */
import type { ListItem } from '../../store/interfaces';
import type { StoredValue } from '../../targets/target';

export type { StoredValue };

export type Item = ListItem<StoredValue>;

export interface ListEnd {
  readonly resourceVersion: bigint;
  readonly continueToken: string;
  readonly remainingItemCount: bigint | null;
}

/**
 * One output format. Rows are written as they come and not kept, but for the table's first page,
 * whose cells decide the widths.
 */
export interface RowWriter {
  rows(items: readonly Item[]): Promise<void>;
  /** A page of the list is complete. */
  pageEnd(): Promise<void>;
  /** The list is complete; the format closes what it opened. */
  end(end: ListEnd): Promise<void>;
  /** The list failed: what is held back is written, and nothing is closed. */
  fail(): Promise<void>;
}

export type Write = (text: string) => Promise<void>;
