import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { waitFor } from './waitFor';

export interface Process {
  readonly pid: number;
  /** Its parent's. */
  readonly ppid: number;
  readonly args: readonly string[];
}

const strings = (file: string): string[] => readFileSync(file, 'utf8').split('\0').filter(Boolean);

const status = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');

/** A process that ends while it is looked at counts as absent. */
function ifAlive<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** A killed process whose parent has not collected it yet has no program any more. */
const isZombie = (pid: number): boolean =>
  ifAlive(() => readlinkSync(`/proc/${pid}/exe`)) === undefined;

/** The running processes whose environment holds `mark` (`NAME=value`), whatever became of their parents. */
export function processesMarked(mark: string): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && !isZombie(pid))
    .flatMap((pid) => {
      const environment = ifAlive(() => strings(`/proc/${pid}/environ`));
      if (!environment?.includes(mark)) return [];
      const args = ifAlive(() => strings(`/proc/${pid}/cmdline`));
      const ppid = ifAlive(() => Number(/^PPid:\s*(\d+)/m.exec(status(pid))?.[1]));
      return args && ppid !== undefined ? [{ pid, ppid, args }] : [];
    });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** SIGKILL; resolves when they are gone. */
export async function killAll(processes: readonly Pick<Process, 'pid'>[]): Promise<void> {
  for (const { pid } of processes) signal(pid, 'SIGKILL');
  await waitFor(() => processes.every(({ pid }) => isZombie(pid)), {
    what: `the end of processes ${processes.map(({ pid }) => pid).join(', ')}`,
  });
}
