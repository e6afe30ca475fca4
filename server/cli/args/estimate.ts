/** The arguments that say what an estimate is reckoned from: given by hand, or measured. */
import { Option, type Command } from 'commander';
import { exactly } from '../../explain/estimateCost';
import { MOST_KEYS, parseShare } from '../../explain/estimateGiven';
import type { Matches, StoredKeys } from '../../explain/estimateModel';
import { usageError } from '../exit';
import { cell } from '../output/text';
import { parseCount, parseSize, thousands } from '../quantities';
import type { CostPlan } from './plan';

export interface EstimateFlags {
  readonly keys?: string;
  readonly matchRate?: string;
  readonly objectSize?: string;
  readonly clustered?: boolean;
  readonly measure?: boolean;
}

const flags: readonly (readonly [string, string])[] = [
  ['--keys <n>', 'keys that the list ranges over'],
  ['--match-rate <share>', 'how many of them the selectors select, such as 1% or 0.01'],
  ['--object-size <size>', 'mean size of an object with its key, as stored, such as 2KiB'],
  ['--clustered', 'objects that match stand side by side in place of evenly spread'],
  ['--measure', 'ask etcd for all that: at most 500 objects, 16 MiB and 24 keys more are read'],
];

export function addEstimateFlags(command: Command): void {
  for (const [flag, description] of flags) command.addOption(new Option(flag, description));
}

export function costPlan(given: EstimateFlags): CostPlan {
  const { keys, matchRate, objectSize, clustered, measure } = given;
  const byHand: readonly (readonly [string, unknown])[] = [
    ['--keys', keys],
    ['--match-rate', matchRate],
    ['--object-size', objectSize],
    ['--clustered', clustered],
  ];
  const found = byHand.find(([, value]) => value !== undefined)?.[0];
  if (measure === true) {
    if (found === undefined) return { kind: 'measure' };
    throw usageError(`${found} does not go with --measure: what is measured is not given by hand`);
  }
  if (found === undefined) return { kind: 'none' };
  if (keys === undefined) {
    throw usageError(`${found} needs --keys: say how many keys the list ranges over`);
  }
  return { kind: 'given', stored: storedBy(keys, given) };
}

function storedBy(text: string, { matchRate, objectSize, clustered }: EstimateFlags): StoredKeys {
  const keys = parseCount('--keys', text, 'give the number of keys');
  if (keys > BigInt(MOST_KEYS)) {
    throw usageError(`--keys ${text} is too large: give at most ${thousands(MOST_KEYS)}`);
  }
  if (clustered === true && matchRate === undefined) {
    throw usageError('--clustered needs --match-rate: say how many of the keys match');
  }
  const size =
    objectSize === undefined
      ? {}
      : { bytesPerKey: exactly(parseSize('--object-size', objectSize)) };
  const matches: Matches =
    matchRate === undefined
      ? { kind: 'unknown' }
      : { kind: 'share', share: exactly(shareOf(matchRate)), clustered: clustered ?? false };
  return { keys: Number(keys), ...size, matches, source: { kind: 'given' } };
}

function shareOf(text: string): number {
  const share = parseShare(text);
  if (share !== undefined) return share;
  throw usageError(
    `--match-rate "${cell(text)}" is no share: write it like 1% or 0.01, from 0% to 100%`,
  );
}
