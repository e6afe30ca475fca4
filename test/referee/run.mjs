// `npm run test:referee`: the comparison with upstream at any length. See USAGE.
import { parseArgs } from 'node:util';
import { ensureInstalled, runNode } from '../../setup.mjs';
import { getEtcds } from '../etcd/get.mjs';
import { getOracle } from '../oracle/binary.mjs';
import { readSetting } from './limits.mjs';
import { playOne } from './playOne.mjs';

const USAGE = `npm run test:referee -- [--cases N] [--seed N] [-t PATTERN] [FILE …]
npm run test:referee -- --replay FILE
npm run test:referee -- --seed N --case [NAME:]N

Compares the engine with Kubernetes' own code, on an etcd of its own. Needs Go the first time.

  --cases N     how many of each kind, 5000 unless given; short runs meet fewer kinds and say which
  --seed N      repeats the run that named this seed; of chance unless given
  -t PATTERN    only tests whose names match
  FILE          only test files whose paths have this in them: lists, texts, kinds, cached
  --            what follows goes to vitest

  --replay FILE plays one plan again, as a run that met a difference prints and keeps it, and shows
                what both sides answer, side by side; - is standard input
  --case N      the same of a plan of this seed, by its number: 17, pinned:17

ETCD_LIST_CACHE names the folder of built servers and oracles, ETCD_BIN an etcd to use instead.`;

function readArguments() {
  const options = {
    cases: { type: 'string' },
    seed: { type: 'string' },
    testNamePattern: { type: 'string', short: 't' },
    replay: { type: 'string' },
    case: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  };
  const [own, others] = splitAt(process.argv.slice(2), '--');
  const { values, positionals } = parseArgs({ args: own, options, allowPositionals: true });
  for (const setting of ['cases', 'seed']) {
    if (values[setting] !== undefined) readSetting(setting, values[setting], `--${setting}`);
  }
  const given = { ...values, files: [...positionals, ...others] };
  refuseTogether(given);
  return given;
}

/** Throws where options are given that mean nothing together. */
function refuseTogether({ replay, case: name, seed, cases, testNamePattern, files }) {
  const one = replay === undefined ? '--case' : '--replay';
  if (replay === undefined && name === undefined) return;
  if (replay !== undefined && (name !== undefined || seed !== undefined)) {
    throw new RangeError(
      '--replay takes its plan from the file, so it goes with no seed and no case',
    );
  }
  if (name !== undefined && seed === undefined) {
    throw new RangeError('--case goes with --seed: its plan depends on both');
  }
  if (cases !== undefined || testNamePattern !== undefined || files.length > 0) {
    throw new RangeError(`${one} plays one plan, so it goes with no number, pattern or test file`);
  }
}

function splitAt(list, mark) {
  const at = list.indexOf(mark);
  return at < 0 ? [list, []] : [list.slice(0, at), list.slice(at + 1)];
}

/** Resolves to the exit code: 2 for arguments that are none. */
async function main() {
  let given;
  try {
    given = readArguments();
  } catch (error) {
    console.error(`referee: ${error.message.split('. ')[0]}\n\n${USAGE}`);
    return 2;
  }
  if (given.help) {
    console.log(USAGE);
    return 0;
  }
  const { cases, seed, testNamePattern, files } = given;
  if (given.replay !== undefined || given.case !== undefined) {
    ensureInstalled();
    process.env.REQUIRE_ALL = '1';
    return playOne(given, prepare);
  }
  if (cases !== undefined) process.env.REFEREE_CASES = cases;
  // Without a seed, one of chance; it is printed, and repeats the run.
  process.env.REFEREE_SEED =
    seed ?? (process.env.REFEREE_SEED || String(Math.floor(Math.random() * 2 ** 31)));
  // Asked for by name, the comparison must not pass by being skipped.
  process.env.REQUIRE_ALL = '1';
  console.log(`referee: seed ${process.env.REFEREE_SEED}`);
  return compare(testNamePattern === undefined ? files : ['-t', testNamePattern, ...files]);
}

/** Gets etcd and oracle; 0, or having said what is missing the exit code of that. */
function prepare() {
  const missing = getEtcds().filter((version) => version !== '3.4');
  if (missing.length > 0) {
    console.error(`referee: there is no etcd ${missing.join(', ')}, so nothing was compared`);
    return 1;
  }
  try {
    getOracle();
  } catch (error) {
    console.error(`referee: nothing was compared: ${error.message}`);
    return 1;
  }
  return 0;
}

async function compare(rest) {
  ensureInstalled();
  const code = prepare();
  if (code !== 0) return code;
  const reporters = ['--reporter=default', '--reporter=./test/referee/summary.mjs'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'referee', ...reporters];
  return runNode(...vitest, ...rest);
}

process.exitCode = await main();
