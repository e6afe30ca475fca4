/**
 * Whether the cache can be read: not before its first fill, not while it is filled anew, not once it
 * has stopped (rule C5). Upstream: `pkg/storage/cacher/ready.go`.
 */
import type { Clock } from '../common/clock';
import type { StoreError } from '../store/errors';
import { UNREADY, unreadyError } from './serving';

export type ReadyState = 'pending' | 'ready' | 'stopped';

const STOPPED = 'apiserver cacher is stopped';

export class Readiness {
  private current: ReadyState = 'pending';
  private reason: Error | undefined;
  private changedAt: number;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.changedAt = clock.monotonic();
  }

  get state(): ReadyState {
    return this.current;
  }

  /** What it is not ready for, where that is an error. */
  get why(): Error | undefined {
    return this.reason;
  }

  get isReady(): boolean {
    return this.current === 'ready';
  }

  /** The 429 of a cache that cannot be read; undefined while it can. */
  refusal(): StoreError | undefined {
    if (this.isReady) return undefined;
    const text = this.current === 'stopped' ? STOPPED : UNREADY;
    const message = this.reason === undefined ? text : `${text}: ${this.reason.message}`;
    return unreadyError((this.clock.monotonic() - this.changedAt) / 1000, message);
  }

  ready(): void {
    this.reason = undefined;
    this.become('ready');
  }

  /** `why` is what the cache is filled anew for, absent when that is not an error. */
  pending(why: Error | undefined): void {
    this.reason = why;
    this.become('pending');
  }

  /** For good. */
  stopped(why: Error | undefined): void {
    this.reason = why;
    this.become('stopped');
  }

  private become(state: ReadyState): void {
    if (this.current === state || this.current === 'stopped') return;
    this.current = state;
    this.changedAt = this.clock.monotonic();
  }
}
