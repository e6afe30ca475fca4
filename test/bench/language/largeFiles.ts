/** Texts of many megabytes, each run in a process of its own, whose peak of memory is its alone. */
import { median } from '../statistics';
import { writeText } from './files';
import type { Shape } from './manifest';
import { LanguageSide, type Surroundings } from './sideProcess';
import type { Ask, Outcome } from './work';

export interface LargeRun extends Outcome {
  /** Bytes of the peak above the process that has the text and nothing else. */
  readonly memory: number;
}

export interface LargeResult {
  readonly shape: Shape;
  readonly bytes: number;
  readonly ours: readonly LargeRun[];
  /** Of the `yaml` package with all left out that can be, once, since it takes minutes; or why there is none. */
  readonly parse: LargeRun | string;
}

async function oneRun(file: string, ask: Ask, around: Surroundings): Promise<LargeRun> {
  const side = await LanguageSide.start(`a large manifest, ${ask.op}`, around);
  await side.ask({ op: 'read', file });
  const meter = side.meter();
  const outcome = await side.ask(ask);
  const memory = meter.memory();
  await side.stop();
  return { ...outcome, memory };
}

/** A parse that ends for want of memory is told, and is no failure: it is what is to be seen. */
export async function measureLarge(
  shape: Shape,
  bytes: number,
  rounds: number,
  around: Surroundings,
): Promise<LargeResult> {
  const file = writeText(around, shape, { bytes });
  const size = `${Math.round(bytes / 1e6)} MB as ${shape}`;
  around.progress(`${size}: yaml`);
  const parse = await oneRun(file, { op: 'parse', how: 'lean' }, around).catch(
    (error: unknown) => (error as Error).message,
  );
  const ours: LargeRun[] = [];
  for (let round = 0; round < rounds; round++) {
    around.progress(`${size}: round ${round + 1} of ${rounds}`);
    ours.push(await oneRun(file, { op: 'analyse' }, around));
  }
  return { shape, bytes, ours, parse };
}

export const middleMs = (runs: readonly LargeRun[]): number => median(runs.map(({ ms }) => ms));
export const peak = (runs: readonly LargeRun[]): number =>
  Math.max(...runs.map(({ memory }) => memory));
