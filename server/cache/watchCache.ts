/** One watch cache: admitted, filled, kept, listed from, stopped. */
import type { ListHooks, ListOptions, ListResult, ListStore } from '../store/interfaces';
import { checkResourcePrefix, etcdKey, prepareKey, storePathPrefix } from '../store/keys';
import { ReceiptBuilder } from '../store/receipt';
import { createFeedSource } from '../store/watch';
import { admit } from './admission';
import { cachedReads } from './cachedReads';
import { followCompaction } from './compaction';
import { Contents } from './contents';
import { Freshness } from './freshness';
import type {
  CacheState,
  CacheStatus,
  StartOptions,
  WatchCache,
  WatchCacheConfig,
} from './interfaces';
import { Keeper } from './keeper';
import { pause } from './pause';
import { ProgressRequester } from './progressRequester';
import { Readiness } from './readiness';
import { stoppedRead } from './stoppedRead';

/** Throws `StoreError` `invalidKey` when the resource prefix cannot be used. Nothing is read yet. */
export function createWatchCache<T>(config: WatchCacheConfig<T>): WatchCache<T> {
  checkResourcePrefix(config.store.resourcePrefix);
  return new OneWatchCache(config);
}

/** A member that does not answer must not keep the cache from being used. */
const versionsMs = 1_000;

class OneWatchCache<T> implements WatchCache<T> {
  private readonly stopping = new AbortController();
  private readonly readiness: Readiness;
  private readonly contents: Contents<T>;
  private readonly freshness: Freshness;
  private readonly keeper: Keeper<T>;
  private readonly lists: ListStore<T>;
  private readonly filled = deferred<undefined>();
  private readonly end = deferred<Error | undefined>();
  private started = false;
  private filledAt: number | undefined;
  private interrupted: Error | undefined;
  private keeping: Promise<void> = Promise.resolve();
  private onFilling: () => void = () => undefined;

  constructor(private readonly config: WatchCacheConfig<T>) {
    const { store, progress, gates } = config;
    const feeds = config.feeds ?? createFeedSource({ ...store, progressSupport: progress });
    const { clock, log, decoder } = store;
    const readiness = new Readiness(clock);
    const freshness = this.makeFreshness();
    const contents = new Contents<T>({
      snapshotting: gates.listFromCacheSnapshot,
      onRevision: (revision) => {
        freshness.reach(revision);
      },
      // Asked anew: several caches may share one limit.
      get limitBytes() {
        return config.limitBytes;
      },
      clock,
    });
    this.keeper = new Keeper({
      ...{ feeds, decoder, contents, readiness, clock, log },
      interruptions: {
        onInterrupted: ({ error }) => {
          this.interrupted = error;
        },
        onResumed: () => {
          this.interrupted = undefined;
        },
      },
      onFilled: () => {
        this.filledAt = clock.now();
        this.interrupted = undefined;
        this.filled.resolve(undefined);
      },
      onFilling: () => {
        this.onFilling();
      },
    });
    [this.readiness, this.contents, this.freshness] = [readiness, contents, freshness];
    this.lists = cachedReads(config, { contents, freshness, readiness });
  }

  get ended(): Promise<Error | undefined> {
    return this.end.promise;
  }

  getList(options: ListOptions, hooks?: ListHooks<T>): Promise<ListResult<T>> {
    return this.lists.getList(options, hooks);
  }

  async start(options: StartOptions = {}): Promise<void> {
    if (this.started) throw new Error('a watch cache can be started once');
    this.started = true;
    const { signal, onProgress } = options;
    const stop = (): void => {
      this.stopping.abort(signal?.reason);
    };
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    this.onFilling = () => {
      onProgress?.(this.status());
    };
    try {
      await this.begin(options);
    } catch (error) {
      this.finish(error as Error);
      throw error;
    } finally {
      this.onFilling = () => undefined;
      signal?.removeEventListener('abort', stop);
    }
  }

  status(): CacheStatus {
    const { contents, config } = this;
    const { snapshots, oldestSnapshot, events, windowCapacity } = contents.states;
    return {
      state: this.state,
      objects: contents.objects,
      bytes: contents.bytes,
      limitBytes: config.limitBytes,
      revision: contents.revision,
      filledAt: this.filledAt,
      snapshots,
      oldestSnapshot,
      windowEvents: events,
      windowCapacity,
      supportsProgress: config.progress.supports('RequestWatchProgress'),
      interrupted: this.interrupted,
      failure: this.readiness.why,
    };
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.keeping;
    this.finish(undefined);
  }

  private get state(): CacheState {
    const { state } = this.readiness;
    if (state !== 'pending') return state;
    if (!this.started) return 'off';
    return this.filledAt === undefined ? 'filling' : 'refilling';
  }

  /** Resolves when the cache can be read, and what this etcd can do is known or takes too long. */
  private async begin({ onEstimate }: StartOptions): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) throw stoppedRead(signal);
    const estimate = await this.admitted();
    onEstimate?.(estimate);
    const { etcd } = this.config.store;
    const versions = this.config.progress.checkAll(etcd, signal);
    this.keeping = this.keep();
    const ended = this.end.promise.then((failure) => {
      throw failure ?? stoppedRead(signal);
    });
    await Promise.race([this.filled.promise, ended]);
    await Promise.race([versions, pause(versionsMs, signal), ended]);
  }

  private admitted() {
    const { store, limitBytes } = this.config;
    const { etcd, metrics, groupResource, clock, resourcePrefix } = store;
    const prefix = prepareKey(resourcePrefix, resourcePrefix, true);
    const receipt = new ReceiptBuilder(clock);
    const { signal } = this.stopping;
    const context = { etcd, metrics, groupResource, clock, receipt, signal };
    return admit(context, etcdKey(storePathPrefix(store.root), prefix), limitBytes);
  }

  /** Ends with the cache. Never rejects. */
  private async keep(): Promise<void> {
    const { signal } = this.stopping;
    const { store, gates } = this.config;
    const compacted = (revision: bigint): void => {
      this.contents.compact(revision);
    };
    if (gates.listFromCacheSnapshot) void followCompaction(store.etcd, compacted, signal);
    try {
      await this.keeper.run(signal);
      this.finish(undefined);
    } catch (error) {
      this.finish(error as Error);
    }
  }

  private finish(failure: Error | undefined): void {
    if (this.readiness.state === 'stopped') return;
    this.readiness.stopped(failure);
    this.contents.drop();
    const refusal = this.readiness.refusal();
    if (refusal !== undefined) this.freshness.fail(refusal);
    this.stopping.abort();
    this.end.resolve(failure);
  }

  private makeFreshness(): Freshness {
    const { metrics, store } = this.config;
    const requester = new ProgressRequester(store.clock, () => {
      this.keeper.requestProgress();
    });
    const now = (): number => store.clock.monotonic();
    return new Freshness(requester, now, (seconds) => {
      metrics.recordReadWait(store.groupResource, seconds);
    });
  }
}

interface Deferred<V> {
  readonly promise: Promise<V>;
  readonly resolve: (value: V) => void;
}

function deferred<V>(): Deferred<V> {
  let resolve: (value: V) => void = () => undefined;
  const promise = new Promise<V>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
