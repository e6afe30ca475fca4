/** The measured processes, and what one run of each costs. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { requirePinned } from '../oracle/binary.mjs';
import { Meter, type CpuClock } from './proc';
import { outcomeOf } from './told';
import type { Ask, ListWork, Outcome, RateWork, Sent } from './work';

/** One run of one side. Times in milliseconds, memory in bytes. */
export interface Sample extends Outcome {
  readonly cpu: number;
  readonly etcdCpu: number;
  /** Peak of the process since it was idle, less what it had then. */
  readonly memory: number;
}

interface Waiting {
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** Every process that was started and has not ended, so that none is left behind. */
export class Children {
  private readonly running = new Set<ChildProcess>();

  add(child: ChildProcess): void {
    this.running.add(child);
    child.once('close', () => this.running.delete(child));
  }

  killAll(): void {
    for (const child of this.running) child.kill('SIGKILL');
  }
}

/** A process that answers each JSON line with one. */
class LineProcess {
  private readonly waiting: Waiting[] = [];
  private readonly errors: string[] = [];
  private ended: Error | undefined;

  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, Readable>,
    readonly pid: number,
    name: string,
  ) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.waiting.shift()?.resolve(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.errors.push(text));
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      const last = this.errors.join('').slice(-2000);
      this.ended = new Error(`${name} ended (${String(code ?? signal)}): ${last}`);
      for (const { reject } of this.waiting.splice(0)) reject(this.ended);
    });
  }

  static async start(
    name: string,
    program: string,
    args: readonly string[],
    children: Children,
  ): Promise<LineProcess> {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    children.add(child);
    await once(child, 'spawn');
    if (child.pid === undefined) throw new Error(`${name} did not start`);
    return new LineProcess(child, child.pid, name);
  }

  /** The next line it writes of itself. */
  line(): Promise<string> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
    });
  }

  ask(question: unknown): Promise<string> {
    const answer = this.line();
    this.child.stdin.write(`${JSON.stringify(question)}\n`);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.ended !== undefined) return;
    const gone = once(this.child, 'close');
    this.child.stdin.end();
    await gone;
  }
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

/** Runs a question to a process and says what it cost that process and etcd. */
async function sampled(
  meter: Meter,
  etcdCpu: CpuClock,
  run: () => Promise<Outcome>,
): Promise<Sample> {
  const [cpuBefore, etcdBefore] = [meter.cpu.ms(), etcdCpu.ms()];
  const outcome = await run();
  return {
    ...outcome,
    cpu: meter.cpu.ms() - cpuBefore,
    etcdCpu: etcdCpu.ms() - etcdBefore,
    memory: meter.memory(),
  };
}

export interface Surroundings {
  readonly endpoint: string;
  readonly etcdCpu: CpuClock;
  readonly children: Children;
  /** The bundle that measured processes of Node.js run. */
  readonly side: string;
  readonly profile: string | undefined;
}

/** A measured process of Node.js. */
export class NodeSide {
  private constructor(
    private readonly process: LineProcess,
    private readonly meter: Meter,
    private readonly around: Surroundings,
  ) {}

  static async start(name: string, around: Surroundings, profiled = false): Promise<NodeSide> {
    const { side, endpoint, children, profile } = around;
    const profiling =
      profiled && profile !== undefined
        ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`]
        : [];
    const args = [...profiling, '--enable-source-maps', side, endpoint];
    const started = await LineProcess.start(name, process.execPath, args, children);
    await started.line();
    return new NodeSide(started, new Meter(started.pid), around);
  }

  ask(ask: Ask): Promise<Sample> {
    return sampled(this.meter, this.around.etcdCpu, async () => {
      return outcomeOf(answerOf(await this.process.ask(ask)));
    });
  }

  stop(): Promise<void> {
    return this.process.stop();
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
    private readonly process: LineProcess,
    private readonly meter: Meter,
    private readonly around: Surroundings,
  ) {}

  static async start(binary: string, around: Surroundings): Promise<OracleSide> {
    const started = await LineProcess.start('the oracle', binary, [], around.children);
    requirePinned(versionsOf(await question(started, { op: 'versions' })));
    await question(started, { op: 'connect', endpoint: around.endpoint });
    return new OracleSide(started, new Meter(started.pid), around);
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
    return this.process.stop();
  }

  private bench(bench: Record<string, unknown>): Promise<Sample> {
    return sampled(this.meter, this.around.etcdCpu, async () =>
      benchOf(await question(this.process, { op: 'bench', bench })),
    );
  }
}
