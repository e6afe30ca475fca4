/** Comments that ytt takes for code: `labels: #@ labels()`, `#@overlay/match missing_ok=True`. */
import type { Span } from '../../kube/selectors';

export interface YttLine extends Span {
  /** Nothing stands in its place. */
  readonly isComment?: boolean | undefined;
}

/** What may stand before a comment in its line; longer ones are looked at no further. */
const LONGEST = 1_000;

/** In order. One that writes a value begins where another value stands already, which it replaces. */
export function yttLines(text: string): YttLine[] {
  const found: YttLine[] = [];
  for (let at = text.indexOf('#@'); at >= 0;) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : text.charAt(next - 1) === '\r' ? next - 1 : next;
    const line = lineOf(text, at, end);
    if (line !== undefined) found.push(line);
    at = text.indexOf('#@', line === undefined ? at + 2 : end);
  }
  return found;
}

/** Undefined for what is no comment. */
function lineOf(text: string, at: number, end: number): YttLine | undefined {
  if (at > 0 && !' \t\n\ufeff'.includes(text.charAt(at - 1))) return undefined;
  const before = text.slice(Math.max(0, at - LONGEST), at).replace(/^[^]*\n/, '');
  const value = valueIn(before.replace(/^[ \t]*(?:-[ \t]+)*/, ''));
  if (isInQuotes(value)) return undefined;
  const isCode = /[ \t]/.test(text.charAt(at + 2)) && before.trim() !== '';
  if (!isCode) return { start: at, end, isComment: true };
  return { start: at - value.length, end };
}

function valueIn(line: string): string {
  const pair = /:[ \t]+([^ \t][^]*)?$/.exec(line);
  return pair === null ? line : (pair[1] ?? '');
}

function isInQuotes(text: string): boolean {
  return [/"/g, /'/g].some((quote) => (text.match(quote)?.length ?? 0) % 2 === 1);
}
