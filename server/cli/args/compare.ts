/** The arguments of `compare`: what is listed, and in which ways. */
import { Option, type Command } from 'commander';
import { wayNames, type WayName } from '../../compare/model';
import type { Environment } from '../context';
import { usageError } from '../exit';
import { cell } from '../output/text';
import { parseCount } from '../quantities';
import { oneOf } from './choice';
import { addConnectionFlags } from './connection';
import { getPlan, type GetFlags } from './get';
import { compareFormats, receiptForms, type ComparePlan } from './plan';

export interface CompareFlags extends GetFlags {
  readonly toTheEnd?: boolean;
  readonly ways?: string;
  readonly repeat?: string;
  readonly yes?: boolean;
}

const flags: readonly (readonly [string, string])[] = [
  ['-n, --namespace <name>', 'one namespace; without it all are listed: etcd has no current one'],
  ['-A, --all-namespaces', 'all namespaces, the default; wins over -n'],
  ['-l, --selector <selector>', "label selector, such as 'app=nginx,tier in (web,api)'"],
  ['--field-selector <selector>', 'field selector, such as spec.nodeName=node-1'],
  ['--limit <n>', 'what the client asks for: one LIST of at most n objects'],
  ['--to-the-end', 'go on through all continue tokens'],
  ['--ways <list>', `of ${wayNames.join(',')} (default: all)`],
  ['--repeat <n>', 'rounds, each beginning with the next way; times are medians (default: 1)'],
  ['-y, --yes', 'do not ask before reading'],
  ['-o, --output <format>', `${compareFormats.join('|')} (default: "table")`],
  ['--receipt <form>', 'also print every request on standard error: text or json'],
];

export function addCompareFlags(command: Command): void {
  command.argument('[resource|prefix]').allowExcessArguments(true);
  command.optionsGroup('What to compare:');
  for (const [flag, description] of flags) command.addOption(new Option(flag, description));
  addConnectionFlags(command);
}

/** Times of more rounds would say nothing new. */
const MOST_ROUNDS = 100n;

export function comparePlan(
  operands: readonly string[],
  given: CompareFlags,
  env: Environment,
): ComparePlan {
  if (operands.length === 0) {
    throw usageError(
      'compare needs a resource, such as pods, or a prefix, such as /registry/pods/',
    );
  }
  if (operands[1] !== undefined) {
    throw usageError(
      `compare takes one resource or prefix: "${cell(operands[1])}" is one word too many`,
    );
  }
  const limit = limitOf(given.limit);
  const output = oneOf('--output', given.output ?? 'table', compareFormats);
  const receipt =
    given.receipt === undefined ? undefined : oneOf('--receipt', given.receipt, receiptForms);
  const list = getPlan(operands, { ...given, output: 'table' }, env);
  return {
    command: 'compare',
    list,
    limit,
    toTheEnd: given.toTheEnd ?? false,
    ways: waysOf(given.ways),
    rounds: roundsOf(given.repeat ?? '1'),
    agreed: given.yes ?? false,
    output,
    receipt,
  };
}

const WHICH_LIMIT = 'give the size of the page that the client asks for, such as 500';

function limitOf(text: string | undefined): bigint {
  if (text === undefined) throw usageError(`--limit is missing: ${WHICH_LIMIT}`);
  const limit = parseCount('--limit', text, WHICH_LIMIT);
  if (limit > 0n) return limit;
  throw usageError(`--limit 0 is no limit, and no pages: ${WHICH_LIMIT}`);
}

function roundsOf(text: string): number {
  const what = `give how often each way is run, 1 to ${MOST_ROUNDS}`;
  const rounds = parseCount('--repeat', text, what);
  if (rounds >= 1n && rounds <= MOST_ROUNDS) return Number(rounds);
  throw usageError(`--repeat ${text}: ${what}`);
}

function waysOf(text: string | undefined): readonly WayName[] {
  if (text === undefined) return wayNames;
  const words = text.split(',').map((word) => word.trim());
  const ways = words.filter((word) => word !== '').map((word) => oneOf('--ways', word, wayNames));
  const twice = ways.find((way, i) => ways.indexOf(way) !== i);
  if (twice !== undefined) throw usageError(`--ways names ${twice} twice`);
  if (ways.length > 1) return ways;
  throw usageError(`--ways "${cell(text)}" is less than two: give some of ${wayNames.join(', ')}`);
}
