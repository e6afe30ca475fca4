/** One pass over many objects in memory, which gives way to other work and can be stopped. */
import type { Clock } from '../common/clock';
import { Turns } from '../common/turns';
import { stoppedRead } from './stoppedRead';

export interface PassAsk {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** The clock is asked after this many objects. */
const objectsBetweenLooks = 64;

export class Pass {
  private readonly turns: Turns;
  private seen = 0;

  constructor(private readonly ask: PassAsk) {
    this.turns = new Turns(ask.clock);
  }

  /** Asked once for each object. */
  due(): boolean {
    return ++this.seen % objectsBetweenLooks === 0 && this.turns.due();
  }

  /** Rejects with `StoreError` `cancelled` or `timeout` where that was to stop this. */
  async rest(): Promise<void> {
    await this.turns.give();
    const { signal } = this.ask;
    if (signal?.aborted === true) throw stoppedRead(signal);
  }
}
