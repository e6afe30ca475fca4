/** What Linux says of a process: processor time and memory. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Reads of `/proc`; throws in words when the process is not there any more. */
function ofProcess<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ESRCH') throw error;
    throw new ProcessGone(`${name} has ended`, { cause: error });
  }
}

export class ProcessGone extends Error {}

/** Nanoseconds that a thread has run; undefined when it has just ended. */
function threadTime(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]);
  } catch {
    return undefined;
  }
}

/** `/proc` counts in hundredths of a second on every Linux. */
const tickNs = 10_000_000;

/** Nanoseconds that all threads have run, ended ones too, rounded down to ticks. */
function wholeTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name stands in brackets and may hold any of the characters around it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11);
  return (Number(user) + Number(system)) * tickNs;
}

/**
 * Processor time of a process. Its living threads tell theirs to the nanosecond. What ended threads
 * had is known as it was at the last look; where ticks show that they ran on, those are added, so
 * that less than one tick is missing. Never runs backwards.
 */
export class CpuClock {
  private living: ReadonlyMap<string, number> = new Map();
  private ended = 0;

  constructor(
    private readonly pid: number,
    private readonly name: string,
  ) {}

  /** Milliseconds since the process began. Throws `ProcessGone`. */
  ms(): number {
    return ofProcess(this.name, () => this.read());
  }

  private read(): number {
    const now = new Map<string, number>();
    for (const thread of readdirSync(`/proc/${this.pid}/task`)) {
      const time = threadTime(`/proc/${this.pid}/task/${thread}/schedstat`);
      if (time !== undefined) now.set(thread, time);
    }
    for (const [thread, time] of this.living) {
      // Less than before is another thread under the same number.
      if ((now.get(thread) ?? 0) < time) this.ended += time;
    }
    this.living = now;
    const told = [...now.values()].reduce((sum, time) => sum + time, this.ended);
    const missing = Math.max(0, wholeTicks(this.pid) - told);
    this.ended += missing;
    return (told + missing) / 1e6;
  }
}

function statusBytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** Whether the kernel let the most memory that a process ever had be what it has now. */
export function forgetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}

/** What a process uses, from when it was idle and connected. */
export class Meter {
  readonly cpu: CpuClock;
  private readonly idle: number;

  /** Throws `ProcessGone`. */
  constructor(
    private readonly pid: number,
    private readonly name: string,
  ) {
    this.cpu = new CpuClock(pid, name);
    forgetPeak(pid);
    this.idle = ofProcess(name, () => statusBytes(pid, 'VmRSS'));
  }

  /** Bytes of its peak since then, above what it had then. Throws `ProcessGone`. */
  memory(): number {
    return ofProcess(this.name, () => statusBytes(this.pid, 'VmHWM')) - this.idle;
  }
}
