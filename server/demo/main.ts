/** The demo cluster as a process: pods as its argument, messages to whoever forked it. */
import '../common/quiet';
import { startDemoEtcd } from './demoEtcd';
import { seedCluster } from './seed';

const defaultPods = 20_000;

function send(message: object): void {
  process.send?.(message);
}

async function main(): Promise<void> {
  const pods = Number(process.argv[2] ?? defaultPods);
  const etcd = await startDemoEtcd({ logCalls: false });
  send({ kind: 'listening' });
  const { total } = await seedCluster(etcd.store, { pods });
  send({ kind: 'ready', endpoint: etcd.endpoint, objects: total });
}

function failed(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  send({
    kind: 'failed',
    sentence: `The demo cluster cannot start (${text}): try again, perhaps with fewer pods.`,
  });
  process.exitCode = 1;
  process.disconnect();
}

// Whoever started it is gone, in whatever way.
process.on('disconnect', () => process.exit());
main().catch(failed);
