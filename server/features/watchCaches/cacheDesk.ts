/** The watch caches of the open connection: lists ask for them, and the client is told of them. */
import { createWatchCache } from '../../cache/watchCache';
import type { WatchCache } from '../../cache/interfaces';
import type { Clock } from '../../common/clock';
import type { Log } from '../../common/log';
import { createCacheMetrics, type CacheMetrics } from '../../metrics/cacheMetrics';
import type { StoreMetrics } from '../../metrics/storeMetrics';
import type { ListParams } from '../../protocol/model';
import type { WatchCacheInfo } from '../../protocol/watchCache';
import type { ListTarget, StoredValue } from '../../targets/target';
import { cancelled, plainText, refuse } from '../failures';
import type { EngineGates } from '../engineGates';
import type { OpenConnection } from '../openConnection';
import { Params } from '../params';
import type { Router } from '../router';
import { WatchCaches } from './watchCaches';

export interface CacheDeskParts {
  readonly limitMiB: () => number;
  /** A cache takes its own when it is filled, and those of etcd's store anew each time. */
  readonly gates: () => EngineGates;
  readonly send: (caches: readonly WatchCacheInfo[]) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StoreMetrics;
}

/** Milliseconds between what the client is told. */
const SOON_MS = 150;
const LATER_MS = 1000;

export class CacheDesk {
  private open:
    { readonly connection: OpenConnection; readonly caches: WatchCaches<StoredValue> } | undefined;
  private readonly metrics: CacheMetrics;
  private timer: NodeJS.Timeout | undefined;
  private told = '[]';

  constructor(private readonly parts: CacheDeskParts) {
    this.metrics = createCacheMetrics(parts.metrics.registry);
  }

  /** The cache of this target that runs, or is being filled, for this connection. */
  running(
    connection: OpenConnection | undefined,
    { name }: Pick<ListTarget, 'name'>,
  ): WatchCache<StoredValue> | undefined {
    if (connection === undefined || this.open?.connection !== connection) return undefined;
    return this.open.caches.running(name);
  }

  /** Bytes that a cache of this target may take. */
  room(connection: OpenConnection, { name }: Pick<ListTarget, 'name'>): number {
    return this.of(connection).room(name);
  }

  /** The store of a list that is to be served from a watch cache, filled first when none runs. */
  async storeFor(
    connection: OpenConnection,
    target: ListTarget,
    { query, confirmed }: Pick<ListParams, 'query' | 'confirmed'>,
    signal: AbortSignal,
  ): Promise<WatchCache<StoredValue>> {
    if (target.kind === 'values') {
      throw refuse(
        'A watch cache holds a resource, such as pods: choose one, or serve the prefix from etcd.',
      );
    }
    if (query.skipUnreadable) {
      throw refuse(
        'Leaving out unreadable objects does not go with a watch cache, which holds all objects of a resource or none: serve the list from etcd.',
      );
    }
    const make = (limitBytes: () => number): WatchCache<StoredValue> =>
      this.make(connection, target, limitBytes);
    return this.of(connection).filled({ name: target.name, make }, confirmed, signal);
  }

  async stop(name: string): Promise<void> {
    await this.open?.caches.stop(name);
  }

  /** Throws `cancelled` for a connection that is closed: another may be open. */
  private of(connection: OpenConnection): WatchCaches<StoredValue> {
    if (connection.closed.aborted) throw cancelled();
    if (this.open?.connection === connection) return this.open.caches;
    const caches = new WatchCaches<StoredValue>({
      limitBytes: () => this.parts.limitMiB() * 1024 ** 2,
      onChange: () => {
        this.tellIn(SOON_MS);
      },
    });
    this.open = { connection, caches };
    const close = (): void => {
      void caches.stopAll();
    };
    connection.closed.addEventListener('abort', close, { once: true });
    return caches;
  }

  /** Its decoder reads fields too: lists with any selector share it. */
  private make(
    connection: OpenConnection,
    target: ListTarget,
    limitBytes: () => number,
  ): WatchCache<StoredValue> {
    const { clock, log, metrics, gates } = this.parts;
    return createWatchCache({
      store: {
        etcd: connection.reader,
        root: target.root,
        resourcePrefix: target.path,
        groupResource: target.groupResource,
        decoder: target.decoder({ readsFields: true, onUnjudged: () => undefined }),
        streamSupport: connection.features,
        ...{ metrics, clock, log },
        gates: {
          get etcdRangeStream() {
            return gates().etcdRangeStream;
          },
          get allowUnsafeMalformedObjectDeletion() {
            return gates().allowUnsafeMalformedObjectDeletion;
          },
        },
        guardUnlimitedReads: true,
      },
      progress: connection.features,
      metrics: this.metrics,
      gates: gates(),
      get limitBytes() {
        return limitBytes();
      },
    });
  }

  private tellIn(ms: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.tell();
    }, ms).unref();
  }

  /** As long as there are caches, what becomes of them is looked at again. */
  private tell(): void {
    const infos = this.open?.caches.infos ?? [];
    const text = JSON.stringify(infos);
    if (text !== this.told) this.parts.send(infos);
    this.told = text;
    if (infos.length > 0) this.tellIn(LATER_MS);
  }
}

export function registerWatchCaches(router: Router, desk: CacheDesk): void {
  router.handle('etcdList/stopWatchCache', readStopParams, async ({ resource }) => {
    await desk.stop(resource);
    return null;
  });
}

function readStopParams(value: unknown): { resource: string } {
  return { resource: plainText(new Params(value).text('resource', 1000)) };
}
