/** etcd's own client, a process for each run. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { lastComplaint } from './complaint';
import type { Sample, Surroundings } from './processes';

export interface EtcdctlWork {
  readonly binary: string;
  readonly prefix: string;
  readonly stream: boolean;
}

interface Usage {
  readonly ms: number;
  readonly cpu: number;
  readonly memory: number;
}

/** One `etcdctl get --prefix` into `stdout`. It says itself what it cost. */
async function get(
  { binary, prefix, stream }: EtcdctlWork,
  around: Surroundings,
  stdout: number | 'pipe',
  onOutput: (bytes: Buffer) => void = () => undefined,
): Promise<Usage> {
  const args = ['get', '--prefix', prefix, '--command-timeout=600s'];
  const child = spawn(
    binary,
    [...args, `--endpoints=${around.endpoint}`, ...(stream ? ['--stream'] : [])],
    {
      stdio: ['ignore', stdout, 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', BENCH_USAGE: '1' },
    },
  );
  around.children.add(child);
  let [usage, errors] = ['', ''];
  child.stdout?.on('data', onOutput);
  (child.stdio[3] as Readable).on('data', (text: Buffer) => (usage += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  const time = { isOver: false };
  const timer = setTimeout(() => {
    time.isOver = true;
    child.kill('SIGKILL');
  }, around.patienceMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (time.isOver) throw new Error(`etcdctl did not end within ${around.patienceMs / 1000} s`);
  const [ms, cpu, memory] = usage.trim().split(' ').map(Number);
  if (code !== 0 || ms === undefined || cpu === undefined || memory === undefined) {
    throw new Error(
      `etcdctl failed (${String(code)}): ${lastComplaint(errors) ?? 'it does not say why'}`,
    );
  }
  return { ms, cpu: cpu / 1000, memory };
}

/** What it says of itself, such as `3.7.3`. */
export async function etcdctlRelease(binary: string, patienceMs: number): Promise<string> {
  const run = promisify(execFile);
  try {
    const { stdout } = await run(binary, ['version'], {
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
    const release = /^etcdctl version: (\S+)$/m.exec(stdout)?.[1];
    if (release === undefined) throw new Error('it does not tell its version');
    return release;
  } catch (error) {
    throw new Error(`etcdctl: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
}

/** A measured run; the whole memory of etcdctl counts. */
export async function runEtcdctl(work: EtcdctlWork, around: Surroundings): Promise<Sample> {
  const before = around.etcdCpu.ms();
  const nowhere = openSync('/dev/null', 'w');
  try {
    const usage = await get(work, around, nowhere);
    return { ...usage, etcdCpu: around.etcdCpu.ms() - before };
  } finally {
    closeSync(nowhere);
  }
}

/** Bytes that it prints. Not to be timed: here it waits for its reader. */
export async function printedByEtcdctl(work: EtcdctlWork, around: Surroundings): Promise<number> {
  let bytes = 0;
  await get(work, around, 'pipe', (output) => (bytes += output.length));
  return bytes;
}
