/** Decoding and selecting the keys of one chunk. Upstream: `appendChunk`, `processListItem`. */
import { copyBytes, utf8Lossy } from '../common/bytes';
import type { Clock } from '../common/clock';
import { Turns } from '../common/turns';
import type { KeyValue } from '../etcd/interfaces';
import type { StoreMetrics } from '../metrics/storeMetrics';
import { StoreError } from './errors';
import { storageErrorText } from './errorTexts';
import type {
  GroupResource,
  ItemContext,
  ItemDecoder,
  ListItem,
  Predicate,
  Rejects,
} from './interfaces';
import type { FailedStep, ItemErrors } from './itemErrors';
import { isUnfiltered, matchesAttributes } from './predicate';
import { receivedItem, sizeOf } from './receivedItem';

/** A list while it fills: what it selected so far and what it counted. */
export interface ListProgress<T> {
  /** Selected and not yet handed out. */
  readonly pending: ListItem<T>[];
  returned: number;
  fetched: number;
  examined: number;
  evaluated: number;
  /** Of the chunks that ended well: upstream's metric counts no others. */
  evaluatedInWhole: number;
  lastKey: Uint8Array | undefined;
}

export interface AppendContext<T> {
  readonly decoder: ItemDecoder<T>;
  readonly predicate: Predicate;
  /** The decoder's own for this predicate. */
  readonly rejects: Rejects | undefined;
  readonly errors: ItemErrors;
  readonly groupResource: GroupResource;
  readonly metrics: StoreMetrics;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** Upstream: the StorageError of a request that ended before an object was decoded. */
function abortedAt(key: Uint8Array, signal: AbortSignal): StoreError {
  const inner = 'request did not complete within requested timeout';
  const reason: unknown = signal.reason;
  const timedOut = reason instanceof Error && reason.name === 'TimeoutError';
  return new StoreError({
    code: timedOut ? 'timeout' : 'cancelled',
    message: storageErrorText(6, utf8Lossy(key), 0n, inner),
    key,
    cause: reason,
  });
}

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** Notes an unreadable object; throws the list's error when the policy says that it ends here. */
function unreadable<T>(
  context: AppendContext<T>,
  item: ItemContext,
  step: FailedStep,
  error: Error,
): void {
  if (step === 'decode') context.metrics.recordDecodeError(context.groupResource);
  if (!context.errors.add({ key: item.key, modRevision: item.modRevision, step, error })) return;
  throw context.errors.result() ?? error;
}

/** What stands in the place of an object that cannot be read. */
const nothing = Symbol('unreadable');

/** The decoded object, or `nothing` when it cannot be read and the list goes on. */
function readItem<T>(context: AppendContext<T>, kv: KeyValue): T | typeof nothing {
  const { decoder, signal } = context;
  let plain: Uint8Array;
  try {
    plain = decoder.transform(kv.value, kv);
  } catch (thrown) {
    unreadable(context, kv, 'transform', asError(thrown));
    return nothing;
  }
  if (signal?.aborted === true) throw abortedAt(kv.key, signal);
  try {
    return decoder.decode(plain, kv);
  } catch (thrown) {
    unreadable(context, kv, 'decode', asError(thrown));
    return nothing;
  }
}

/** Failing to read attributes means "not selected", as upstream. */
function isSelected<T>({ predicate, decoder }: AppendContext<T>, object: T): boolean {
  try {
    return matchesAttributes(predicate, decoder.attributes(object));
  } catch {
    return false;
  }
}

/**
 * A selected object. Under a selector few of a reply's objects are kept, so each gets memory of its
 * own and the reply can be freed.
 */
function selectedItem<T>(
  { decoder }: AppendContext<T>,
  kv: KeyValue,
  object: T,
  unfiltered: boolean,
): ListItem<T> {
  const { key, modRevision } = kv;
  const size = sizeOf(kv);
  if (unfiltered) return { object, key, modRevision, size };
  return { object: decoder.detach?.(object) ?? object, key: copyBytes(key), modRevision, size };
}

/** Whether the object is surely readable and not selected, told without making it. */
function isRejected<T>({ rejects, signal }: AppendContext<T>, kv: KeyValue): boolean {
  if (rejects === undefined || signal?.aborted === true) return false;
  const { within, valueStart, valueEnd } = kv;
  if (within === undefined || valueStart === undefined || valueEnd === undefined) {
    return rejects(kv.value, 0, kv.value.length);
  }
  return rejects(within, valueStart, valueEnd);
}

/** Decodes one key and appends its object when it is selected. */
function appendItem<T>(
  context: AppendContext<T>,
  kv: KeyValue,
  progress: ListProgress<T>,
  unfiltered: boolean,
): void {
  const lazy = unfiltered ? receivedItem(context, kv) : undefined;
  if (lazy !== undefined) {
    progress.evaluated++;
    progress.pending.push(lazy);
    progress.returned++;
    return;
  }
  const object = readItem(context, kv);
  if (object === nothing) return;
  progress.evaluated++;
  if (!unfiltered && !isSelected(context, object)) return;
  progress.pending.push(selectedItem(context, kv, object, unfiltered));
  progress.returned++;
}

/** The clock is asked after this many bytes of values: asking takes longer than reading a small one. */
const bytesBetweenLooks = 64 * 1024;
/** What a value counts at least. */
const leastBytes = 1024;

async function appendItems<T>(
  context: AppendContext<T>,
  kvs: (KeyValue | undefined)[],
  progress: ListProgress<T>,
  last: { examined: KeyValue | undefined },
): Promise<boolean> {
  const { predicate, clock } = context;
  const unfiltered = isUnfiltered(predicate);
  // The limit of a list that etcd could never fill is none.
  const most = predicate.limit > 0n ? Number(predicate.limit) : Number.POSITIVE_INFINITY;
  const turns = new Turns(clock);
  let unseen = 0;
  for (let i = 0; i < kvs.length; i++) {
    if (progress.returned >= most) return true;
    if (unseen >= bytesBetweenLooks) {
      unseen = 0;
      if (turns.due()) await turns.give();
    }
    const kv = kvs[i];
    if (kv === undefined) continue;
    unseen += Math.max(leastBytes, sizeOf(kv));
    last.examined = kv;
    progress.examined++;
    if (isRejected(context, kv)) progress.evaluated++;
    else appendItem(context, kv, progress, unfiltered);
    kvs[i] = undefined;
  }
  return false;
}

/**
 * Appends the selected objects of a chunk to `progress` and empties the chunk. The limit is checked
 * before each key, and the last key moves over every key examined, selected or not (rule P6).
 * Resolves to whether the limit was reached inside the chunk. Gives way to other work every few
 * milliseconds.
 */
export async function appendChunk<T>(
  context: AppendContext<T>,
  kvs: (KeyValue | undefined)[],
  progress: ListProgress<T>,
): Promise<boolean> {
  const last: { examined: KeyValue | undefined } = { examined: undefined };
  try {
    const limitReached = await appendItems(context, kvs, progress, last);
    progress.evaluatedInWhole = progress.evaluated;
    return limitReached;
  } finally {
    // The last key must not hold the whole reply in memory.
    if (last.examined !== undefined) progress.lastKey = copyBytes(last.examined.key);
    kvs.length = 0;
  }
}
