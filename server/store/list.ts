/**
 * The LIST: options in, items and receipt out, in the order data moves: accept the options, choose
 * pages or stream, append chunk after chunk, finalize.
 *
 * Upstream: `store.GetList` in `pkg/storage/etcd3/store.go`.
 */
import { appendChunk } from './appendChunk';
import { chooseChunks, type ChosenChunks } from './chooseChunks';
import type { ListChunk } from './chunks';
import { emptyPage, inconsistentReply } from './errorTexts';
import { failList, finalizeList, refuseList } from './finalize';
import { guardUnlimitedRead } from './guard';
import type { ListHooks, ListOptions, ListResult, ListStore } from './interfaces';
import { checkResourcePrefix } from './keys';
import { acceptList, type ListRun, type StoreConfig } from './listRun';
import { nextSizeOf } from './pageSizing';
import { ReceiptBuilder } from './receipt';
import { checkMinimumVersion } from './resourceVersion';

export type { StoreConfig } from './listRun';

/** Throws `StoreError` `invalidKey` when the resource prefix cannot be used. */
export function createStore<T>(config: StoreConfig<T>): ListStore<T> {
  checkResourcePrefix(config.resourcePrefix);
  return {
    getList: (options, hooks = {}) => getList(config, options, hooks),
  };
}

async function getList<T>(
  config: StoreConfig<T>,
  options: ListOptions,
  hooks: ListHooks<T>,
): Promise<ListResult<T>> {
  const receipt = new ReceiptBuilder(config.clock, hooks.onRequest);
  const run = accept(config, options, hooks, receipt);
  try {
    const chosen = await choose(config, run);
    run.streamed = chosen.streamed;
    await consume(run, chosen.chunks);
    return finalizeList(run);
  } catch (error) {
    throw failList(run, error);
  } finally {
    recordMetrics(config, run);
  }
}

function accept<T>(
  config: StoreConfig<T>,
  options: ListOptions,
  hooks: ListHooks<T>,
  receipt: ReceiptBuilder,
): ListRun<T> {
  try {
    return acceptList(config, options, hooks, receipt);
  } catch (error) {
    throw refuseList(receipt, options.predicate.limit, error);
  }
}

function choose<T>(config: StoreConfig<T>, run: ListRun<T>): Promise<ChosenChunks> {
  const { options, hooks, read, position, continueKey, progress } = run;
  const { limit } = options.predicate;
  const range = { revision: position.revision, limit, continueKey };
  return chooseChunks({
    read,
    range,
    options,
    mode: hooks.stream ?? 'auto',
    openStream: hooks.openStream ?? false,
    nextSize: nextSizeOf(hooks.pageSizing ?? 'doubling', limit, progress),
    gate: config.gates.etcdRangeStream,
    support: config.streamSupport,
    log: config.log,
    onFallback: hooks.onFallback,
    beforeUnlimitedRead: config.guardUnlimitedReads
      ? () => guardUnlimitedRead(read, range, hooks.measured)
      : undefined,
  });
}

async function consume<T>(run: ListRun<T>, chunks: AsyncIterable<ListChunk>): Promise<void> {
  const { predicate } = run.options;
  for await (const chunk of chunks) {
    takeChunk(run, chunk);
    const limitReached = await appendAndCount(run, chunk);
    await handOut(run);
    run.position.hasMore = chunk.hasMore || limitReached;
    if (limitReached || !chunk.hasMore) return;
    if (predicate.limit > 0n && BigInt(run.progress.returned) >= predicate.limit) return;
  }
}

/** Counts a chunk and holds it against the list's revision (rules O4, P3, P9). */
function takeChunk<T>(run: ListRun<T>, chunk: ListChunk): void {
  const { position } = run;
  run.progress.fetched += chunk.kvs.length;
  if (chunk.revision !== undefined) {
    if (position.revision === 0n) {
      checkMinimumVersion(run.options.resourceVersion, chunk.revision);
      position.revision = chunk.revision;
    } else if (chunk.revision !== position.revision) {
      const [got, wanted] = [String(chunk.revision), String(position.revision)];
      throw inconsistentReply(
        `etcd returned revision ${got} for a list read at revision ${wanted}`,
      );
    }
  }
  if (chunk.kvs.length === 0 && chunk.hasMore) {
    throw emptyPage();
  }
  position.count = chunk.count;
  position.answered = true;
}

async function appendAndCount<T>(run: ListRun<T>, chunk: ListChunk): Promise<boolean> {
  const before = run.progress.returned;
  try {
    return await appendChunk(run.append, chunk.kvs, run.progress);
  } finally {
    chunk.request.matched(run.progress.returned - before);
  }
}

async function handOut<T>(run: ListRun<T>): Promise<void> {
  const batch = run.progress.pending.splice(0);
  if (batch.length === 0) return;
  if (run.hooks.onItems === undefined) {
    for (const item of batch) run.items.push(item);
  } else {
    await run.hooks.onItems(batch);
  }
}

function recordMetrics<T>(config: StoreConfig<T>, run: ListRun<T>): void {
  const { metrics, groupResource, clock } = config;
  const { fetched, evaluatedInWhole, returned } = run.progress;
  const counts = { fetched, evaluated: evaluatedInWhole, returned };
  metrics.recordList(groupResource, 'etcd', '', counts);
  const seconds = (clock.monotonic() - run.startedAt) / 1000;
  metrics.recordListDuration(groupResource, run.streamed, seconds);
}
