/** The commands around the comparison: what they refuse, in a line and not in a stack trace. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { oraclePath } from '../oracle/binary.mjs';

const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'runs-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
}

describe('npm run test:referee', () => {
  it.each([
    [['--cases', '0'], "--cases takes a whole number from 1 to 10000000, not '0'"],
    [['--cases', '99999999999999999999'], '--cases takes a whole number'],
    [['--seed', '9007199254740991'], '--seed takes a whole number from 0 to 2147483647'],
    [['--sed', '5'], "Unknown option '--sed'"],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = run(['test/referee/run.mjs', ...args]);
    expect(status).toBe(2);
    expect(stderr).toContain(`referee: ${message}`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('says what it takes', () => {
    const { status, stdout } = run(['test/referee/run.mjs', '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/--cases N.*--seed N/s);
  });

  it('fails when nothing is compared, whatever REQUIRE_ALL says', () => {
    const args = ['test/referee/run.mjs', 'texts', '-t', 'no such test'];
    const { status, stdout, stderr } = run(args, { REQUIRE_ALL: '0' });
    expect(status).toBe(1);
    expect(stdout + stderr).toMatch(/nothing was compared/);
  });
});

describe('node test/oracle/describe.mjs', () => {
  /** Runs it with a cache that holds this program as the oracle. */
  function withOracle(name: string, text: string) {
    const cache = join(scratch, name);
    const binary = join(cache, 'oracle', basename(dirname(oraclePath())), basename(oraclePath()));
    mkdirSync(dirname(binary), { recursive: true });
    writeFileSync(binary, text);
    chmodSync(binary, 0o755);
    return run(['test/oracle/describe.mjs'], { ETCD_LIST_CACHE: cache });
  }

  it.each([
    ['null', '#!/bin/sh\ncat >/dev/null; echo null; echo null\n', 'is no answer: null'],
    ['silent', '#!/bin/sh\ncat >/dev/null\n', 'gave 0 of 2 answers'],
    ['empty', '', 'describe: the oracle '],
    [
      'older',
      '#!/bin/sh\ncat >/dev/null; echo \'{"versions":["k8s.io/apiserver v0.1.0"]}\'; echo {}\n',
      'describe: the oracle is not on k8s.io/apiserver',
    ],
  ])('refuses an oracle that is %s', (name, text, message) => {
    const { status, stderr } = withOracle(name, text);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
