/**
 * From the objects of a range to those a list selects (rules C2, C6): the limit counts selected
 * objects, and more is true when anything is left in the range, selected or not. Upstream: `GetList`
 * in `pkg/storage/cacher/cacher.go`.
 */
import type { ItemDecoder, ListItem, Predicate } from '../store/interfaces';
import { isUnfiltered, matchesAttributes } from '../store/predicate';
import type { CachedItem } from './cachedItem';
import { Pass, type PassAsk } from './pass';
import { stoppedRead } from './stoppedRead';

export interface SelectionAsk<T> extends PassAsk {
  readonly decoder: ItemDecoder<T>;
  readonly predicate: Predicate;
  /** 0 is none. */
  readonly limit: bigint;
  readonly onItems: ((items: readonly ListItem<T>[]) => void | Promise<void>) | undefined;
}

export interface Selection<T> {
  /** Empty when `onItems` took them. */
  readonly items: ListItem<T>[];
  returned: number;
  /** Objects that were looked at. */
  examined: number;
  hasMore: boolean;
  /** Key of the last object selected. */
  lastKey: Uint8Array | undefined;
}

export const emptySelection = <T>(): Selection<T> => ({
  items: [],
  returned: 0,
  examined: 0,
  hasMore: false,
  lastKey: undefined,
});

/** Objects handed out at once, as many as a page of etcd's may have. */
const mostAtOnce = 10_000;

/** Fills `selection`, which tells how far it came also when it is stopped. Gives way to other work. */
export async function select<T>(
  ask: SelectionAsk<T>,
  items: readonly CachedItem<T>[],
  selection: Selection<T>,
): Promise<void> {
  const selects = selectorOf(ask);
  const most = ask.limit > 0n ? Number(ask.limit) : Number.POSITIVE_INFINITY;
  const pass = new Pass(ask);
  const batch: CachedItem<T>[] = [];
  for (const item of items) {
    if (selection.returned >= most) break;
    selection.examined++;
    if (selects(item)) {
      batch.push(item);
      selection.returned++;
    }
    if (batch.length === mostAtOnce) await handOut(ask, batch, selection);
    if (pass.due()) await pass.rest();
  }
  selection.hasMore = selection.examined < items.length;
  await handOut(ask, batch, selection);
}

/** What reading the attributes throws means "not selected", as for lists from etcd. */
function selectorOf<T>({ decoder, predicate }: SelectionAsk<T>): (item: CachedItem<T>) => boolean {
  if (isUnfiltered(predicate)) return () => true;
  return ({ object }) => {
    try {
      return matchesAttributes(predicate, decoder.attributes(object));
    } catch {
      return false;
    }
  };
}

async function handOut<T>(
  { signal, onItems }: SelectionAsk<T>,
  batch: CachedItem<T>[],
  selection: Selection<T>,
): Promise<void> {
  if (signal?.aborted === true) throw stoppedRead(signal);
  const taken = batch.splice(0);
  const last = taken.at(-1);
  if (last === undefined) return;
  selection.lastKey = last.key;
  if (onItems === undefined) for (const item of taken) selection.items.push(item);
  else await onItems(taken);
}
