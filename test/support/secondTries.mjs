/**
 * Names the tests that passed at a second try only, where a project allows one: none of them is to go
 * unseen. A reporter of vitest.
 */
export default class SecondTries {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const again = tests.filter((test) => {
      const { retryCount = 0 } = test.diagnostic() ?? {};
      return retryCount > 0 && test.result().state === 'passed';
    });
    if (again.length === 0) return;
    console.log(`Passed at the second try only: ${again.length}`);
    for (const test of again) console.log(`  ${test.module.relativeModuleId}: ${test.fullName}`);
  }
}
