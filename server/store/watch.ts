/**
 * A feed: the objects stored, then every change, each once and in the order of revisions (rules W1, W2).
 *
 * Upstream: `watchChan` in `pkg/storage/etcd3/watcher.go`.
 */
import type { WatchBatch } from '../etcd/interfaces';
import { ReceiptBuilder } from './receipt';
import type { FeatureGates } from './interfaces';
import { checkResourcePrefix, etcdKey, prepareKey, storePathPrefix } from './keys';
import type { StoreConfig } from './listRun';
import type { ReadContext } from './chunks';
import { systemTiming, type RetryTiming } from './watchBackoff';
import { watchCancelled } from './watchErrors';
import { changeOf, syncedObject } from './watchEvents';
import type { Feed, FeedEvent, FeedOptions, FeedSource, Progress } from './watchInterfaces';
import { WatchPosition } from './watchPosition';
import { ResumingWatch } from './watchResume';
import { syncParts } from './watchSync';

/** Whether every member's progress notifications are sound; no while that is not known. */
export interface ProgressSupport {
  supports(feature: 'RequestWatchProgress'): boolean;
}

type Shared =
  | 'etcd'
  | 'root'
  | 'resourcePrefix'
  | 'groupResource'
  | 'streamSupport'
  | 'metrics'
  | 'clock'
  | 'log';

export interface FeedSourceConfig extends Pick<StoreConfig<unknown>, Shared> {
  readonly gates: Pick<FeatureGates, 'etcdRangeStream'>;
  readonly progressSupport: ProgressSupport;
  /** Timers and chance of retries; those of the machine when absent. */
  readonly timing?: RetryTiming;
}

/** Throws `StoreError` `invalidKey` when the resource prefix cannot be used. */
export function createFeedSource(config: FeedSourceConfig): FeedSource {
  checkResourcePrefix(config.resourcePrefix);
  return { open: (options = {}) => new ResourceFeed(config, options) };
}

class ResourceFeed implements Feed {
  readonly #config: FeedSourceConfig;
  readonly #options: FeedOptions;
  readonly #stop = new AbortController();
  readonly #read: ReadContext;
  readonly #position = new WatchPosition();
  readonly #watch: ResumingWatch;
  #iterated = false;

  constructor(config: FeedSourceConfig, options: FeedOptions) {
    const { signal } = this.#stop;
    this.#config = config;
    this.#options = options;
    this.#read = readContext(config, options, signal);
    if (!this.#wantsSync) this.#position.advance(options.afterRevision ?? 0n);
    this.#watch = new ResumingWatch(
      {
        read: this.#read,
        signal,
        position: this.#position,
        timing: config.timing ?? systemTiming,
        log: config.log,
        hooks: options,
      },
      this.#wantsSync,
    );
  }

  get #wantsSync(): boolean {
    return (this.#options.afterRevision ?? 0n) <= 0n;
  }

  requestProgress(): void {
    this.#watch.requestProgress();
  }

  /** Leaving ends waits and calls at once, also for who leaves while the next event is awaited. */
  [Symbol.asyncIterator](): AsyncIterator<FeedEvent, void, undefined> {
    if (this.#iterated) throw new Error('a feed can be iterated once');
    this.#iterated = true;
    const events = this.#events();
    return {
      next: () => events.next(),
      return: () => {
        this.#stop.abort();
        return events.return();
      },
    };
  }

  async *#events(): AsyncGenerator<FeedEvent, void, undefined> {
    const release = followSignal(this.#stop, this.#options.signal);
    try {
      if (this.#wantsSync) yield* this.#sync();
      for (;;) {
        const batch = await this.#watch.next();
        for (const event of batch.events) {
          this.#checkStop();
          if (!this.#position.take(event.kv.modRevision)) continue;
          this.#config.metrics.recordEvent(this.#config.groupResource);
          yield changeOf(event);
        }
        if (!batch.partial && batch.events.length > 0) this.#position.settle();
        const progress = this.#progressOf(batch);
        if (progress !== undefined) yield progress;
      }
    } finally {
      release();
      this.#stop.abort();
      this.#watch.close();
    }
  }

  async *#sync(): AsyncGenerator<FeedEvent, void, undefined> {
    const { gates, streamSupport: support, log } = this.#config;
    const context = { read: this.#read, gate: gates.etcdRangeStream, support, log };
    for await (const part of syncParts(context)) {
      this.#checkStop();
      if (part.kind === 'restart') yield { type: 'syncRestart' };
      if (part.kind === 'end') {
        this.#position.advance(part.revision);
        yield { type: 'syncEnd', revision: part.revision };
      }
      if (part.kind !== 'objects') continue;
      const { kvs } = part;
      for (let i = 0; i < kvs.length; i++) {
        this.#checkStop();
        const kv = kvs[i];
        kvs[i] = undefined;
        if (kv !== undefined) yield syncedObject(kv);
      }
    }
  }

  /**
   * Undefined for a batch with events, for the answer to a request where those may be ahead of
   * events, and for a notice older than what was told.
   */
  #progressOf({ events, partial, requested, revision }: WatchBatch): Progress | undefined {
    if (events.length > 0 || partial || revision === 0n) return undefined;
    const { metrics, groupResource, progressSupport } = this.#config;
    metrics.recordBookmark(groupResource);
    if (requested && !progressSupport.supports('RequestWatchProgress')) return undefined;
    if (!this.#position.advance(revision)) return undefined;
    this.#watch.progressCame();
    return { type: 'progress', revision };
  }

  #checkStop(): void {
    if (this.#stop.signal.aborted) throw watchCancelled(this.#stop.signal);
  }
}

function readContext(
  config: FeedSourceConfig,
  { onRequest }: FeedOptions,
  signal: AbortSignal,
): ReadContext {
  const { etcd, resourcePrefix, groupResource, metrics, clock } = config;
  const root = storePathPrefix(config.root);
  return {
    etcd,
    keyPrefix: etcdKey(root, prepareKey(resourcePrefix, resourcePrefix, true)),
    resourceKey: etcdKey(root, prepareKey(resourcePrefix, resourcePrefix, false)),
    groupResource,
    metrics,
    receipt: new ReceiptBuilder(clock, onRequest),
    clock,
    signal,
  };
}

/** Aborts `own` with `outer`; the result lets go of it. */
function followSignal(own: AbortController, outer: AbortSignal | undefined): () => void {
  const follow = (): void => {
    own.abort(outer?.reason);
  };
  if (outer?.aborted === true) follow();
  outer?.addEventListener('abort', follow, { once: true });
  return () => {
    outer?.removeEventListener('abort', follow);
  };
}
