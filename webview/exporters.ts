/** Rows and receipts as files. Text in, text out. */
import type { MetricsTable } from '../server/protocol/metrics';
import type { RequestEntry, Row, TotalEntry } from '../server/protocol/model';
import { labelsText } from '../server/protocol/format';

/** A cell that a spreadsheet would read as a formula is quoted with a leading apostrophe. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\n|%]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvColumns = ['namespace', 'name', 'labels', 'created', 'resourceVersion', 'size'] as const;

/** RFC 4180, with its CRLF. */
export function toCsv(rows: Iterable<Row>): string {
  const lines = [csvColumns.join(',')];
  for (const row of rows) {
    const { namespace, name, labels, created, version, size } = row;
    lines.push(
      [namespace, name, labelsText(labels), created, version, String(size)].map(csvCell).join(','),
    );
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** The same of a table of metrics; what is not known is empty. */
export function tableToCsv({ columns, rows }: MetricsTable): string {
  const cell = (value: string | number | null): string =>
    typeof value === 'number' ? String(value) : csvCell(value ?? '');
  const lines = [
    columns.map(({ header }) => header).join(','),
    ...rows.map(({ values }) => values.map(cell).join(',')),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** A label may be named `__proto__`: `fromEntries` defines it as any other. */
function plainRow(row: Row): object {
  const { namespace, name, labels, created, version, size, key } = row;
  return {
    namespace,
    name,
    labels: Object.fromEntries(labels),
    created,
    resourceVersion: version,
    size,
    keyHex: key,
  };
}

export function toJson(rows: Iterable<Row>): string {
  return `${JSON.stringify(Array.from(rows, plainRow), null, 2)}\n`;
}

export function toNdjson(rows: Iterable<Row>): string {
  return Array.from(rows, (row) => `${JSON.stringify(plainRow(row))}\n`).join('');
}

/** The receipt as JSON lines, as the command line prints it: requests, then the totals. */
export function toReceipt(requests: readonly RequestEntry[], total: TotalEntry | null): string {
  const lines = requests.map((request) =>
    // `ended` is the page's own and no field of the receipt.
    JSON.stringify({ type: 'request', ...request, ended: undefined }),
  );
  if (total) lines.push(JSON.stringify({ type: 'total', ...total }));
  return lines.map((line) => `${line}\n`).join('');
}

/** `pods-web-rv84213.csv`; only characters that every file system takes. */
export function fileName(
  resource: string,
  namespace: string,
  revision: string | null,
  ending: string,
): string {
  const parts = [resource, namespace, revision ? `rv${revision}` : ''].filter(
    (part) => part !== '',
  );
  const stem = parts.join('-').replace(/[^A-Za-z0-9.-]+/g, '_');
  return `${stem === '' ? 'list' : stem}.${ending}`;
}
