/** `metrics` as a process, and lists that write their own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import {
  buildCli,
  expectCalm,
  expectGolden,
  receiptOf,
  type BuiltCli,
  type CliResult,
} from './process';

const scrapes = join(import.meta.dirname, 'scrapes');
const text = (name: string): string => readFileSync(join(scrapes, name), 'utf8');

let cli: BuiltCli;
let etcd: DemoEtcd;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'metrics-'));
  [cli, etcd] = await Promise.all([buildCli(), startDemoEtcd()]);
  await seedCluster(etcd.store, { pods: 2000 });
});

afterAll(async () => {
  await etcd.stop();
  cli.remove();
  rmSync(dir, { recursive: true });
});

async function metrics(args: readonly string[], input?: string | Uint8Array): Promise<CliResult> {
  const result = await cli.run(['metrics', ...args], {
    cwd: scrapes,
    ...(input === undefined ? {} : { input }),
  });
  expectCalm(result);
  return result;
}

function inDir(name: string, content: string | Uint8Array): string {
  const file = join(dir, name);
  writeFileSync(file, content);
  return file;
}

describe('a scrape', () => {
  it.each([
    ['metrics-1.33.txt', ['1.33.txt']],
    ['metrics-1.37.txt', ['1.37.txt']],
    ['metrics-since.txt', ['1.37.txt', '--since', '1.37-older.txt', '--sort=requests']],
    ['metrics-by-server.txt', ['1.33.txt', '1.37.txt', '--by-server', '--top=3']],
  ])('%s', async (golden, args) => {
    const { code, stdout } = await metrics(args);
    expect(code).toBe(0);
    expectGolden(golden, stdout);
  });

  it('is JSON on request, with the same numbers', async () => {
    const { code, stdout } = await metrics(['1.37.txt', '-o', 'json']);
    expect(code).toBe(0);
    expectGolden('metrics-1.37.json', stdout);
    expect(JSON.parse(stdout)).toMatchObject({
      etcd: [{ resource: 'pods', fetched: 762_000, verdict: 'spiral' }, {}, {}],
      watchCache: [{ resource: 'pods', lists: 1200 }, {}],
    });
  });

  it('comes from standard input too, and says what was left out on standard error', async () => {
    const piped = await metrics(['-'], text('1.33.txt'));
    const named = await metrics(['1.33.txt']);
    expect(piped.stdout.split('\n').slice(1)).toEqual(named.stdout.split('\n').slice(1));
    expect(named.stderr).toBe('note: 4 numbers of other metrics are left out\n');
  });

  it('may be UTF-16, as some shells write it', async () => {
    const utf16 = inDir('utf16.txt', Buffer.from(`\ufeff${text('1.33.txt')}`, 'utf16le'));
    expect((await metrics([utf16])).stdout).toContain('selector death spiral');
  });
});

describe('bad input', () => {
  it('has an exit code and one sentence', async () => {
    const cut = text('1.37.txt').slice(0, -200);
    const cases: readonly (readonly [readonly string[], string | Uint8Array, number, string])[] = [
      [[], '', 2, 'FILE is missing'],
      [['absent.txt'], '', 2, 'absent.txt cannot be read: there is no such file'],
      [['.'], '', 2, 'cannot be read: it is a folder'],
      [['-'], '', 1, 'standard input is empty: give what "kubectl get --raw /metrics" prints'],
      [['-'], 'up 1\n', 1, 'standard input holds metrics, and none of lists'],
      [['-'], '{"a":1}', 1, 'standard input is no text of metrics'],
      [['-'], gzipSync(cut), 1, 'standard input is not read: it is compressed'],
      [['-'], 'a\0', 1, 'standard input is not read: it is no text'],
      [['-', '-'], '', 2, 'standard input is given twice'],
      [['-', '--since', '-'], '', 2, 'standard input is given twice'],
      [['-', '--sort=size'], '', 2, '--sort "size" is none of fetched, evaluated, requests, time'],
      [['-', '--top=0'], '', 2, '--top 0 shows nothing'],
      [['-', '--top=x'], '', 2, '--top "x" is not a number'],
      [['-', '--interval=5s'], '', 2, 'give the older one with --since'],
      [['-', '--since=1.37.txt', '--interval=soon'], '', 2, 'is not a duration'],
      [['1.37-older.txt', '--since=1.37.txt'], '', 1, 'change their places'],
      [['-o', 'xml', '-'], '', 2, '--output "xml" is none of table, json'],
    ];
    for (const [args, input, code, sentence] of cases) {
      const result = await metrics(args, input);
      expect([result.code, result.stdout], args.join(' ')).toEqual([code, '']);
      expect(result.stderr, args.join(' ')).toContain(sentence);
    }
  });

  it('in the middle loses nothing of the rest, and says where', async () => {
    const whole = text('1.37.txt');
    const at = whole.indexOf('resource="secrets",storage="etcd"} 54000');
    const result = await metrics(['-'], whole.slice(0, at));
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/^pods .* not known$/m);
    expect(result.stderr).toMatch(
      /^warning: stdin:\d+: this line is left out: it ends within its labels: the text ends in the middle of it$/m,
    );
  });

  it('of many lines is told in few', async () => {
    const { stderr } = await metrics(['-'], `${'%\n'.repeat(100)}${text('1.37.txt')}`);
    expect(stderr.split('\n').filter((line) => line.startsWith('warning:'))).toHaveLength(6);
    expect(stderr).toContain('95 more lines are left out');
  });

  it('cannot draw on the terminal', async () => {
    const bad = text('1.37.txt').replaceAll(
      'resource="secrets"',
      'resource="\x1b[2J\u202esecrets"',
    );
    const { stdout } = await metrics(['-'], bad);
    expect(stdout).toContain('\\x1b[2J\\u202esecrets');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u);
  });

  it('stops at once while standard input stays open', async () => {
    const result = await cli.run(['metrics', '-'], {
      keepsInput: true,
      whileRunning: async (child) => {
        await new Promise((resolve) => child.stdin?.write('up 1\n'.repeat(200_000), resolve));
        child.kill('SIGINT');
      },
    });
    expectCalm(result);
    expect([result.code, result.stderr, result.stdout]).toEqual([130, 'interrupted\n', '']);
  });
});

describe('lists', () => {
  const get = (...args: string[]) =>
    cli.run([...args, '--receipt=json', '-o', 'name', '--endpoints', etcd.endpoint], { cwd: dir });

  it('write what they counted, and it reads back as what they did', async () => {
    const result = await get('get', 'pods', '-l', 'app=nginx', '--limit=5', '--metrics=own.txt');
    expectCalm(result);
    const { total, requests } = receiptOf(result.stderr);
    const { stdout } = await metrics([join(dir, 'own.txt'), '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [{ labels: 'storage' }],
      etcd: [
        {
          resource: 'pods',
          lists: 1,
          fetched: total?.['fetched'],
          evaluated: total?.['evaluated'],
          returned: 5,
          requests: requests.length,
          streamedLists: 0,
        },
      ],
      watchCache: [],
    });
  });

  it('of a file add up, also where one fails', async () => {
    const queries = inDir(
      'q.etcdlist',
      'list pods --limit=7\n###\nlist frobs.example.com --limit=1\n',
    );
    const result = await get('run', queries, '--metrics=run.txt', '--keep-going');
    expect(result.code).toBe(2);
    const { stdout } = await metrics([join(dir, 'run.txt'), '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ etcd: [{ lists: 1, returned: 7 }] });
  });

  it('say that their file cannot be written before anything is read', async () => {
    const before = etcd.calls.length;
    const results = await Promise.all([
      get('get', 'pods', '--metrics=no/such/folder'),
      get('get', 'pods', '--metrics=.'),
      get('get', 'pods', '--metrics=-'),
      get('get', 'pods', '--metrics='),
    ]);
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(results[0].stderr).toContain('--metrics no/such/folder cannot be written: there is no');
    expect(results[1].stderr).toContain('cannot be written: it is a folder');
    expect(results[2].stderr).toContain('--metrics needs a file');
    expect(etcd.calls.length).toBe(before);
  });
});
