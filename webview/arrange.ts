/**
 * Which rows the grid shows and in what order. Works in small steps, so that 100,000 rows never hold
 * the page for long.
 */
import type { Row } from '../server/protocol/model';

export type Column = 'namespace' | 'name' | 'labels' | 'age' | 'version' | 'size';

export interface Sort {
  readonly column: Column;
  readonly descending: boolean;
}

type Compare = (a: Row, b: Row) => number;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Digits of any length, by value. */
const byDigits = (a: string, b: string): number => a.length - b.length || byText(a, b);

function firstLabels(row: Row): string {
  return row.labels.map(([key, value]) => `${key}=${value}`).join(',');
}

const compares: Readonly<Record<Column, Compare>> = {
  namespace: (a, b) => byText(a.namespace, b.namespace),
  name: (a, b) => byText(a.name, b.name),
  labels: (a, b) => byText(firstLabels(a), firstLabels(b)),
  // The younger has the smaller age.
  age: (a, b) => byText(b.created, a.created),
  version: (a, b) => byDigits(a.version, b.version),
  size: (a, b) => a.size - b.size,
};

/** Whether namespace, name or a label holds the text, without regard to case. */
export function matches(row: Row, lowerCaseText: string): boolean {
  if (row.name.toLowerCase().includes(lowerCaseText)) return true;
  if (row.namespace.toLowerCase().includes(lowerCaseText)) return true;
  return row.labels.some(([key, value]) => `${key}=${value}`.toLowerCase().includes(lowerCaseText));
}

/** Rows between two yields: well below a frame's time. */
const step = 2000;

/**
 * Indices into `rows` as they are to be shown; null when that is simply all of them in order. Yields
 * now and then; the caller decides when to go on.
 */
export function* arrange(
  rows: readonly Row[],
  filter: string,
  sort: Sort | null,
): Generator<void, Uint32Array | null> {
  if (filter === '' && !sort) return null;
  const kept = yield* filtered(rows, filter.toLowerCase());
  return sort ? yield* sorted(rows, kept, sort) : kept;
}

function* filtered(rows: readonly Row[], text: string): Generator<void, Uint32Array> {
  const kept = new Uint32Array(rows.length);
  let count = 0;
  for (const [index, row] of rows.entries()) {
    if (text === '' || matches(row, text)) kept[count++] = index;
    if (index % step === step - 1) yield;
  }
  return kept.subarray(0, count);
}

/** A bottom-up merge sort: stable, and interruptible after any merge step. */
function* sorted(
  rows: readonly Row[],
  indices: Uint32Array,
  sort: Sort,
): Generator<void, Uint32Array> {
  const compare = compares[sort.column];
  const sign = sort.descending ? -1 : 1;
  const inOrder = (a: number, b: number): boolean => {
    const [one, two] = [rows[a], rows[b]];
    return !one || !two || sign * compare(one, two) <= 0;
  };
  let from: Uint32Array = indices;
  let to: Uint32Array = new Uint32Array(indices.length);
  let work = 0;
  for (let width = 1; width < indices.length; width *= 2) {
    for (let low = 0; low < indices.length; low += 2 * width) {
      const middle = Math.min(low + width, indices.length);
      const high = Math.min(low + 2 * width, indices.length);
      work = yield* merged(from, to, { low, middle, high }, inOrder, work);
    }
    [from, to] = [to, from];
  }
  return from;
}

function* merged(
  from: Uint32Array,
  to: Uint32Array,
  { low, middle, high }: { readonly low: number; readonly middle: number; readonly high: number },
  inOrder: (a: number, b: number) => boolean,
  workBefore: number,
): Generator<void, number> {
  let work = workBefore;
  let left = low;
  let right = middle;
  for (let at = low; at < high; at++) {
    const one = from[left] ?? 0;
    const two = from[right] ?? 0;
    const takeLeft = left < middle && (right >= high || inOrder(one, two));
    to[at] = takeLeft ? one : two;
    if (takeLeft) left++;
    else right++;
    if (++work % step === 0) yield;
  }
  return work;
}
