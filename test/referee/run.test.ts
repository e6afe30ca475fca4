/** The commands around the comparison: what they refuse, in a line and not in a stack trace. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { oraclePath } from '../oracle/binary.mjs';
import { etcdMissing } from '../support/etcdServer';
import { requireOrSkip } from '../support/requireOrSkip';
import { waitFor } from '../support/waitFor';

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

const notLinux = requireOrSkip('Linux', process.platform === 'linux', 'the test reads /proc');

describe.skipIf(notLinux || etcdMissing('3.7'))('Ctrl-C', () => {
  it('leaves no etcd and none of its data behind', async () => {
    const script = join(root, 'test', 'support', `interrupted-${String(process.pid)}.mjs`);
    buildSync({
      stdin: {
        contents: `import { startEtcd } from './test/support/etcdServer';
          console.log((await startEtcd('3.7')).pid);`,
        resolveDir: root,
      },
      ...{
        bundle: true,
        packages: 'external',
        external: ['*/binaries.mjs'],
        format: 'esm',
        platform: 'node',
        outfile: script,
      },
    });
    try {
      // A group of its own, to which the signal goes as a terminal sends it.
      const child = spawn(process.execPath, [script], { cwd: root, detached: true });
      const [printed] = (await Promise.race([
        once(child.stdout, 'data'),
        once(child, 'exit').then(() => [Buffer.from('nothing: it ended')]),
      ])) as [Buffer];
      const args = readFileSync(`/proc/${printed.toString().trim()}/cmdline`, 'utf8').split('\0');
      const data = args.find((arg) => arg.startsWith('--data-dir='))!.slice('--data-dir='.length);
      expect(existsSync(data)).toBe(true);
      process.kill(-child.pid!, 'SIGINT');
      await waitFor(() => !existsSync(data), { what: 'the end of the data' });
      const process_ = `/proc/${printed.toString().trim()}`;
      await waitFor(() => !existsSync(process_), { what: 'the end of etcd' });
    } finally {
      rmSync(script);
    }
  });
});
