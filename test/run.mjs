// `npm test`: installs, builds and gets what the tests need, runs them all, and closes with their
// numbers. Arguments go to vitest.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureInstalled, root, runNode } from '../setup.mjs';
import { getEtcds } from './etcd/get.mjs';
import { getOracle } from './oracle/binary.mjs';

const build = join(root, 'build');
const report = join(build, 'vitest.json');

/** A file that did not even load, or whose set-up failed, has no failed test of its own. */
function brokenFiles({ testResults }) {
  return testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
}

function closingLine() {
  const results = JSON.parse(readFileSync(report, 'utf8'));
  const failed = results.numFailedTests + brokenFiles(results);
  const skipped = results.numPendingTests + results.numTodoTests;
  const line = `${results.numPassedTests} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

function must(step, code) {
  if (code === 0) return;
  console.error(`${step} failed, so no test ran.`);
  process.exit(1);
}

/** Made here, where its line is seen: the test runner keeps what its set-up prints. */
function makeOracle() {
  try {
    getOracle();
    return 0;
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

ensureInstalled();
mkdirSync(build, { recursive: true });
rmSync(report, { force: true });
rmSync(join(build, 'etcd-logs'), { recursive: true, force: true });
must('The build', await runNode('esbuild.mjs', '--quiet'));
const missing = getEtcds();
must('REQUIRE_ALL=1: getting every etcd', process.env.REQUIRE_ALL === '1' ? missing.length : 0);
must('REQUIRE_ALL=1: building the oracle', makeOracle());

const onPath = (tool) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));
const tools = ['go', 'openssl', 'script'].filter((tool) => !onPath(tool));
const wanting = [...missing.map((version) => `etcd ${version}`), ...tools];

process.exitCode = await runNode(
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=./test/support/secondTries.mjs',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
);
// Without a report vitest could not begin, and has said why.
if (existsSync(report)) {
  if (wanting.length > 0) console.log(`Skipped for want of: ${wanting.join(', ')}`);
  console.log(closingLine());
}
