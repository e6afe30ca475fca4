/** The etcd of a run: how it starts, and what has become of it when something failed. */
import { setTimeout as delay } from 'node:timers/promises';
import { startEtcd, type RunningEtcd } from '../support/etcdServer';
import { lastComplaint } from './complaint';

const quotaBytes = 8 * 1024 ** 3;

/** Rejects with one sentence when it does not start, or is of another version. */
export async function startBenchEtcd(): Promise<RunningEtcd> {
  try {
    return await startEtcd('3.7', { quotaBytes });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`etcd did not start: ${lastComplaint(message) ?? message}`, { cause: error });
  }
}

/** What etcd says of itself, such as `3.7.3`; rejects unless that is a 3.7. */
export async function releaseOf({ url }: Pick<RunningEtcd, 'url'>): Promise<string> {
  const reply = await fetch(`${url}/version`, { signal: AbortSignal.timeout(10_000) });
  const { etcdserver } = (await reply.json()) as { etcdserver?: unknown };
  if (typeof etcdserver !== 'string') throw new Error('etcd does not tell its version');
  if (!etcdserver.startsWith('3.7.')) throw new Error(`etcd is of version ${etcdserver}, not 3.7`);
  return etcdserver;
}

function isRunning({ pid }: RunningEtcd): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function answers({ metricsUrl }: RunningEtcd): Promise<boolean> {
  const health = fetch(`${metricsUrl}/health`, { signal: AbortSignal.timeout(2_000) });
  return health.then(
    () => true,
    () => false,
  );
}

/** In words why nothing can be had of it; undefined when it answers. */
export async function troubleOf(etcd: RunningEtcd): Promise<string | undefined> {
  if (await answers(etcd)) return undefined;
  // Its parent hears of its end a moment after its connections close.
  await delay(200);
  if (isRunning(etcd)) return 'etcd does not answer';
  const complaint = lastComplaint(etcd.logs());
  return complaint === undefined ? 'etcd has ended' : `etcd has ended (${complaint})`;
}

/** Writes entries; rejects when for so long none of them has been taken. */
export async function writeWithin(
  { writer }: Pick<RunningEtcd, 'writer'>,
  entries: Iterable<[string, Uint8Array]>,
  patienceMs: number,
): Promise<void> {
  let last = performance.now();
  const noted = function* (): Generator<[string, Uint8Array]> {
    for (const entry of entries) {
      last = performance.now();
      yield entry;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (performance.now() - last < patienceMs) return;
      reject(new Error(`no write was answered within ${patienceMs / 1000} s`));
    }, 1_000);
  });
  try {
    await Promise.race([writer.bulkLoad(noted()), stuck]);
  } finally {
    clearInterval(timer);
  }
}
