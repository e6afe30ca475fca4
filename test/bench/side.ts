/** One measured process of Node.js: `side.cjs ENDPOINT`, then one JSON line for each run. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Etcd3 } from 'etcd3';
import { connect } from '../../server/etcd/connect';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { listToTheEnd, naiveToTheEnd } from './engine';
import { Floor } from './floor';
import { rateOf } from './rates';
import type { Answer, Ask, Outcome } from './work';

/** Who asks has a limit of time for each answer, shorter than this; a reply may have any size. */
const limits = { deadlineMs: 3_600_000, byteBudget: -1 };

class Side {
  private readonly etcd: EtcdReader;
  private readonly floor: Floor;

  constructor(private readonly endpoint: string) {
    this.etcd = connect({ endpoints: [endpoint], ...limits });
    this.floor = new Floor(endpoint);
  }

  /** Opens the connection, so that the idle process is one that could read at once. */
  async warmUp(): Promise<void> {
    await this.etcd.range({ key: Buffer.of(0), countOnly: true });
  }

  run(ask: Ask): Promise<Outcome> | Outcome {
    switch (ask.op) {
      case 'list':
        return listToTheEnd(this.etcd, ask.list);
      case 'naive':
        return naiveToTheEnd(this.etcd, ask.list);
      case 'floor':
        return this.floor.run(ask.requests);
      case 'getAll':
        return this.getAll(ask.prefix);
      case 'join':
        return { ms: joinTime(ask.bytes) };
      case 'rate':
        return { ms: 0, perSecond: rateOf(ask.rate) };
    }
  }

  close(): void {
    this.etcd.close();
    this.floor.close();
  }

  private async getAll(prefix: string): Promise<Outcome> {
    const client = new Etcd3({
      hosts: `http://${this.endpoint}`,
      grpcOptions: { 'grpc.max_receive_message_length': -1 },
    });
    try {
      const started = performance.now();
      const found = await client.getAll().prefix(prefix).buffers();
      const ms = performance.now() - started;
      const keys = Object.keys(found).length;
      return { ms, items: keys, keys };
    } finally {
      client.close();
    }
  }
}

/** HTTP/2 hands data out in frames of this size. */
const frameBytes = 16 * 1024;

function joinTime(bytes: number): number {
  const frames: Buffer[] = [];
  for (let left = bytes; left > 0; left -= frameBytes) {
    frames.push(Buffer.alloc(Math.min(left, frameBytes), 1));
  }
  const started = performance.now();
  Buffer.concat(frames, bytes);
  return performance.now() - started;
}

async function watched(ask: Ask, side: Side): Promise<Outcome> {
  if (!('loop' in ask && ask.loop)) return side.run(ask);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const outcome = await side.run(ask);
  // The last block ends in this very turn; the monitor's timer must come once more.
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return { ...outcome, longestBlock: delay.max / 1e6 };
}

async function answer(side: Side, line: string): Promise<Answer> {
  try {
    return await watched(JSON.parse(line) as Ask, side);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function main(endpoint: string): Promise<void> {
  const side = new Side(endpoint);
  await side.warmUp();
  process.stdout.write(`${JSON.stringify({ ms: 0 })}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await answer(side, line))}\n`);
  }
  side.close();
}

// Ctrl-C in a terminal reaches every process of the run; the first one ends this one.
process.on('SIGINT', () => undefined);
void main(process.argv[2] ?? '');
