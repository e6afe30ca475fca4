/**
 * The store of lists over the cache and the store below it: options are accepted, then it is decided
 * who serves the list, and what becomes of it when the cache cannot (rules C3 to C5). Upstream:
 * `CacheDelegator.GetList` in `pkg/storage/cacher/delegator.go`, in its order.
 */
import { StoreError } from '../store/errors';
import { plainError } from '../store/errorTexts';
import { refuseList } from '../store/finalize';
import {
  ListFailedError,
  type ListHooks,
  type ListOptions,
  type ListResult,
  type ListStore,
} from '../store/interfaces';
import { etcdKey } from '../store/keys';
import { validateListOptions } from '../store/listOptions';
import { ReceiptBuilder, recordedError } from '../store/receipt';
import { parseResourceVersion } from '../store/resourceVersion';
import {
  cachedResult,
  cachedTotals,
  listFromCache,
  noProgress,
  type CachedListParts,
  type CachedProgress,
} from './cachedList';
import { cacheHelper, shouldDelegateList, type CacheFacts, type Delegation } from './delegation';
import { joinedReceipt, numberedAfter } from './joinedReceipt';
import type { RangeSource } from './rangeRead';
import { passesUnready, serveList, type CacheGates } from './serving';

export interface CachedStoreConfig<T> {
  readonly parts: CachedListParts<T>;
  readonly below: ListStore<T>;
  readonly gates: CacheGates;
  /** Asked anew for each list. */
  readonly facts: () => Omit<CacheFacts, 'keyPrefix' | 'snapshotting'>;
  readonly isReady: () => boolean;
  /** What a list reads, with its own etcd requests in its own receipt. */
  readonly source: (receipt: ReceiptBuilder, signal: AbortSignal | undefined) => RangeSource<T>;
}

export function cachedStore<T>(config: CachedStoreConfig<T>): ListStore<T> {
  return { getList: (options, hooks = {}) => new CachedListRun(config, options, hooks).run() };
}

class CachedListRun<T> {
  private readonly receipt: ReceiptBuilder;
  private readonly startedAt: number;
  private progress: CachedProgress<T> = noProgress<T>();

  constructor(
    private readonly config: CachedStoreConfig<T>,
    private readonly options: ListOptions,
    private readonly hooks: ListHooks<T>,
  ) {
    const { clock } = config.parts;
    this.startedAt = clock.monotonic();
    this.receipt = new ReceiptBuilder(clock, hooks.onRequest);
  }

  async run(): Promise<ListResult<T>> {
    const delegation = this.accept();
    const { parts, gates, isReady } = this.config;
    try {
      return await serveList({
        delegation,
        mayPassUnready: passesUnready(this.options),
        gates,
        isReady,
        fromCache: () => this.fromCache(),
        fromEtcd: () => this.fromEtcd(),
        onConsistentRead: (outcome) => {
          parts.cacheMetrics.recordConsistentRead(parts.groupResource, outcome);
        },
      });
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** Throws `ListFailedError` for options that are refused; nothing was asked then. */
  private accept(): Delegation {
    const { options, config } = this;
    const { root, resourcePrefix } = config.parts;
    const keyPrefix = etcdKey(root, resourcePrefix);
    try {
      validateListOptions(keyPrefix, options);
      return bare(() => {
        const facts = { ...config.facts(), keyPrefix, snapshotting: this.snapshotting };
        const delegation = shouldDelegateList(options, cacheHelper(facts));
        if (!delegation.toEtcd) parseResourceVersion(options.resourceVersion);
        return delegation;
      });
    } catch (error) {
      throw refuseList(this.receipt, options.predicate.limit, error);
    }
  }

  private get snapshotting(): boolean {
    return this.config.gates.listFromCacheSnapshot;
  }

  private async fromCache(): Promise<ListResult<T>> {
    const { config, options, hooks, receipt, progress } = this;
    const source = config.source(receipt, hooks.signal);
    const prepared = await listFromCache(config.parts, source, options, hooks, progress);
    return cachedResult(progress, prepared, options.predicate.limit, receipt);
  }

  /** Also after the cache has failed, whose requests come first in the receipt then. */
  private async fromEtcd(): Promise<ListResult<T>> {
    const { config, options, hooks, receipt, startedAt } = this;
    const before = receipt.finish(cachedTotals(noProgress<T>(), 0n)).requests;
    const elapsed = (): number => config.parts.clock.monotonic() - startedAt;
    try {
      const result = await config.below.getList(options, numberedAfter(hooks, before.length));
      return { ...result, receipt: joinedReceipt(before, result.receipt, elapsed()) };
    } catch (error) {
      if (!(error instanceof ListFailedError)) throw error;
      const joined = joinedReceipt(before, error.receipt, elapsed());
      throw new ListFailedError(error.cause, joined, error.items);
    }
  }

  /** What the list rejects with. What is no `StoreError` is a fault of ours and stays as it is. */
  private failed(error: unknown): unknown {
    if (!(error instanceof StoreError)) return error;
    const { limit } = this.options.predicate;
    const totals = { ...cachedTotals(this.progress, limit), error: recordedError(error) };
    return new ListFailedError(error, this.receipt.finish(totals), this.progress.selection.items);
  }
}

/** Upstream passes these errors on as they are, without a status. */
function bare<R>(decide: () => R): R {
  try {
    return decide();
  } catch (error) {
    throw error instanceof StoreError ? error : plainError((error as Error).message, error);
  }
}
