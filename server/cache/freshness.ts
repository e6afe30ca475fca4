/**
 * Waiting until the cache has seen a revision, three seconds at most (rule C4). Upstream:
 * `waitUntilFreshLocked` in `pkg/storage/cacher/watch_cache.go`.
 */
import type { StoreError } from '../store/errors';
import { tooLargeResourceVersion } from '../store/errorTexts';
import { stoppedRead } from './stoppedRead';
import type { ProgressRequester } from './progressRequester';
import { TOO_HIGH_RETRY_SECONDS } from './serving';

export const blockTimeoutMs = 3_000;

interface Waiter {
  readonly revision: bigint;
  readonly reached: () => void;
  readonly failed: (error: StoreError) => void;
}

export class Freshness {
  private known = 0n;
  private waking: NodeJS.Immediate | undefined;
  private readonly waiters = new Set<Waiter>();

  /** `onWait` is told in seconds how long each wait took. */
  constructor(
    private readonly requester: ProgressRequester,
    private readonly now: () => number,
    private readonly onWait: (seconds: number) => void,
  ) {}

  /**
   * The cache has seen everything up to this revision, or the first of several changes at it: who waits
   * is told once what is at hand has been taken, so that nobody reads half of a transaction.
   */
  reach(revision: bigint): void {
    this.known = revision;
    if (this.waiters.size === 0) return;
    this.waking ??= setImmediate(() => {
      this.waking = undefined;
      for (const waiter of this.waiters) if (waiter.revision <= this.known) waiter.reached();
    });
  }

  /** Nobody can be served any more. */
  fail(error: StoreError): void {
    for (const waiter of this.waiters) waiter.failed(error);
  }

  /**
   * `asks` says that progress of the watch may be asked for. Rejects with `StoreError`
   * `tooLargeResourceVersion` when the time is over, `cancelled` or `timeout` when the signal aborts.
   */
  async wait(revision: bigint, asks: boolean, signal: AbortSignal | undefined): Promise<void> {
    if (revision <= this.known) return;
    const startedAt = this.now();
    if (asks) this.requester.add();
    try {
      await this.reached(revision, signal);
    } finally {
      if (asks) this.requester.remove();
      this.onWait((this.now() - startedAt) / 1000);
    }
  }

  private reached(revision: bigint, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: StoreError): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        this.waiters.delete(waiter);
        if (error === undefined) resolve();
        else reject(error);
      };
      const stop = (): void => {
        if (signal !== undefined) end(stoppedRead(signal));
      };
      const waiter: Waiter = {
        revision,
        reached: () => {
          end();
        },
        failed: end,
      };
      const timer = setTimeout(() => {
        if (revision <= this.known) end();
        else end(tooLargeResourceVersion(revision, this.known, TOO_HIGH_RETRY_SECONDS));
      }, blockTimeoutMs);
      this.waiters.add(waiter);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted === true) stop();
    });
  }
}
