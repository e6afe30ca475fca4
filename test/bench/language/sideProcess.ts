/** A measured process, and what it answers. */
import { LineProcess, type Children } from '../lineProcess';
import { Meter } from '../proc';
import type { Ask, Outcome } from './work';

export interface Surroundings {
  readonly children: Children;
  /** Milliseconds for each answer. */
  readonly patienceMs: number;
  /** The bundle that measured processes run. */
  readonly side: string;
  /** Where texts are kept while they are measured. */
  readonly folder: string;
  readonly progress: (text: string) => void;
}

export class LanguageSide {
  private constructor(
    private readonly process: LineProcess,
    private readonly name: string,
  ) {}

  static async start(name: string, around: Surroundings): Promise<LanguageSide> {
    const { side, children, patienceMs } = around;
    const args = ['--expose-gc', '--enable-source-maps', side];
    const program = { name, path: process.execPath, args, patienceMs };
    const started = await LineProcess.start(program, children);
    await started.line();
    return new LanguageSide(started, name);
  }

  /** Counts memory from now on. */
  meter(): Meter {
    return new Meter(this.process.pid, this.name);
  }

  async ask(ask: Ask): Promise<Outcome> {
    const answer: unknown = JSON.parse(await this.process.ask(ask));
    if (typeof answer === 'object' && answer !== null) {
      if ('failure' in answer) throw new Error(`${this.name}: ${String(answer.failure)}`);
      if ('ms' in answer && Number.isFinite(answer.ms) && 'counts' in answer) {
        return answer as Outcome;
      }
    }
    throw new Error(`${this.name} answered what is no outcome`);
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}
