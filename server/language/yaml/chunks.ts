/** A stream of YAML cut into its documents, without parsing them. */

export interface Chunk {
  /** Offset in the whole text. */
  readonly start: number;
  readonly text: string;
}

const MARKER = /(?:^|\n)(---|\.\.\.)(?=[ \t\r\n]|$)/g;

/**
 * Cuts before each line that begins a document and behind each that ends one. Both stand at the
 * first column, where no content of a document may stand that looks like them.
 */
export function chunksOf(text: string): Chunk[] {
  const cuts: number[] = [];
  for (const match of text.matchAll(MARKER)) {
    const [whole, marker = ''] = match;
    const start = match.index + whole.length - marker.length;
    cuts.push(marker === '---' ? start : lineEnd(text, start));
  }
  return between(text, cuts);
}

function between(text: string, cuts: readonly number[]): Chunk[] {
  const chunks: Chunk[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    if (cut > from) chunks.push({ start: from, text: text.slice(from, cut) });
    from = cut;
  }
  return chunks;
}

/** Behind the line's end. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** The chunk that an offset lies in; at a border the one that begins there. */
export function chunkAt(chunks: readonly Chunk[], offset: number): Chunk | undefined {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((chunks[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return chunks[low];
}
