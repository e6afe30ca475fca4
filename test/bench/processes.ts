/** The measured processes, and what one run of each costs. */
import { requirePinned } from '../oracle/binary.mjs';
import { LineProcess, type Children } from './lineProcess';
import { Meter, ProcessGone, type CpuClock } from './proc';
import { outcomeOf } from './told';
import type { Ask, ListWork, Outcome, RateWork, Sent } from './work';

/** One run of one side. Times in milliseconds, memory in bytes. */
export interface Sample extends Outcome {
  readonly cpu: number;
  readonly etcdCpu: number;
  /** Peak of the process since it was idle, less what it had then. */
  readonly memory: number;
}

/** Throws what it says of a failure. */
function answerOf(line: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(line);
  } catch {
    throw new Error(`answered what is no JSON: ${line.slice(0, 60)}`);
  }
  if (typeof answer === 'object' && answer !== null && 'failure' in answer) {
    throw new Error(String(answer.failure));
  }
  return answer;
}

interface Measured {
  readonly process: LineProcess;
  readonly meter: Meter;
}

/** Runs a question to a process and says what it cost that process and etcd. */
async function sampled(
  { process, meter }: Measured,
  { etcdCpu }: Surroundings,
  run: (process: LineProcess) => Promise<Outcome>,
): Promise<Sample> {
  try {
    const [cpuBefore, etcdBefore] = [meter.cpu.ms(), etcdCpu.ms()];
    const outcome = await run(process);
    return {
      ...outcome,
      cpu: meter.cpu.ms() - cpuBefore,
      etcdCpu: etcdCpu.ms() - etcdBefore,
      memory: meter.memory(),
    };
  } catch (error) {
    if (!(error instanceof ProcessGone)) throw error;
    throw (await process.whyEnded()) ?? error;
  }
}

export interface Surroundings {
  readonly endpoint: string;
  readonly etcdCpu: CpuClock;
  readonly children: Children;
  /** Milliseconds for each answer. */
  readonly patienceMs: number;
  /** The bundle that measured processes of Node.js run. */
  readonly side: string;
  readonly profile: string | undefined;
}

/** A measured process of Node.js. */
export class NodeSide {
  private constructor(
    private readonly measured: Measured,
    private readonly around: Surroundings,
  ) {}

  static async start(name: string, around: Surroundings, profiled = false): Promise<NodeSide> {
    const { side, endpoint, children, profile, patienceMs } = around;
    const profiling =
      profiled && profile !== undefined
        ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`]
        : [];
    const args = [...profiling, '--enable-source-maps', side, endpoint];
    const program = { name, path: process.execPath, args, patienceMs };
    const started = await LineProcess.start(program, children);
    await started.line();
    return new NodeSide({ process: started, meter: new Meter(started.pid, name) }, around);
  }

  ask(ask: Ask): Promise<Sample> {
    return sampled(this.measured, this.around, async (process) =>
      outcomeOf(answerOf(await process.ask(ask))),
    );
  }

  stop(): Promise<void> {
    return this.measured.process.stop();
  }
}

/** What it answers is of another program, perhaps; only what is an object is looked into. */
async function question(
  oracle: LineProcess,
  asked: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = answerOf(await oracle.ask(asked));
  if (typeof answer !== 'object' || answer === null) {
    throw new Error(`answered ${JSON.stringify(answer)}`);
  }
  return answer as Record<string, unknown>;
}

function versionsOf({ versions }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(versions) ? versions.map(String) : [];
}

/** It counts its requests by naming them, and a floor, which asks nothing of its own, has null. */
function benchOf({ bench }: Readonly<Record<string, unknown>>): Outcome {
  if (typeof bench !== 'object' || bench === null) throw new Error('answered no bench');
  const { requests, ...told } = bench as Record<string, unknown>;
  if (requests === null || requests === undefined) return outcomeOf(told);
  const outcome = outcomeOf({ ...told, requests });
  return { ...outcome, requestCount: outcome.requests?.length ?? 0 };
}

/** Upstream's code, and etcd's client for Go, in a process of their own. */
export class OracleSide {
  private constructor(
    private readonly measured: Measured,
    private readonly around: Surroundings,
    /** Modules that it is built with, as `path version`. */
    readonly versions: readonly string[],
  ) {}

  /** Rejects an oracle on other versions than pinned. */
  static async start(binary: string, around: Surroundings): Promise<OracleSide> {
    const name = 'the oracle';
    const program = { name, path: binary, args: [], patienceMs: around.patienceMs };
    const started = await LineProcess.start(program, around.children);
    const versions = versionsOf(await question(started, { op: 'versions' }));
    requirePinned(versions);
    await question(started, { op: 'connect', endpoint: around.endpoint });
    const measured = { process: started, meter: new Meter(started.pid, name) };
    return new OracleSide(measured, around, versions);
  }

  list(list: ListWork): Promise<Sample> {
    return this.bench({
      mode: 'store',
      list: {
        root: list.root,
        resourcePrefix: '/pods/',
        key: '/pods/',
        recursive: true,
        stream: list.stream,
        limit: String(list.limit),
        labelSelector: list.label,
        fieldSelector: list.field,
      },
    });
  }

  async floor(mode: 'client' | 'raw', requests: readonly Sent[]): Promise<Sample> {
    const { items, ...sample } = await this.bench({ mode, requests });
    return mode === 'raw' || items === undefined ? sample : { ...sample, keys: items };
  }

  rate(rate: RateWork): Promise<Sample> {
    return this.bench({ ...rate });
  }

  stop(): Promise<void> {
    return this.measured.process.stop();
  }

  private bench(bench: Record<string, unknown>): Promise<Sample> {
    return sampled(this.measured, this.around, async (process) =>
      benchOf(await question(process, { op: 'bench', bench })),
    );
  }
}
