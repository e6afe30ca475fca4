/** The arguments of `lint`. */
import type { Command } from 'commander';
import { usageError } from '../exit';
import { SEVERITIES } from '../lint/report';
import { oneOf } from './choice';
import { lintFormats, type LintPlan } from './plan';

export interface LintFlags {
  readonly output?: string;
  readonly severity?: string;
}

export function addLintFlags(command: Command): void {
  command
    .argument('[files...]', 'files, folders, or - for standard input')
    .option('-o, --output <format>', `${lintFormats.join('|')} (default: "text")`)
    .option(
      '--severity <least>',
      `the least that is shown: ${SEVERITIES.join('|')} (default: "information")`,
    );
}

export function lintPlan(paths: readonly string[], given: LintFlags): LintPlan {
  if (paths.length === 0) {
    throw usageError(
      'FILE is missing: give files, folders, or - for standard input; see "etcd-list lint --help"',
    );
  }
  return {
    command: 'lint',
    paths,
    output: oneOf('--output', given.output ?? 'text', lintFormats),
    severity: oneOf('--severity', given.severity ?? 'information', SEVERITIES),
  };
}
