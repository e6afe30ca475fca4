/**
 * Asks for the progress of the watch while somebody waits for the cache to be fresh: at once, and
 * every 100 ms (rule C4). Upstream: `pkg/storage/cacher/progress`.
 */
import type { Clock } from '../common/clock';

const periodMs = 100;

export class ProgressRequester {
  private waiting = 0;
  private lastAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly request: () => void,
  ) {}

  /** Somebody waits. */
  add(): void {
    this.waiting++;
    this.schedule();
  }

  /** Somebody who waited does not any more. */
  remove(): void {
    this.waiting--;
    if (this.waiting > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    if (this.timer !== undefined || this.waiting === 0) return;
    const rest = this.lastAt + periodMs - this.clock.monotonic();
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.lastAt = this.clock.monotonic();
        this.request();
        this.schedule();
      },
      Math.max(0, rest),
    );
  }
}
