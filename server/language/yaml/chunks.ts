/** A stream of YAML cut into its documents, without parsing them. */
import type { Span } from '../../kube/selectors';
import { touchesAny } from './templates';

export interface Chunk {
  /** Offset in the whole text. */
  readonly start: number;
  readonly text: string;
}

/** Templates, in order, in which what looks like a marker is none. */
type Hidden = readonly Span[];

/**
 * Cuts before each line that begins a document and behind each that ends one. Both stand at the
 * first column, where no content of a document may stand that looks like them.
 */
export function* chunksOf(text: string, hidden: Hidden = []): Generator<Chunk, void, undefined> {
  const begins = new MarkerFinder(text, '---', hidden);
  const ends = new MarkerFinder(text, '...', hidden);
  for (let from = 0; from < text.length;) {
    const begin = begins.next(from + 1);
    const end = ends.next(from);
    const cut = end < begin ? behindLine(text, end) : begin;
    yield { start: from, text: text.slice(from, cut) };
    from = cut;
  }
}

/**
 * The chunk that an offset lies in, at a border the one that begins there; no other is looked at.
 * Undefined where it begins further away than `reach`.
 */
export function chunkAt(
  text: string,
  offset: number,
  reach = Infinity,
  hidden: Hidden = [],
): Chunk | undefined {
  if (text === '') return undefined;
  const at = Math.min(Math.max(offset, 0), text.length - 1);
  const start = startBefore(text, at, at - reach, hidden);
  if (start === undefined) return undefined;
  const begin = new MarkerFinder(text, '---', hidden).next(at + 1);
  const end = behindLine(text, new MarkerFinder(text, '...', hidden).next(lineStart(text, at)));
  return { start, text: text.slice(start, Math.min(begin, end)) };
}

/** The last cut at or before an offset; undefined where that is before `least`. */
function startBefore(
  text: string,
  offset: number,
  least: number,
  hidden: Hidden,
): number | undefined {
  const isCut = (line: number, marker: Marker): boolean =>
    isMarker(text, line, marker) && !isHidden(line, hidden);
  for (let line = lineStart(text, offset); line > 0;) {
    if (line < least) return undefined;
    if (isCut(line, '---')) return line;
    const before = lineStart(text, line - 1);
    if (isCut(before, '...')) return line;
    line = before;
  }
  return least > 0 ? undefined : 0;
}

type Marker = '---' | '...';

/** Goes forward only, so that a marker that is far away is looked for once. */
class MarkerFinder {
  private at = -1;

  constructor(
    private readonly text: string,
    private readonly marker: Marker,
    private readonly hidden: Hidden,
  ) {}

  /** Where the first one at or behind an offset begins; the length of the text where none does. */
  next(offset: number): number {
    if (this.at < offset) this.at = this.search(offset);
    return this.at;
  }

  private search(offset: number): number {
    const { text, marker } = this;
    if (offset === 0 && isMarker(text, 0, marker)) return 0;
    for (let from = Math.max(0, offset - 1); ;) {
      const found = text.indexOf(`\n${marker}`, from);
      if (found < 0) return text.length;
      if (isMarker(text, found + 1, marker) && !isHidden(found + 1, this.hidden)) return found + 1;
      from = found + 1;
    }
  }
}

/** Whether the line that begins there is a marker. */
function isMarker(text: string, line: number, marker: Marker): boolean {
  if (!text.startsWith(marker, line)) return false;
  const behind = text.charAt(line + marker.length);
  return behind === '' || ' \t\r\n'.includes(behind);
}

function isHidden(line: number, hidden: Hidden): boolean {
  return touchesAny({ start: line, end: line + 1 }, hidden);
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Behind the line's end. */
function behindLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
