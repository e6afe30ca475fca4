/** Who serves the lists of a `get`: etcd, or a watch cache that is filled for it and stopped after it. */
import type { CacheEstimate, CacheStatus, WatchCache } from '../cache/interfaces';
import { createWatchCache } from '../cache/watchCache';
import type { FeatureChecker } from '../etcd/features';
import { createCacheMetrics } from '../metrics/cacheMetrics';
import type { ListStore } from '../store/interfaces';
import { createStore, type StoreConfig } from '../store/list';
import type { GetPlan } from './args/plan';
import { note, type Context } from './context';
import { plural } from './receiptText';
import { printMs, printSize, thousands } from './quantities';

export interface ServingAsk {
  readonly plan: Pick<GetPlan, 'serveFrom' | 'stream'>;
  readonly context: Context;
  /** Of what is listed, for words. */
  readonly name: string;
  readonly features: FeatureChecker;
}

/** A cache that was started is stopped when `work` has ended, however it did. */
export async function withStore<T, R>(
  ask: ServingAsk,
  config: StoreConfig<T>,
  work: (store: ListStore<T>) => Promise<R>,
): Promise<R> {
  const { serveFrom } = ask.plan;
  if (serveFrom.kind === 'etcd') return work(createStore(config));
  const { stream } = ask.plan;
  const streams = stream === 'auto' ? config.gates.etcdRangeStream : stream !== 'off';
  const gates = { ...config.gates, etcdRangeStream: streams };
  const cache = createWatchCache({
    store: { ...config, gates },
    progress: ask.features,
    metrics: createCacheMetrics(config.metrics.registry),
    gates: serveFrom.gates,
    limitBytes: serveFrom.limitBytes,
  });
  try {
    await fill(cache, ask);
    return await work(cache);
  } finally {
    await cache.stop();
  }
}

/** Milliseconds between two passing lines. */
const STATUS_MS = 100;

async function fill<T>(cache: WatchCache<T>, { context, name }: ServingAsk): Promise<void> {
  const { clock, notes, signal } = context;
  const startedAt = clock.monotonic();
  let [expected, nextStatus] = [0n, 0];
  await cache.start({
    signal,
    onEstimate: (estimate) => {
      expected = estimate.objects;
      note(context, estimateText(name, estimate));
    },
    onProgress: ({ objects }) => {
      const now = clock.monotonic();
      if (now < nextStatus) return;
      nextStatus = now + STATUS_MS;
      notes.status(
        `filling the watch cache: ${thousands(objects)} of ${thousands(expected)} objects …`,
      );
    },
  });
  notes.clearStatus();
  note(context, filledText(cache.status(), clock.monotonic() - startedAt));
}

function estimateText(name: string, { objects, bytes, limitBytes }: CacheEstimate): string {
  const size = `about ${printSize(Math.round(bytes))}`;
  return `a watch cache of ${name} is filled: ${plural(Number(objects), 'object')}, ${size} of at most ${printSize(limitBytes)}`;
}

function filledText(status: CacheStatus, ms: number): string {
  const { objects, bytes, revision, supportsProgress } = status;
  const what = `it holds ${plural(objects, 'object')} (${printSize(bytes)}) as of revision ${thousands(revision)}, after ${printMs(ms)}`;
  if (supportsProgress) return what;
  return `${what}; lists without a resource version go to etcd, whose version does not tell soundly how far a watch is`;
}
