/** A process that answers each line of JSON with one, within a time. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { lastComplaint } from './complaint';

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

export interface Program {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Milliseconds for each answer. */
  readonly patienceMs: number;
}

interface Waiting {
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** For the profile of a profiled process, which it writes last. */
const endingMs = 60_000;

export class LineProcess {
  private readonly waiting: Waiting[] = [];
  private readonly errors: string[] = [];
  private ended: Error | undefined;

  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, Readable>,
    readonly pid: number,
    private readonly program: Program,
  ) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.waiting.shift()?.resolve(line);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.errors.push(text));
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      const last = lastComplaint(this.errors.join(''));
      const how = `${program.name} ended (${String(code ?? signal)})`;
      this.ended = new Error(last === undefined ? how : `${how}: ${last}`);
      for (const { reject } of this.waiting.splice(0)) reject(this.ended);
    });
  }

  /** Rejects, naming it, when it cannot be started. */
  static async start(program: Program, children: Children): Promise<LineProcess> {
    const { name, path, args } = program;
    const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    children.add(child);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw new Error(`${name} did not start: ${(error as Error).message}`, { cause: error });
    }
    if (child.pid === undefined) throw new Error(`${name} did not start`);
    return new LineProcess(child, child.pid, program);
  }

  /** The next line it writes of itself; rejects when none comes in time, and ends it then. */
  line(): Promise<string> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    const { name, patienceMs } = this.program;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`${name} did not answer within ${patienceMs / 1000} s`));
        this.child.kill('SIGKILL');
      }, patienceMs);
      this.waiting.push({
        resolve: (line) => {
          clearTimeout(timer);
          resolve(line);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
    });
  }

  ask(question: unknown): Promise<string> {
    const answer = this.line();
    this.child.stdin.write(`${JSON.stringify(question)}\n`);
    return answer;
  }

  /** Why it ended, where it ends within a second: the kernel knows of its end before we do. */
  async whyEnded(): Promise<Error | undefined> {
    if (this.ended === undefined) {
      const waiting = AbortSignal.timeout(1_000);
      await once(this.child, 'close', { signal: waiting }).catch(() => undefined);
    }
    return this.ended;
  }

  /** Rejects when it does not end of itself, and ends it then. */
  async stop(): Promise<void> {
    if (this.ended !== undefined) return;
    const gone = once(this.child, 'close');
    this.child.stdin.end();
    const time = { isOver: false };
    const timer = setTimeout(() => {
      time.isOver = true;
      this.child.kill('SIGKILL');
    }, endingMs);
    await gone;
    clearTimeout(timer);
    if (time.isOver)
      throw new Error(`${this.program.name} did not end within ${endingMs / 1000} s`);
  }
}
