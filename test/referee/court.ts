import { startEtcd, type EtcdVersion, type RunningEtcd } from '../support/etcdServer';
import { Engine } from './engine';
import { Oracle } from './oracle';

/** Else etcd rests 10 ms after each 1,000 keys that a compaction goes over, and lists wait for it. */
const compactAtOnce = ['--compaction-batch-limit=1000000'];

/** Both sides on one etcd. */
export class Court {
  private constructor(
    readonly etcd: RunningEtcd,
    readonly oracle: Oracle,
    readonly engine: Engine,
  ) {}

  static async open(version: EtcdVersion, quotaBytes = 8 * 1024 ** 3): Promise<Court> {
    const etcd = await startEtcd(version, { quotaBytes, extraArgs: compactAtOnce });
    const started: Stoppable[] = [etcd];
    try {
      const oracle = await Oracle.start(etcd.endpoint, { etcdState: () => stateOf(etcd) });
      started.unshift(oracle);
      return new Court(etcd, oracle, await Engine.start(etcd.endpoint));
    } catch (error) {
      // What kept it from opening says more than what then kept it from closing.
      await stopAll(started).catch(() => undefined);
      throw error;
    }
  }

  /** Stops all of them, whichever fails to, and then rejects when one did. */
  async close(): Promise<void> {
    await stopAll([this.engine, this.oracle, this.etcd]);
  }
}

/** Lines of etcd's log that say why it ended. */
const endings = /no space left on device|"level":"(?:fatal|panic)"|^panic: |^fatal error: /;

/** Whether etcd answers, in a clause, and where it has ended what its log says of that. */
export async function stateOf({
  version,
  endpoint,
  logs,
}: Pick<RunningEtcd, 'version' | 'endpoint' | 'logs'>): Promise<string> {
  const name = `etcd ${version}`;
  try {
    const options = { signal: AbortSignal.timeout(3_000) };
    const answer = await fetch(`http://${endpoint}/health`, options);
    return `${name} says of its health: ${(await answer.text()).trim().slice(0, 300)}`;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return `${name} does not answer within 3 s, but has not ended`;
    }
    const why = logs()
      .split('\n')
      .find((line) => endings.test(line));
    return `${name} has ended${why === undefined ? '' : `: ${why.slice(0, 300)}`}`;
  }
}

interface Stoppable {
  stop(): Promise<void>;
}

async function stopAll(all: readonly Stoppable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) await one.stop().catch((error: unknown) => failures.push(error));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'several did not stop');
}
