/** The lines of a text that tell of an API server's lists, found without reading the rest. */
import { LONGEST_HOVER_LINE, MOST_HOVER_LINES } from '../../server/protocol/metrics';

export interface FamilyLine {
  readonly text: string;
  /** From 0. */
  readonly line: number;
}

const FAMILIES =
  'apiserver_(?:storage|cache)_list_|apiserver_storage_decode_errors_|apiserver_watch_cache_consistent_read_|(?:apiserver_)?etcd_request(?:s|_errors|_duration_seconds)_?';
const FAMILY = new RegExp(`^[ \\t]*(?:${FAMILIES})`);

/** Whether a line may tell of lists. */
export function isFamilyLine(text: string): boolean {
  return text.length <= LONGEST_HOVER_LINE && FAMILY.test(text);
}

/** All such lines, in their order. */
export function familyLines(text: string): FamilyLine[] {
  const found: FamilyLine[] = [];
  const pattern = new RegExp(`^[ \\t]*(?:${FAMILIES}).*`, 'gm');
  let line = 0;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    line += lineBreaks(text, at, match.index);
    at = match.index;
    const [whole] = match;
    const own = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    if (own.length <= LONGEST_HOVER_LINE) found.push({ text: own, line });
  }
  return found;
}

function lineBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}

const RESOURCE = /[{,][ \t]*(?:resource|type|resource_prefix)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*")/;

/**
 * Those of the same resource as the line with that number, and which of them it is; undefined where it
 * is none. Of very many those around it are taken.
 */
export function besideLine(
  lines: readonly FamilyLine[],
  line: number,
): { readonly lines: readonly string[]; readonly index: number } | undefined {
  const under = lines.find((each) => each.line === line);
  const resource = RESOURCE.exec(under?.text ?? '')?.[1];
  if (under === undefined || resource === undefined) return undefined;
  const same = lines.filter(
    ({ text }) => text.includes(resource) && RESOURCE.exec(text)?.[1] === resource,
  );
  const own = same.indexOf(under);
  const start = Math.max(0, own - MOST_HOVER_LINES / 2);
  const taken = same.slice(start, start + MOST_HOVER_LINES);
  return { lines: taken.map(({ text }) => text), index: own - start };
}
