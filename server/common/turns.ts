import type { Clock } from './clock';

/** Longest stretch of work in milliseconds before other work, such as an abort, gets a turn. */
const stretchMs = 8;

/**
 * Lets long synchronous work give way to the event loop now and then: without that no signal, abort
 * or reply would be noticed until it ends.
 */
export class Turns {
  private endsAt: number;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.endsAt = clock.monotonic() + stretchMs;
  }

  /** Whether this stretch has lasted long enough. */
  due(): boolean {
    return this.clock.monotonic() >= this.endsAt;
  }

  /** Resolves after other work had its turn; a new stretch begins then. */
  async give(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.endsAt = this.clock.monotonic() + stretchMs;
  }
}
