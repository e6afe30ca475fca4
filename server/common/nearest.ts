/** Nearest names, for "did you mean". */

/** Single-character edits between two texts, a swap of neighbours counted as one. */
export function editDistance(a: string, b: string): number {
  const at = (row: readonly number[], i: number): number => row[i] ?? Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(beforeLast, j - 2) + 1 : Infinity;
      row.push(Math.min(at(last, j - 1) + changed, at(last, j) + 1, at(row, j - 1) + 1, swap));
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

/** The names within a third of the word's length (at least two edits), nearest first. */
export function nearest(word: string, names: Iterable<string>, most = 3): string[] {
  const reach = Math.max(2, Math.floor(word.length / 3));
  return (
    [...new Set(names)]
      // What differs by more in length alone is no match, and a long word is costly to compare.
      .filter((name) => Math.abs(name.length - word.length) <= reach)
      .map((name) => ({ name, distance: editDistance(word, name) }))
      .filter(({ name, distance }) => distance <= reach && distance < name.length)
      .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
      .slice(0, most)
      .map(({ name }) => name)
  );
}
