/**
 * The objects of a list's range, from memory, as fresh or as old as the list asks (rules C2, C4).
 * Upstream: `WaitUntilFreshAndGetList` in `pkg/storage/cacher/watch_cache.go`, in its order.
 */
import { decodeContinue, TokenError, type DecodedToken } from '../store/continueToken';
import { badRequest, plainError, tooOldResourceVersion } from '../store/errorTexts';
import type { StoreError } from '../store/errors';
import type { ListOptions, Predicate } from '../store/interfaces';
import { parseResourceVersion } from '../store/resourceVersion';
import type { CachedItem } from './cachedItem';
import type { CacheView } from './contents';
import { isLegacyExact } from './delegation';
import type { IndexedItems } from './fieldIndex';
import { orderEnd, orderOf } from './keyOrder';

/** What a list reads. */
export interface RangeSource<T> {
  readonly revision: bigint;
  readonly latest: CacheView<T>;
  at(revision: bigint): CacheView<T> | undefined;
  /** Resolves when the cache has seen this revision. */
  waitUntilFresh(revision: bigint): Promise<void>;
  /** etcd's own revision. */
  currentRevision(): Promise<bigint>;
  /** The error of a cache that cannot be read. */
  refusal(): StoreError | undefined;
  /** Objects of the latest range as an index gives them for this predicate, where one can. */
  indexed(items: readonly CachedItem<T>[], predicate: Predicate): Promise<IndexedItems<T>>;
}

export interface CachedRange<T> extends IndexedItems<T> {
  readonly revision: bigint;
}

/** `key` is the prepared one. Rejects with the `StoreError` of a cache that cannot serve it. */
export async function readRange<T>(
  source: RangeSource<T>,
  options: ListOptions,
  key: Uint8Array,
): Promise<CachedRange<T>> {
  const version = parsed(options.resourceVersion);
  if (!options.recursive) return readOne(source, options, key, version);
  switch (options.resourceVersionMatch) {
    case 'Exact':
      return readExact(source, key, undefined, version);
    case '':
      return readUnmatched(source, options, key, version);
    default:
      return readWhole(source, options, key, version);
  }
}

async function readUnmatched<T>(
  source: RangeSource<T>,
  options: ListOptions,
  key: Uint8Array,
  version: bigint,
): Promise<CachedRange<T>> {
  const { continueToken } = options.predicate;
  if (continueToken !== '') {
    const token = decoded(continueToken, key);
    const { resourceVersion, key: start } = token;
    if (resourceVersion > 0n) return readExact(source, key, start, resourceVersion);
    return readLatest(source, key, start, await source.currentRevision());
  }
  if (isLegacyExact(options)) return readExact(source, key, undefined, version);
  const least = options.resourceVersion === '' ? await source.currentRevision() : version;
  return readWhole(source, options, key, least);
}

async function readExact<T>(
  source: RangeSource<T>,
  key: Uint8Array,
  start: Uint8Array | undefined,
  revision: bigint,
): Promise<CachedRange<T>> {
  await fresh(source, revision);
  const view = source.at(revision);
  if (view === undefined) throw tooOldResourceVersion(revision);
  return { items: itemsOf(view, key, start), index: '', revision };
}

async function readLatest<T>(
  source: RangeSource<T>,
  key: Uint8Array,
  start: Uint8Array | undefined,
  least: bigint,
): Promise<CachedRange<T>> {
  await fresh(source, least);
  return { items: itemsOf(source.latest, key, start), index: '', revision: source.revision };
}

/** From the start of the range: only there indexes are used. */
async function readWhole<T>(
  source: RangeSource<T>,
  { predicate }: ListOptions,
  key: Uint8Array,
  least: bigint,
): Promise<CachedRange<T>> {
  const range = await readLatest(source, key, undefined, least);
  return { ...(await source.indexed(range.items, predicate)), revision: range.revision };
}

/** A single key; the cache knows no earlier states of one. */
async function readOne<T>(
  source: RangeSource<T>,
  { resourceVersion, resourceVersionMatch }: ListOptions,
  key: Uint8Array,
  version: bigint,
): Promise<CachedRange<T>> {
  const isConsistent = resourceVersion === '' && resourceVersionMatch === '';
  await fresh(source, isConsistent ? await source.currentRevision() : version);
  const item = source.latest.get(orderOf(key));
  return { items: item === undefined ? [] : [item], index: '', revision: source.revision };
}

/** While it waited the cache may have been dropped. */
async function fresh<T>(source: RangeSource<T>, revision: bigint): Promise<void> {
  await source.waitUntilFresh(revision);
  const refusal = source.refusal();
  if (refusal !== undefined) throw refusal;
}

function itemsOf<T>(
  view: CacheView<T>,
  key: Uint8Array,
  start: Uint8Array | undefined,
): CachedItem<T>[] {
  return view.range(orderOf(start ?? key), orderEnd(key));
}

function parsed(text: string): bigint {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw plainError((error as Error).message, error);
  }
}

function decoded(token: string, key: Uint8Array): DecodedToken {
  try {
    return decodeContinue(token, key);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw badRequest(`invalid continue token: ${error.message}`, error);
  }
}
