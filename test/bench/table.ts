/** Tables for the terminal and for Markdown, from the same rows. */

export type Row = readonly string[];

export interface Table {
  readonly head: Row;
  readonly rows: readonly Row[];
  /** Columns of text; all others hold numbers and stand right. */
  readonly textColumns: number;
}

export const number = (value: number, digits = 0): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en-US', {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
    : '–';

export function textTable({ head, rows, textColumns }: Table): string {
  const widths = head.map((cell, i) =>
    Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (row: Row): string =>
    row
      .map((cell, i) =>
        i < textColumns ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  );
}

export function markdownTable({ head, rows, textColumns }: Table): string {
  const line = (row: Row): string => `| ${row.join(' | ')} |`;
  const rule = head.map((_, i) => (i < textColumns ? '---' : '--:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
