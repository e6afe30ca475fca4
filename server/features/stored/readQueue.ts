/** Reads one after the other: the latest wanted comes first, and what is wanted twice is read once. */

export interface Job {
  /** Jobs with the same one are the same. */
  readonly id: string;
  /** Never rejects; ends soon once the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

interface Entry {
  readonly job: Job;
  /** Somebody wants it who does not wait. */
  isWanted: boolean;
  readonly waiting: Set<() => void>;
  readonly stop: AbortController;
}

/** What waits longer in the queue than this many others was wanted by nobody who still looks. */
const MOST_WAITING = 100;

export class ReadQueue {
  /** In the order they were last asked for. */
  private readonly entries = new Map<string, Entry>();
  private running: Entry | undefined;

  /** Whether it waits or is being read. */
  has(id: string): boolean {
    return this.entries.has(id) || this.running?.job.id === id;
  }

  ask(job: Job): void {
    this.entryOf(job).isWanted = true;
    this.next();
  }

  /**
   * Resolves when the job has ended, when the signal aborts, and after `withinMs`. A job whose only
   * waiters have gone by their signals is ended; after the time is up it goes on.
   */
  wait(job: Job, signal: AbortSignal, withinMs: number): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const entry = this.entryOf(job);
    const waited = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        entry.isWanted = true;
        done();
      }, withinMs);
      const gone = (): void => {
        done();
        if (entry.waiting.size === 0 && !entry.isWanted) this.end(entry);
      };
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
        entry.waiting.delete(done);
        resolve();
      };
      signal.addEventListener('abort', gone);
      entry.waiting.add(done);
    });
    this.next();
    return waited;
  }

  /** Ends everything; whoever waits is told. The next job is read once the one being read has ended. */
  clear(): void {
    const all = [...this.entries.values(), ...(this.running === undefined ? [] : [this.running])];
    for (const entry of all) this.end(entry);
  }

  /** The one that is being read, or waits, or a new one; the latest in the queue. */
  private entryOf(job: Job): Entry {
    const { running } = this;
    if (running?.job.id === job.id && !running.stop.signal.aborted) return running;
    const entry = this.entries.get(job.id) ?? newEntry(job);
    this.entries.delete(job.id);
    this.entries.set(job.id, entry);
    const [oldest] = this.entries.values();
    if (this.entries.size > MOST_WAITING && oldest !== undefined) this.end(oldest);
    return entry;
  }

  private end(entry: Entry): void {
    if (this.entries.get(entry.job.id) === entry) this.entries.delete(entry.job.id);
    entry.stop.abort();
    release(entry);
  }

  private next(): void {
    if (this.running !== undefined) return;
    const entry = [...this.entries.values()].at(-1);
    if (entry === undefined) return;
    this.entries.delete(entry.job.id);
    this.running = entry;
    void entry.job.run(entry.stop.signal).finally(() => {
      this.running = undefined;
      release(entry);
      this.next();
    });
  }
}

function newEntry(job: Job): Entry {
  return { job, isWanted: false, waiting: new Set(), stop: new AbortController() };
}

function release(entry: Entry): void {
  for (const done of [...entry.waiting]) done();
}
