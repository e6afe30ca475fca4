/** What a run tells of a difference, and keeps of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { ClusterPlan } from './plans/plan';
import { planText, type PlanFile } from './plans/planFile';

/** Where a plan came from. */
export interface Origin {
  readonly seed: number;
  readonly family: string;
  /** Which of the family's plans, from zero. */
  readonly index: number;
  readonly etcd: PlanFile['etcd'];
}

export const plansFolder = resolve(import.meta.dirname, '../../build/referee');

/** Writes the plan and returns the file's path from the current folder on. */
export function keepPlan(name: string, text: string, folder = plansFolder): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${text}\n`);
  return relative(process.cwd(), file) || file;
}

export const caseName = ({ family, index }: Pick<Origin, 'family' | 'index'>): string =>
  `${family}:${String(index)}`;

const command = 'npm run test:referee --';

/** The difference, its plan, and the commands that play it again. */
export function tellDifference(
  text: string,
  plan: ClusterPlan,
  origin: Origin,
  folder = plansFolder,
): string {
  const { seed, family, index, etcd } = origin;
  const whole = `${command} --seed ${String(seed)} --case ${caseName(origin)}`;
  const printed = planText(etcd, plan);
  const lines = [
    `seed ${String(seed)}: ours differs from upstream`,
    text,
    `plan: ${printed}`,
    ...kept(`seed-${String(seed)}-${family}-${String(index)}`, printed, folder),
    `the plan before it was made small: ${whole}`,
  ];
  return lines.join('\n  ');
}

/** A plan that cannot be kept is still printed. */
function kept(name: string, text: string, folder: string): string[] {
  try {
    const file = keepPlan(name, text, folder);
    return [`plan kept in ${file}`, `this plan again: ${command} --replay ${file}`];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      `plan not kept: ${why}`,
      `this plan again: ${command} --replay - and the plan as input`,
    ];
  }
}
