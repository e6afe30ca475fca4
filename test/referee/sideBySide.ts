/** One list as both sides answered it, in two columns. */
import type { Comparison } from './match';
import { parts, type Outcome, type OutcomeError, type Part } from './outcome';
import type { ListAsk } from './oracle';

const usualWidth = 160;
const leastWidth = 60;
/** Lines of one part that are shown at most; what differs is among them. */
const mostLines = 40;

/** Everything that could act on a terminal, as an escape. Plans and keys are anybody's text. */
export const harmless = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );

const usual: Partial<ListAsk> = {
  ...{ stream: false, aggregate: false, resourceVersion: '', match: '', limit: '0' },
  ...{ labelSelector: '', fieldSelector: '', continue: '', brief: false, disturb: 0 },
  ...{ compact: false, recursive: true, forget: true },
};

/** What is asked, as far as it is not what a list asks for anyway. */
export function askText(ask: ListAsk): string {
  const { changes, ...rest } = ask;
  const told = Object.entries(rest).filter(
    ([name, value]) => usual[name as keyof ListAsk] !== value,
  );
  const writes = changes.length > 0 ? { writes: changes.length } : {};
  return harmless(JSON.stringify({ ...Object.fromEntries(told), ...writes }));
}

function linesOf(outcome: Outcome, part: Part): string[] {
  const value = outcome[part];
  if (value === null) return ['none'];
  if (typeof value === 'string') return [value === '' ? 'none' : harmless(value)];
  const lines = isError(value) ? Object.entries(value).flatMap(errorLine) : value;
  return lines.length === 0 ? ['none'] : lines.map(harmless);
}

const isError = (value: readonly string[] | OutcomeError): value is OutcomeError =>
  !Array.isArray(value);

function errorLine([name, value]: [string, unknown]): string[] {
  const isNothing = value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
  return isNothing ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
}

type Row = readonly [mark: string, ours: string, theirs: string];

/** Pairs of lines, long runs of equal ones cut short. */
function rowsOf(ours: readonly string[], theirs: readonly string[]): Row[] {
  const count = Math.max(ours.length, theirs.length);
  const rows = Array.from({ length: count }, (_, i): Row => {
    const pair = [ours[i] ?? '', theirs[i] ?? ''] as const;
    return [ours[i] === theirs[i] ? ' ' : '≠', ...pair];
  });
  if (rows.length <= mostLines) return rows;
  const first = Math.max(0, rows.findIndex(([mark]) => mark !== ' ') - 2);
  const shown = rows.slice(first, first + mostLines);
  const before: Row[] = first > 0 ? [cut(first)] : [];
  const after = rows.length - first - shown.length;
  return [...before, ...shown, ...(after > 0 ? [cut(after)] : [])];
}

const cut = (count: number): Row => {
  const text = `… ${String(count)} more lines`;
  return [' ', text, text];
};

/** In pieces that fit; a text of many characters takes several lines. */
function folded(text: string, width: number): string[] {
  const chars = Array.from(text);
  const pieces = [];
  for (let at = 0; at === 0 || at < chars.length; at += width) {
    pieces.push(chars.slice(at, at + width).join(''));
  }
  return pieces;
}

const labelWidth = Math.max(...parts.map((part) => part.length));

function drawn(label: string, [mark, ours, theirs]: Row, width: number): string[] {
  const [left, right] = [folded(ours, width), folded(theirs, width)];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const name = (i === 0 ? label : '').padEnd(labelWidth);
    return `${i === 0 ? mark : ' '} ${name}  ${(left[i] ?? '').padEnd(width)} │ ${right[i] ?? ''}`.trimEnd();
  });
}

/** A line for each line of an answer: ours on the left, upstream's on the right, `≠` before what differs. */
export function sideBySide({ ours, theirs }: Comparison, columns = usualWidth): string[] {
  const width = Math.floor((Math.max(leastWidth, columns) - labelWidth - 7) / 2);
  const head = drawn('', [' ', 'ours', 'upstream'], width);
  const body = parts.flatMap((part) =>
    rowsOf(linesOf(ours, part), linesOf(theirs, part)).flatMap((row, i) =>
      drawn(i === 0 ? part : '', row, width),
    ),
  );
  return [...head, ...body];
}
