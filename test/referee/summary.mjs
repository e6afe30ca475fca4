/**
 * Closes a referee's run with what it compared, and how to repeat it. A run that compared nothing has
 * shown nothing, so it fails. A reporter of vitest.
 */
export default class Summary {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const compared = sumUp(tests.map((test) => test.meta().compared ?? {}));
    const total = [...compared.values()].reduce((sum, count) => sum + count, 0);
    const { REFEREE_CASES: cases = '5000', REFEREE_SEED: seed } = process.env;
    console.log(`referee: ${total} comparisons${total > 0 ? `: ${listed(compared)}` : ''}`);
    console.log(`referee: ${verdict(modules, tests, total)}`);
    console.log(`referee: repeat with npm run test:referee -- --cases ${cases} --seed ${seed}`);
    if (total === 0) process.exitCode = 1;
  }
}

function sumUp(counts) {
  const sums = new Map();
  for (const [what, count] of counts.flatMap((one) => Object.entries(one))) {
    sums.set(what, (sums.get(what) ?? 0) + count);
  }
  return sums;
}

const listed = (compared) => [...compared].map(([what, count]) => `${count} ${what}`).join(', ');

function verdict(modules, tests, total) {
  const failed = tests.filter((test) => test.result().state === 'failed').length;
  const broken = modules.filter((module) => module.errors().length > 0).length;
  if (failed + broken > 0) return `FAILED: ${failed} tests, ${broken} files that did not load`;
  return total > 0 ? 'no difference' : 'FAILED: nothing was compared';
}
