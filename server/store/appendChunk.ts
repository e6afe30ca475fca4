/** Decoding and selecting the keys of one chunk. Upstream: `appendChunk`, `processListItem`. */
import { copyBytes, utf8Lossy } from '../common/bytes';
import type { Clock } from '../common/clock';
import { Turns } from '../common/turns';
import type { KeyValue } from '../etcd/interfaces';
import type { StoreMetrics } from '../metrics/storeMetrics';
import { StoreError } from './errors';
import { storageErrorText } from './errorTexts';
import type { GroupResource, ItemContext, ItemDecoder, ListItem, Predicate } from './interfaces';
import type { FailedStep, ItemErrors } from './itemErrors';
import { isUnfiltered, matches } from './predicate';

/** A list while it fills: what it selected so far and what it counted. */
export interface ListProgress<T> {
  /** Selected and not yet handed out. */
  readonly pending: ListItem<T>[];
  returned: number;
  fetched: number;
  examined: number;
  evaluated: number;
  lastKey: Uint8Array | undefined;
}

export interface AppendContext<T> {
  readonly decoder: ItemDecoder<T>;
  readonly predicate: Predicate;
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

type Attempt<T> = { readonly value: T } | { readonly error: Error };

function attempt<T>(step: () => T): Attempt<T> {
  try {
    return { value: step() };
  } catch (thrown) {
    return { error: asError(thrown) };
  }
}

/** Notes an unreadable object; throws the list's error when the policy says that it ends here. */
function unreadable<T>(
  context: AppendContext<T>,
  item: ItemContext,
  step: FailedStep,
  error: Error,
): void {
  if (step === 'decode') context.metrics.recordDecodeError(context.groupResource);
  if (!context.errors.add({ ...item, step, error })) return;
  throw context.errors.result() ?? error;
}

/** The decoded object, or undefined when it cannot be read and the list goes on. */
function readItem<T>(context: AppendContext<T>, kv: KeyValue): { readonly object: T } | undefined {
  const { decoder, signal } = context;
  const item = { key: kv.key, modRevision: kv.modRevision };
  const plain = attempt(() => decoder.transform(kv.value, item));
  if ('error' in plain) {
    unreadable(context, item, 'transform', plain.error);
    return undefined;
  }
  if (signal?.aborted === true) throw abortedAt(kv.key, signal);
  const decoded = attempt(() => decoder.decode(plain.value, item));
  if ('value' in decoded) return { object: decoded.value };
  unreadable(context, item, 'decode', decoded.error);
  return undefined;
}

/** Failing to read attributes means "not selected", as upstream. */
function isSelected<T>({ predicate, decoder }: AppendContext<T>, object: T): boolean {
  const answer = attempt(() => matches(predicate, () => decoder.attributes(object)));
  return 'value' in answer && answer.value;
}

/**
 * A selected object. Under a selector few of a reply's objects are kept, so each gets memory of its
 * own and the reply can be freed.
 */
function selectedItem<T>(context: AppendContext<T>, kv: KeyValue, object: T): ListItem<T> {
  const { decoder, predicate } = context;
  const base = { modRevision: kv.modRevision, size: kv.value.length };
  if (isUnfiltered(predicate)) return { object, key: kv.key, ...base };
  return { object: decoder.detach?.(object) ?? object, key: copyBytes(kv.key), ...base };
}

/** Decodes one key and appends its object when it is selected. */
function appendItem<T>(context: AppendContext<T>, kv: KeyValue, progress: ListProgress<T>): void {
  progress.lastKey = kv.key;
  progress.examined++;
  const read = readItem(context, kv);
  if (read === undefined) return;
  progress.evaluated++;
  if (!isSelected(context, read.object)) return;
  progress.pending.push(selectedItem(context, kv, read.object));
  progress.returned++;
}

async function appendItems<T>(
  context: AppendContext<T>,
  kvs: (KeyValue | undefined)[],
  progress: ListProgress<T>,
): Promise<boolean> {
  const { predicate, clock } = context;
  const paging = predicate.limit > 0n;
  const turns = new Turns(clock);
  for (const [i, kv] of kvs.entries()) {
    if (paging && BigInt(progress.returned) >= predicate.limit) return true;
    if (turns.due()) await turns.give();
    if (kv === undefined) continue;
    appendItem(context, kv, progress);
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
  try {
    return await appendItems(context, kvs, progress);
  } finally {
    // The last key must not hold the whole reply in memory.
    if (progress.lastKey !== undefined) progress.lastKey = copyBytes(progress.lastKey);
    kvs.length = 0;
  }
}
