/** Where aliases lead. */
import { isAlias, isMap, isPair, isScalar, isSeq, type Alias } from 'yaml';

interface Anchored {
  readonly offset: number;
  readonly node: unknown;
}

export class Anchors {
  private byName: ReadonlyMap<string, readonly Anchored[]> | undefined;

  constructor(private readonly content: unknown) {}

  /**
   * What an alias stands for: the last anchor of that name before it. One step; the caller has to
   * bound how often it follows, since a value may hold an alias of itself.
   */
  follow(alias: Alias): unknown {
    this.byName ??= anchorsIn(this.content);
    const offset = alias.range?.[0] ?? 0;
    return lastBefore(this.byName.get(alias.source) ?? [], offset)?.node;
  }
}

function lastBefore(known: readonly Anchored[], offset: number): Anchored | undefined {
  let low = 0;
  let high = known.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle]?.offset ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return known[low - 1];
}

/** In the order in which they stand. */
function anchorsIn(content: unknown): Map<string, Anchored[]> {
  const found = new Map<string, Anchored[]>();
  const ahead: unknown[] = [content];
  while (ahead.length > 0) {
    const node = ahead.pop();
    note(node, found);
    // Turned round, since the last one put there is the next one taken.
    if (isPair(node)) ahead.push(node.value, node.key);
    else if (isMap(node) || isSeq(node)) {
      for (let i = node.items.length - 1; i >= 0; i--) ahead.push(node.items[i]);
    }
  }
  return found;
}

function note(node: unknown, found: Map<string, Anchored[]>): void {
  if (isAlias(node) || !(isMap(node) || isSeq(node) || isScalar(node))) return;
  const { anchor, range } = node;
  if (anchor === undefined || anchor === '') return;
  const same = found.get(anchor);
  const anchored = { offset: range?.[0] ?? 0, node };
  if (same === undefined) found.set(anchor, [anchored]);
  else same.push(anchored);
}
