/** Our watch cache's side of a comparison: the product's own over the wire, its reads recorded there. */
import { createWatchCache } from '../../server/cache/watchCache';
import type { WatchCache } from '../../server/cache/interfaces';
import { systemClock } from '../../server/common/clock';
import { silentLog } from '../../server/common/log';
import { connect } from '../../server/etcd/connect';
import { createFeatureChecker } from '../../server/etcd/features';
import type { EtcdReader } from '../../server/etcd/interfaces';
import type { StoredObject } from '../../server/kube/decode/object';
import { createCacheMetrics } from '../../server/metrics/cacheMetrics';
import { createStoreMetrics, type StoreMetrics } from '../../server/metrics/storeMetrics';
import { SelectorError } from '../../server/kube/selectors/types';
import { StoreError } from '../../server/store/errors';
import { ListFailedError } from '../../server/store/interfaces';
import { objectDecoder } from '../../server/store/objectDecoder';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import { errorOutcome, itemLine, optionsOf, podFields } from './engine';
import { ourMetrics } from './metrics';
import type { ListAsk } from './oracle';
import { showRequest, type Outcome } from './outcome';

export interface CachedOutcome extends Outcome {
  /** Who our receipt says has served it. */
  readonly servedBy: 'watchcache' | 'etcd';
}

interface Place {
  readonly cache: WatchCache<StoredObject>;
  readonly metrics: StoreMetrics;
}

export class CachedEngine {
  private readonly places = new Map<string, Place>();

  private constructor(
    private readonly proxy: RecordingProxy,
    private readonly reader: EtcdReader,
  ) {}

  static async start(endpoint: string): Promise<CachedEngine> {
    const proxy = await startRecordingProxy(endpoint);
    try {
      return new CachedEngine(proxy, connect({ endpoints: [proxy.endpoint], byteBudget: -1 }));
    } catch (error) {
      await proxy.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    try {
      await this.endCaches();
      this.reader.close();
    } finally {
      await this.proxy.close();
    }
  }

  async endCaches(): Promise<void> {
    for (const { cache } of this.places.values()) await cache.stop();
    this.places.clear();
  }

  /** The first list of a place fills its cache. */
  async list(ask: ListAsk): Promise<CachedOutcome> {
    const { cache, metrics } = await this.place(ask);
    const before = new Set(await listMetrics(metrics));
    this.proxy.clear();
    const ended = await answerOf(cache, ask);
    const counted = deltas(before, await listMetrics(metrics));
    const reads = this.proxy.calls.filter(({ method }) => method.startsWith('Range'));
    const requests = reads
      .map(({ method, requests: [message = Buffer.of()] }) => showRequest(method, message))
      .filter((request) => !request.startsWith(compactionRead));
    const shared = { failures: [], requests, metrics: counted };
    if (ended instanceof StoreError) {
      const nothing = { items: [], resourceVersion: '', continue: '', remaining: null };
      return { ...nothing, ...shared, error: errorOutcome(ended), servedBy: 'etcd' };
    }
    return {
      items: ended.items.map((item) => itemLine(item, ask.brief)),
      resourceVersion: String(ended.resourceVersion),
      continue: ended.continueToken,
      remaining: ended.remainingItemCount === null ? null : String(ended.remainingItemCount),
      error: null,
      ...shared,
      servedBy: ended.receipt.total.servedBy === 'watchcache' ? 'watchcache' : 'etcd',
    };
  }

  private async place({ root, resourcePrefix, stream }: ListAsk): Promise<Place> {
    const name = `${root} ${resourcePrefix}`;
    const known = this.places.get(name);
    if (known !== undefined) return known;
    const metrics = createStoreMetrics();
    const progress = createFeatureChecker(systemClock);
    const cache = createWatchCache<StoredObject>({
      store: {
        etcd: this.reader,
        ...{ root, resourcePrefix, metrics },
        groupResource: { group: '', resource: 'pods' },
        decoder: objectDecoder(podFields, true, { apiVersion: 'v1', kind: 'Pod' }),
        streamSupport: progress,
        clock: systemClock,
        log: silentLog,
        gates: { etcdRangeStream: stream, allowUnsafeMalformedObjectDeletion: false },
        guardUnlimitedReads: false,
      },
      progress,
      metrics: createCacheMetrics(metrics.registry),
      gates: { listFromCacheSnapshot: true, consistentListFromCacheSkipTimeoutFallback: false },
      limitBytes: 1024 ** 3,
    });
    await cache.start();
    this.places.set(name, { cache, metrics });
    return { cache, metrics };
  }
}

async function answerOf(cache: WatchCache<StoredObject>, ask: ListAsk) {
  try {
    return await cache.getList(optionsOf(ask));
  } catch (error) {
    if (error instanceof ListFailedError) return error.cause;
    if (error instanceof SelectorError) {
      return new StoreError({ code: 'plain', message: error.message });
    }
    throw error;
  }
}

/** What a cache reads every 15 seconds, whether it is listed or not. */
const compactionRead = 'Range compact_rev_key ';

/** Those of lists and their reads: the watch goes on meanwhile. */
const ofLists =
  /^(apiserver_(storage_list|storage_decode|cache_list|watch_cache_consistent)_|etcd_request)/;

const listMetrics = async (metrics: StoreMetrics): Promise<string[]> =>
  (await ourMetrics(metrics)).filter((line) => ofLists.test(line));

/** What was added to counters that stood at `before`. */
function deltas(before: ReadonlySet<string>, after: readonly string[]): string[] {
  const earlier = new Map([...before].map(valueOf));
  return after
    .filter((line) => !before.has(line))
    .map(valueOf)
    .map(([name, value]) => `${name} ${String(value - (earlier.get(name) ?? 0))}`);
}

function valueOf(line: string): [string, number] {
  const at = line.lastIndexOf(' ');
  return [line.slice(0, at), Number(line.slice(at + 1))];
}
