/** What Linux says of a process: processor time and memory. */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of processor time that all threads of a process have used. */
export function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += threadTime(`/proc/${pid}/task/${thread}/schedstat`);
  }
  return nanoseconds / 1e6;
}

/** A thread that has just ended has nothing to say any more. */
function threadTime(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

function statusBytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** Bytes of memory that a process has now, and the most it ever had. */
export const memoryNow = (pid: number): number => statusBytes(pid, 'VmRSS');
export const memoryPeak = (pid: number): number => statusBytes(pid, 'VmHWM');
