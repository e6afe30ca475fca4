/** The arguments of `metrics`, and the flag with which lists write their own. */
import type { Command } from 'commander';
import { SORTS } from '../../metrics/scrape/report';
import { usageError } from '../exit';
import { cell } from '../output/text';
import { parseCount, parseDuration } from '../quantities';
import { oneOf } from './choice';
import { metricsFormats, type MetricsPlan } from './plan';

export interface MetricsFlags {
  readonly since?: readonly string[];
  readonly interval?: string;
  readonly output?: string;
  readonly sort?: string;
  readonly byServer?: boolean;
  readonly top?: string;
}

const collect = (file: string, before: readonly string[] = []): string[] => [...before, file];

export function addMetricsFlags(command: Command): void {
  command
    .argument('[files...]', 'scrapes of /metrics, or - for standard input')
    .option(
      '--since <file>',
      'an older scrape of the same servers: tells what came in between; may be given again',
      collect,
    )
    .option('--interval <duration>', 'time between the two, for rates, where they have no times')
    .option('-o, --output <format>', `${metricsFormats.join('|')} (default: "table")`)
    .option(
      '--sort <by>',
      `${SORTS.join('|')}: fetched and evaluated for each one returned (default: "fetched")`,
    )
    .option('--by-server', 'a row for each resource of each API server')
    .option('--top <n>', 'at most n rows of each table');
}

export function metricsPlan(files: readonly string[], given: MetricsFlags): MetricsPlan {
  const { since = [], interval } = given;
  refuseFiles(files, since);
  if (interval !== undefined && since.length === 0) {
    throw usageError('--interval is the time between two scrapes: give the older one with --since');
  }
  const between = interval === undefined ? undefined : parseDuration('--interval', interval) / 1000;
  if (between === 0) throw usageError('--interval is 0: give the time between the two scrapes');
  return {
    command: 'metrics',
    files,
    since,
    seconds: between,
    output: oneOf('--output', given.output ?? 'table', metricsFormats),
    sort: oneOf('--sort', given.sort ?? 'fetched', SORTS),
    byServer: given.byServer ?? false,
    top: topOf(given.top),
  };
}

function refuseFiles(files: readonly string[], since: readonly string[]): void {
  if (files.length === 0) {
    throw usageError(
      'FILE is missing: give what an API server says at /metrics, or - for standard input; see "etcd-list metrics --help"',
    );
  }
  const all = [...files, ...since];
  const twice = all.find((file, i) => all.indexOf(file) !== i);
  if (twice === undefined) return;
  const name = twice === '-' ? 'standard input' : `"${cell(twice)}"`;
  throw usageError(`${name} is given twice: each scrape is read once`);
}

function topOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const top = Number(parseCount('--top', text, 'give how many rows are shown'));
  if (top === 0) throw usageError('--top 0 shows nothing: give how many rows are shown');
  return top;
}

/** Of commands that run lists. */
export function addMetricsFlag(command: Command): void {
  command.optionsGroup('What is counted:');
  command.option(
    '--metrics <file>',
    "write what was counted to this file, as Prometheus text under the API server's names",
  );
}

export function metricsFileOf(given: { readonly metrics?: string }): string | undefined {
  const { metrics } = given;
  if (metrics === undefined) return undefined;
  if (metrics === '' || metrics === '-') {
    throw usageError('--metrics needs a file: rows have standard output for themselves');
  }
  return metrics;
}
