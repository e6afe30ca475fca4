/** `run` as a process, against an embedded etcd of its own and one that holds calls. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../server/demo/callLog';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { waitFor } from '../support/waitFor';
import { buildCli, expectCalm, expectGolden, masked, receiptOf, type BuiltCli } from './process';

const QUERIES = `# Which nginx pods are there, and how much is read to find them?

### The first page
# @name page1
GET /api/v1/pods?labelSelector=app%3Dnginx&limit=5

### The next one
# @name page2
list pods -l app=nginx \\
  --limit=5 --continue={{page1.continue}}

###
kubectl get widgets.example.com -A -o name
`;

let cli: BuiltCli;
let etcd: DemoEtcd;
let dir: string;
/** What calls wait for before they are served; nothing when it gives nothing. */
let hold: (call: CallRecord) => Promise<void> | undefined = () => undefined;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'run-'));
  writeFileSync(join(dir, 'nginx.etcdlist'), QUERIES);
  [cli, etcd] = await Promise.all([
    buildCli(),
    startDemoEtcd({ onCall: () => hold(etcd.calls.at(-1)!) }),
  ]);
  await seedCluster(etcd.store, { pods: 2000 });
});

afterAll(async () => {
  await etcd.stop();
  cli.remove();
  rmSync(dir, { recursive: true });
});

const run = (args: readonly string[], input?: string) =>
  cli.run(['run', ...args, '--endpoints', etcd.endpoint], {
    cwd: dir,
    ...(input === undefined ? {} : { input }),
  });
const demo = (...args: string[]) =>
  cli.run(['demo', '--pods=2000', '--', 'run', ...args], { cwd: dir });
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('a file', () => {
  it('runs inside a demo', async () => {
    const result = await demo('nginx.etcdlist', '-o', 'name');
    expectCalm(result);
    expect(result.code).toBe(0);
    expect(lines(result.stdout)).toHaveLength(30);
    expectGolden('run-demo.txt', masked(result.stderr));
  });

  it('has the rows that get has, one page after another', async () => {
    const two = await run(['nginx.etcdlist', 'page2', '-o', 'name']);
    const all = await cli.run(
      ['get', 'pods', '-l', 'app=nginx', '-o', 'name', '--endpoints', etcd.endpoint],
      {},
    );
    expect([two.code, all.code]).toEqual([0, 0]);
    expect(lines(two.stdout)).toEqual(lines(all.stdout).slice(0, 10));
  });

  it('has an exit code of its own for errors in it, before anything is read', async () => {
    const before = etcd.calls.length;
    const result = await run(['-'], "list pods --limit=1\n###\nlist pods -l 'a in ('\n");
    expectCalm(result);
    expect([result.code, result.stdout, etcd.calls.length - before]).toEqual([2, '', 0]);
    expect(result.stderr).toMatch(
      /^stdin:3:20: error: unable to parse requirement: .*\n.*\n.*\nerror: standard input has 1 error: nothing is run\n$/,
    );
  });

  it('of YAML on standard input runs as well', async () => {
    const result = await run(
      ['-', '-o', 'json', '--receipt=json'],
      'name: one\nresource: pods\nlimit: 3\n---\nname: two\nresource: pods\nlimit: 4\ncontinue: "{{one.continue}}"\n',
    );
    expectCalm(result);
    expect(result.code).toBe(0);
    const all = JSON.parse(result.stdout) as { name: string; list: { items: unknown[] } }[];
    expect(all.map(({ name, list }) => [name, list.items.length])).toEqual([
      ['one', 3],
      ['two', 4],
    ]);
    expect(receiptOf(result.stderr).requests).toHaveLength(2);
  });
});

describe('what fails or stops', () => {
  it('has the exit code of the first failure', async () => {
    const expired = 'list pods --limit=1 --resource-version=1 --resource-version-match=Exact';
    const input = `${expired}\n###\nlist nosuches\n###\nlist pods --limit=1\n`;
    etcd.store.compact(2n);
    const [stopped, kept] = [await run(['-'], input), await run(['-', '--keep-going'], input)];
    expectCalm(stopped);
    expectCalm(kept);
    expect([stopped.code, kept.code]).toEqual([3, 3]);
    expect(stopped.stderr).toMatch(/3 queries: 1 failed, 2 not run\n$/);
    expect(kept.stderr).toMatch(/3 queries: 1 done, 2 failed\n$/);
    expect(kept.stdout).toMatch(/\n\n### list pods --limit=1\nNAMESPACE/);
  });

  it('ends its read at once on Ctrl-C, and runs nothing more', async () => {
    const before = etcd.calls.length;
    const held = new Promise<void>(() => undefined);
    hold = ({ method }) => (/\/(?:Range|RangeStream)$/.test(method) ? held : undefined);
    const result = await cli.run(
      ['run', 'nginx.etcdlist', '--keep-going', '--endpoints', etcd.endpoint],
      {
        cwd: dir,
        whileRunning: async (child) => {
          const call = await waitFor(
            () => etcd.calls.slice(before).find(({ method }) => /Range/.test(method)),
            { timeoutMs: 60_000 },
          );
          child.kill('SIGINT');
          await waitFor(() => call.cancelled, { timeoutMs: 60_000 });
        },
      },
    );
    hold = () => undefined;
    expectCalm(result);
    expect(result.code).toBe(130);
    expect(result.stderr).toMatch(/\ninterrupted\n$/);
    expect(etcd.calls.slice(before).filter(({ method }) => /Range/.test(method))).toHaveLength(1);
  });

  it('is no failure when the reader goes away', async () => {
    const result = await cli.run(['run', '-', '-o', 'name', '--endpoints', etcd.endpoint], {
      input: `list pods\n###\n`.repeat(40),
      whileRunning: (child) => {
        child.stdout?.once('data', () => child.stdout?.destroy());
        return Promise.resolve();
      },
    });
    expectCalm(result);
    expect(result.code).toBe(0);
    expect(result.stderr).not.toContain('error');
    expect(result.stderr).not.toContain('40 queries');
  });
});
