/** `lint` as a process: exit codes, pipes, signals, and files that mean harm. */
import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellWord } from '../../server/cli/shell';
import { sarifFaults } from '../support/sarif';
import { buildCli, expectCalm, expectGolden, type BuiltCli, type CliResult } from './process';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n';
const BAD = `${POD}    app: x y\n`;
const GOOD = `${POD}    app: web\n`;

let cli: BuiltCli;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lint-'));
  mkdirSync(join(dir, 'tree', 'below'), { recursive: true });
  writeFileSync(join(dir, 'bad.yaml'), BAD);
  writeFileSync(join(dir, 'good.yaml'), GOOD);
  writeFileSync(join(dir, 'tree', 'below', 'bad.json'), BAD_JSON);
  writeFileSync(join(dir, 'tree', 'q.etcdlist'), "list pods -l 'a=1,a=2'\n");
  cli = await buildCli();
});

afterAll(() => {
  cli.remove();
  rmSync(dir, { recursive: true });
});

const BAD_JSON = '{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"app":"x y"}}}';

async function lint(args: readonly string[], input?: string | Uint8Array): Promise<CliResult> {
  const result = await cli.run(['lint', ...args], {
    cwd: dir,
    ...(input === undefined ? {} : { input }),
  });
  expectCalm(result);
  return result;
}

describe('exit codes', () => {
  it('are 0 for none, 1 for an error, 2 for wrong usage', async () => {
    const results = await Promise.all(
      [
        ['good.yaml'],
        ['tree/q.etcdlist'],
        ['bad.yaml'],
        ['absent.yaml'],
        [],
        ['good.yaml', '--severity=x'],
      ].map((args) => lint(args)),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0, 1, 2, 2, 2]);
  });

  it('are those of standard input too', async () => {
    const [good, bad, empty] = await Promise.all([
      lint(['-'], GOOD),
      lint(['-'], BAD),
      lint(['-'], ''),
    ]);
    expect([good.code, bad.code, empty.code]).toEqual([0, 1, 0]);
    expect(bad.stdout).toMatch(/^stdin:5:10: error: metadata\.labels: Invalid value: "x y"/);
  });

  it('hang on no severity that is shown', async () => {
    expect((await lint(['bad.yaml', '--severity=error'])).code).toBe(1);
  });
});

describe('forms', () => {
  it('of a folder name its files, findings alone on standard output', async () => {
    const { code, stdout, stderr } = await lint(['tree']);
    expect(code).toBe(1);
    expectGolden('lint.txt', stdout);
    expect(stderr).toBe('2 files, 1 selector: 1 error, 1 warning\n');
  });

  it('in JSON and SARIF are one document', async () => {
    const [json, sarif] = await Promise.all([
      lint(['tree', '-o', 'json']),
      lint(['tree', '-o', 'sarif']),
    ]);
    expect([json.code, sarif.code]).toEqual([1, 1]);
    expect(JSON.parse(json.stdout)).toMatchObject({ files: 2, counts: { error: 1, warning: 1 } });
    const log = JSON.parse(sarif.stdout) as { runs: { results: unknown[] }[] };
    expect(sarifFaults(log)).toEqual([]);
    expect(log.runs[0]?.results).toHaveLength(2);
  });
});

describe('stopping', () => {
  it('is silent and no failure when the reader goes away', () => {
    const many = join(dir, 'many.yaml');
    writeFileSync(many, `${BAD}---\n`.repeat(2000));
    const command = `${[process.execPath, cli.main, 'lint', many].map(shellWord).join(' ')} 2>"$0" | head -1; echo "\${PIPESTATUS[0]}"`;
    const said = join(dir, 'stderr');
    const out = execFileSync('bash', ['-c', command, said], { encoding: 'utf8' });
    expect(out).toMatch(/^.*many\.yaml:5:10: error: .*\n0\n$/);
    expect(readFileSync(said, 'utf8')).toBe('');
  });

  it('does not wait for standard input', async () => {
    const result = await cli.run(['lint', '-'], {
      keepsInput: true,
      whileRunning: async (child) => {
        // More than a pipe holds: once it is taken, somebody reads.
        await new Promise((resolve) => child.stdin?.write('#'.repeat(1_000_000), resolve));
        child.kill('SIGINT');
      },
    });
    expectCalm(result);
    expect(result.code).toBe(130);
    expect(result.stderr).toBe('interrupted\n');
    expect(result.stdout).toBe('');
  });
});

/** Seconds and mebibytes on a machine that does other work too; ten times what they take on an idle one. */
const MOST = { seconds: 60, mebibytes: 1024 };

