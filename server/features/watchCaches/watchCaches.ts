/** The watch caches of one connection, by what they hold, within one limit of memory for all. */
import type { WatchCache } from '../../cache/interfaces';
import type { WatchCacheInfo } from '../../protocol/watchCache';
import { cancelled, refuse } from '../failures';
import { cacheInfo } from './cacheInfo';

/** Each holds a watch open at the etcd. */
export const MOST_CACHES = 4;

export interface WatchCachesParts {
  /** Bytes that all caches may take together, asked anew each time. */
  readonly limitBytes: () => number;
  /** Told whenever `infos` may be others. */
  readonly onChange: () => void;
}

export interface CacheOrder<T> {
  /** Of the resource. */
  readonly name: string;
  /** `limitBytes` is what this cache may take now. Nothing is read yet. */
  readonly make: (limitBytes: () => number) => WatchCache<T>;
}

interface Kept<T> {
  readonly cache: WatchCache<T>;
  readonly filling: Promise<void>;
  /** Lists that wait until it is filled. */
  waiting: number;
  filled: boolean;
}

export class WatchCaches<T> {
  private readonly kept = new Map<string, Kept<T>>();

  constructor(private readonly parts: WatchCachesParts) {}

  get infos(): WatchCacheInfo[] {
    const limitBytes = this.parts.limitBytes();
    return [...this.kept].map(([name, { cache }]) => cacheInfo(name, cache.status(), limitBytes));
  }

  /** The cache that runs, or is being filled. */
  running(name: string): WatchCache<T> | undefined {
    const cache = this.kept.get(name)?.cache;
    return cache?.status().state === 'stopped' ? undefined : cache;
  }

  /** Bytes that are left for this cache beside the others. */
  room(name: string): number {
    let left = this.parts.limitBytes();
    for (const [other, { cache }] of this.kept) {
      if (other !== name) left -= cache.status().bytes;
    }
    return Math.max(0, left);
  }

  /**
   * The cache, once it can be read; started when it does not run, which has to be `confirmed`. Lists
   * share it. When all that wait for it are stopped, so is the filling. Rejects with what it cannot be
   * filled for.
   */
  async filled(
    order: CacheOrder<T>,
    confirmed: boolean,
    signal: AbortSignal,
  ): Promise<WatchCache<T>> {
    const known = this.running(order.name) && this.kept.get(order.name);
    const kept = known ?? this.begin(order, confirmed);
    kept.waiting += 1;
    try {
      await unlessAborted(kept.filling, signal);
    } finally {
      kept.waiting -= 1;
      if (signal.aborted && kept.waiting === 0 && !kept.filled) await this.end(order.name, kept);
    }
    return kept.cache;
  }

  /** Resolves when its watch has ended and its memory is free. */
  async stop(name: string): Promise<void> {
    const kept = this.kept.get(name);
    if (kept !== undefined) await this.end(name, kept);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.kept.keys()].map((name) => this.stop(name)));
  }

  /** Nobody is given it from now on. */
  private async end(name: string, kept: Kept<T>): Promise<void> {
    if (this.kept.get(name) === kept) this.kept.delete(name);
    this.parts.onChange();
    await kept.cache.stop();
  }

  private begin(order: CacheOrder<T>, confirmed: boolean): Kept<T> {
    const { name } = order;
    if (!confirmed) {
      throw refuse(
        `No watch cache of ${name} runs, and one is filled only when it was agreed to: run the list again and agree, or serve it from etcd.`,
      );
    }
    const others = [...this.kept.keys()].filter((other) => this.running(other) !== undefined);
    if (others.length >= MOST_CACHES) {
      throw refuse(
        `${MOST_CACHES} watch caches run already (${others.join(', ')}), which is as many as may: stop one of them first.`,
      );
    }
    return this.start(order);
  }

  private start({ name, make }: CacheOrder<T>): Kept<T> {
    const { onChange } = this.parts;
    const cache = make(() => this.room(name));
    const kept: Kept<T> = {
      cache,
      filling: cache.start({ onProgress: onChange }).then(() => {
        kept.filled = true;
        onChange();
      }),
      waiting: 0,
      filled: false,
    };
    this.kept.set(name, kept);
    onChange();
    // Those that wait for it are told.
    kept.filling.catch(() => undefined);
    void cache.ended.then((failure) => {
      // One that ran stays, with what ended it, until somebody has seen it.
      const isSeen = failure === undefined || !kept.filled;
      if (isSeen && this.kept.get(name) === kept) this.kept.delete(name);
      onChange();
    });
    return kept;
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => {
      reject(cancelled());
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });
  try {
    await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
