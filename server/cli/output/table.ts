/** Aligned columns. Widths come from the first page; later rows that are wider push their line. */
import type { Style } from '../style';
import { padEnd, padStart, textWidth } from './width';
import type { Item, RowWriter, Write } from './rows';

export interface Column {
  readonly header: string;
  /** Numbers stand at the right edge. */
  readonly right?: boolean;
  /** Text without control characters. */
  readonly cell: (item: Item) => string;
}

/** Rows held back at most while the widths are open. */
const FIRST_PAGE = 500;
const GAP = '   ';

export function tableWriter(
  columns: readonly Column[],
  write: Write,
  { style, terminal }: { readonly style: Pick<Style, 'bold'>; readonly terminal: boolean },
): RowWriter {
  let held: string[][] | undefined = [];
  let widths: readonly number[] = [];

  const flush = async (): Promise<void> => {
    if (held === undefined || held.length === 0) return;
    const lines = held;
    held = undefined;
    widths = columnWidths(columns, lines);
    const headers = columns.map((column) => column.header);
    const head = style.bold(layOut(columns, widths, headers));
    const body = lines.map((cells) => layOut(columns, widths, cells));
    // On a terminal the receipt's lines stand just above.
    await write([...(terminal ? [''] : []), head, ...body, ''].join('\n'));
  };

  return {
    async rows(items) {
      const lines = items.map((item) => columns.map((column) => column.cell(item)));
      if (held === undefined) {
        await write(lines.map((cells) => `${layOut(columns, widths, cells)}\n`).join(''));
        return;
      }
      held.push(...lines);
      if (held.length >= FIRST_PAGE) await flush();
    },
    pageEnd: flush,
    end: flush,
    fail: flush,
  };
}

function columnWidths(columns: readonly Column[], lines: readonly (readonly string[])[]): number[] {
  return columns.map((column, i) =>
    lines.reduce(
      (widest, cells) => Math.max(widest, textWidth(cells[i] ?? '')),
      column.header.length,
    ),
  );
}

/** The last column is not padded when its text stands at the left. */
function layOut(
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly string[],
): string {
  return cells
    .map((cell, i) => {
      const width = widths[i] ?? 0;
      if (columns[i]?.right === true) return padStart(cell, width);
      return i === cells.length - 1 ? cell : padEnd(cell, width);
    })
    .join(GAP);
}