interface Measured extends CliResult {
  readonly seconds: number;
  readonly mebibytes: number;
}

async function measured(name: string, content: string | Uint8Array): Promise<Measured> {
  writeFileSync(join(dir, name), content);
  const peak = join(dir, `${name}.peak`);
  const preload = join(dir, 'peak.cjs');
  writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS)));`,
  );
  const started = performance.now();
  const result = await cli.run(['lint', name], {
    cwd: dir,
    env: { NODE_OPTIONS: `--require ${preload}`, PEAK: peak },
  });
  const seconds = (performance.now() - started) / 1000;
  rmSync(join(dir, name));
  return { ...result, seconds, mebibytes: Number(readFileSync(peak, 'utf8')) / 1024 };
}

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('');

const bomb = `labels:\n  a0: &a0 [x,x,x,x,x,x,x,x,x]\n${lines(30, (i) => `  a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join()}]\n`)}`;

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a hostile file', () => {
  it.each<[string, string, () => string | Uint8Array, { code: number; said: RegExp }]>([
    [
      '50 MB in one document',
      'a.yaml',
      () => `${POD}    a: b\nc:\n${'  - {matchLabels: {a: x y}}\n'.repeat(1_800_000)}`,
      { code: 0, said: /too large/ },
    ],
    [
      'a line of 5 MB',
      'b.yaml',
      () => `${POD}    app: ${'x'.repeat(5_000_000)}\n`,
      { code: 0, said: /too large/ },
    ],
    [
      'a line of 3 MB with a label',
      'c.json',
      () => BAD_JSON.replace('x y', 'x '.repeat(1_500_000)),
      { code: 0, said: /too large to be looked at/ },
    ],
    [
      'a query of 5 MB',
      'd.etcdlist',
      () => `kubectl get pods -l ${'x'.repeat(5_000_000)}`,
      { code: 0, said: /too large/ },
    ],
    [
      'a selector of 200 kB',
      'e.etcdlist',
      () => `list pods -l '${'a in (b),'.repeat(20_000)}!'`,
      { code: 1, said: /unable to parse requirement/ },
    ],
    [
      '10,000 documents',
      'f.yaml',
      () => `${BAD}---\n`.repeat(10_000),
      { code: 1, said: /f\.yaml:5:10: error/ },
    ],
    [
      '10,000 queries',
      'g.etcdlist',
      () => "list pods -l 'a in ('\n###\n".repeat(10_001),
      { code: 1, said: /Only 1,000 of 10,001 findings are shown/ },
    ],
    ['an alias bomb', 'h.yaml', () => bomb, { code: 0, said: /^$/ }],
    [
      '100,000 brackets',
      'i.yaml',
      () => `${POD}    app: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
      { code: 0, said: /too deep/ },
    ],
    [
      '3,000 levels',
      'j.yaml',
      () => `${POD}    a: b\nselector:\n${lines(3000, (i) => `${' '.repeat(i + 1)}a:\n`)}`,
      { code: 0, said: /too (?:deep|large)/ },
    ],
    [
      'a program',
      'k.yaml',
      () => readFileSync(process.execPath).subarray(0, 5_000_000),
      { code: 0, said: /holds NUL bytes/ },
    ],
    [
      'noise',
      'l.yaml',
      () => randomBytes(3_000_000).map((byte) => byte || 1),
      { code: 0, said: /^(?:.*not-checked.*\n.*\n.*\n)?$/ },
    ],
    [
      'half a UTF-16',
      'm.yaml',
      () => Buffer.concat([utf16(BAD), Buffer.from([0, 0xd8, 0x41, 0, 0x41])]),
      { code: 1, said: /m\.yaml:5:10: error/ },
    ],
    [
      'UTF-16 without its mark',
      'n.yaml',
      () => utf16(BAD).subarray(2),
      { code: 0, said: /holds NUL bytes/ },
    ],
    ['65 MiB', 'o.yaml', () => Buffer.alloc(65 * 1024 * 1024, '#'), { code: 1, said: /^$/ }],
  ])('of %s is answered', async (_, name, content, expected) => {
    const { code, stdout, stderr, seconds, mebibytes } = await measured(name, content());
    expectCalm({ code, stdout, stderr });
    // Megabytes of output would drown what failed.
    expect(expected.said.test(stdout), stdout.slice(0, 500)).toBe(true);
    expect([code, stderr.split('\n').length <= 3]).toEqual([expected.code, true]);
    // Each finding takes three short lines, whatever stands in the file.
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThan(2000);
    expect(seconds).toBeLessThan(MOST.seconds);
    expect(mebibytes).toBeLessThan(MOST.mebibytes);
  });
});
