/** Stopping: Ctrl-C, a reader that goes away, and what only a terminal shows. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { utf8 } from '../../server/common/bytes';
import type { CallRecord } from '../../server/demo/callLog';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { shellWord } from '../../server/cli/shell';
import type { RangeRequest } from '../../server/etcd/rpc/messages';
import { requireOrSkip } from '../support/requireOrSkip';
import { waitFor } from '../support/waitFor';
import { buildCli, expectCalm, receiptOf, type BuiltCli, type CliResult } from './process';

const PODS = 100_000;
/** For what a process of its own must do first. */
const slowStart = { timeoutMs: 60_000 };
/** For ten of them. */
const patienceMs = 600_000;

let cli: BuiltCli;
let etcd: DemoEtcd;
/** What calls wait for before they are served; nothing when it gives nothing. */
let hold: (call: CallRecord) => Promise<void> | undefined = () => undefined;

beforeAll(async () => {
  [cli, etcd] = await Promise.all([
    buildCli(),
    startDemoEtcd({ onCall: () => hold(etcd.calls.at(-1)!) }),
  ]);
  const pods = function* () {
    for (let i = 0; i < PODS; i++) {
      const name = `pod-${i.toString().padStart(6, '0')}`;
      const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'web' } };
      yield { key: utf8(`/registry/pods/web/${name}`), value: utf8(JSON.stringify(object)) };
    }
  };
  etcd.store.bulkLoad(pods());
});

afterAll(async () => {
  await etcd.stop();
  cli.remove();
});

const rounds = 10;

interface Interrupted {
  /** Milliseconds from sending SIGINT until the server saw the call cancelled, of each round. */
  readonly latencies: readonly number[];
  readonly results: readonly CliResult[];
}

/**
 * Runs one command line ten times, one after the other, and interrupts each in the middle of its
 * read: while a call of which `isInTheMiddle` holds is going on.
 */
async function interruptEach(
  args: readonly string[],
  isInTheMiddle: (call: CallRecord) => boolean,
): Promise<Interrupted> {
  const latencies: number[] = [];
  const results: CliResult[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = etcd.calls.length;
    const whileRunning = async (child: ChildProcess): Promise<void> => {
      // Nobody reads the rows, so a stream stalls.
      child.stdout?.pause();
      const running = (): CallRecord | undefined =>
        etcd.calls.slice(before).find((call) => call.endedAt === undefined && isInTheMiddle(call));
      const call = await waitFor(running, { ...slowStart, intervalMs: 1 });
      const sentAt = performance.now();
      child.kill('SIGINT');
      await waitFor(() => call.cancelled, { ...slowStart, intervalMs: 1 });
      latencies.push(call.endedAt! - sentAt);
      child.stdout?.resume();
    };
    results.push(await cli.run([...args, '--endpoints', etcd.endpoint], { whileRunning }));
  }
  return { latencies, results };
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return (sorted[middle]! + sorted[sorted.length - 1 - middle]!) / 2;
};

/** 200 ms are wanted; a machine under load may take ten times as long. */
const limitMs = 2_000;

function expectPrompt(what: string, latencies: readonly number[]): void {
  const all = latencies.map((ms) => ms.toFixed(1)).join(', ');
  console.log(
    `Ctrl-C in the middle of ${what}: cancelled at the server after ` +
      `${median(latencies).toFixed(1)} ms, median of ${latencies.length} (${all})`,
  );
  expect(Math.min(...latencies)).toBeGreaterThan(0);
  expect(median(latencies)).toBeLessThan(limitMs);
}

function expectInterrupted(result: CliResult): void {
  expectCalm(result);
  expect(result.code).toBe(130);
  expect(result.stderr).toContain('interrupted');
  const { total } = receiptOf(result.stderr);
  expect(total).toMatchObject({ error: { code: 'cancelled' } });
  expect(total?.['fetched']).toBeGreaterThan(0);
  expect(total?.['fetched']).toBeLessThan(PODS);
}

describe('Ctrl-C', () => {
  it('ends the wait for a password that a pipe never says', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'password-pipe-'));
    const pipe = join(dir, 'password');
    execFileSync('mkfifo', [pipe]);
    const silent = openSync(pipe, 'r+');
    try {
      const args = ['get', 'pods', '--user=root', '--password-file', pipe];
      const result = await cli.run([...args, '--endpoints', etcd.endpoint], {
        whileRunning: async (child) => {
          const open = `/proc/${String(child.pid)}/fd`;
          const opened = () =>
            readdirSync(open).some((fd) => readlinkSync(join(open, fd)) === pipe);
          await waitFor(opened, slowStart);
          child.kill('SIGINT');
        },
      });
      expectCalm(result);
      expect([result.code, result.stderr]).toEqual([130, expect.stringContaining('interrupted')]);
    } finally {
      closeSync(silent);
      rmSync(dir, { recursive: true });
    }
  });

  afterEach(() => {
    hold = () => undefined;
  });

  it(
    'in the middle of a stream of 100,000 keys ends the call at once and still writes the totals',
    async () => {
      const { latencies, results } = await interruptEach(
        ['get', 'pods', '--chunk-size=0', '--receipt=json'],
        ({ method, messages }) => method.endsWith('/RangeStream') && messages > 3,
      );
      for (const result of results) {
        expectInterrupted(result);
        expect(receiptOf(result.stderr).requests).toHaveLength(1);
      }
      expectPrompt('a stream of 100,000 keys', latencies);
    },
    patienceMs,
  );

  it(
    'in the middle of 100,000 keys read in pages ends the Range in flight at once',
    async () => {
      const isLate = ({ method, request }: CallRecord): boolean =>
        method.endsWith('/Range') && (request as RangeRequest).limit >= 8_000n;
      const open: (() => void)[] = [];
      hold = (call) =>
        isLate(call) ? new Promise((resolve) => void open.push(resolve)) : undefined;
      const { latencies, results } = await interruptEach(
        ['get', 'pods', '-l', 'app=none', '--limit=500', '--stream=off', '--receipt=json'],
        isLate,
      );
      for (const release of open) release();
      for (const result of results) {
        expectInterrupted(result);
        // Pages of 500, 1000, 2000, 4000 and the one in flight.
        expect(receiptOf(result.stderr).requests).toHaveLength(5);
      }
      expectPrompt('a list of 100,000 keys in pages', latencies);
    },
    patienceMs,
  );

  it('while etcd does not answer ends the call too', async () => {
    let open: () => void = () => undefined;
    hold = (call) =>
      call.method.endsWith('/Range') ? new Promise((resolve) => (open = resolve)) : undefined;
    const before = etcd.calls.length;
    const result = await cli.run(
      ['get', 'pods', '--stream=off', '--limit=5', '--receipt=json', '--endpoints', etcd.endpoint],
      {
        whileRunning: async (child) => {
          await waitFor(() => etcd.calls.length > before, slowStart);
          child.kill('SIGINT');
          await waitFor(() => etcd.calls.at(-1)?.cancelled, slowStart);
        },
      },
    );
    open();
    expectCalm(result);
    expect(result.code).toBe(130);
    expect(receiptOf(result.stderr).total).toMatchObject({ returned: 0 });
  });

  it.each([
    ['etcd-list', {}],
    ['npm start --', { npm_lifecycle_event: 'start' }],
  ])('ends a demo that serves and was started as %s', async (program, env) => {
    const result = await cli.run(['demo', '--pods', '10'], {
      env,
      whileRunning: async (child) => {
        const text: string[] = [];
        child.stdout?.on('data', (chunk: Buffer) => text.push(chunk.toString()));
        await waitFor(() => text.join('').includes('Ctrl-C stops it.'), slowStart);
        child.kill('SIGINT');
      },
    });
    expect(result.code).toBe(0);
    expect(result.stdout).toContain(`  ${program} get pods -l `);
  });
});

describe('a reader that goes away', () => {
  const closeAfterFirst = (stream: 'stdout' | 'stderr') => (child: ChildProcess) =>
    new Promise<void>((resolve) => {
      child[stream]?.once('data', () => {
        child[stream]?.destroy();
        resolve();
      });
    });

  it.each(['table', 'name', 'ndjson', 'json', 'yaml'])('ends -o %s in silence', async (form) => {
    const before = etcd.calls.length;
    const result = await cli.run(
      ['get', 'pods', '--chunk-size=0', '-o', form, '--endpoints', etcd.endpoint],
      { whileRunning: closeAfterFirst('stdout') },
    );
    expect([result.code, result.stderr]).toEqual([0, '']);
    await waitFor(() => etcd.calls[before]?.cancelled, slowStart);
  });

  it('that is a full disk is told in one sentence', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [cli.main, '--help'], {
      stdio: ['ignore', full, 'pipe'],
    });
    const text: string[] = [];
    child.stderr?.on('data', (chunk: Buffer) => text.push(chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    closeSync(full);
    expect([code, text.join('')]).toEqual([
      1,
      'error: cannot write to standard output: no space left\n',
    ]);
  });

  it('of standard error does not matter', async () => {
    const result = await cli.run(
      ['get', 'pods', '--limit=3', '-o', 'name', '--endpoints', etcd.endpoint],
      { whileRunning: closeAfterFirst('stderr') },
    );
    expect([result.code, result.stdout.trim().split('\n').length]).toEqual([0, 3]);
  });
});

const script = spawnSync('script', ['--version'], { encoding: 'utf8' });
const scriptMissing = requireOrSkip(
  'script of util-linux',
  script.status === 0 && script.stdout.includes('util-linux'),
  'it makes the pseudo-terminal for the prompt, colours and progress',
);

describe.skipIf(scriptMissing)('on a terminal', () => {
  interface Typed {
    readonly text: string;
    readonly code: number | null;
  }

  /** Types `answers` in turn, each once its prompt has appeared. */
  function onTerminal(
    args: readonly string[],
    answers: readonly (readonly [prompt: string, keys: string])[],
    env: Record<string, string> = {},
  ): Promise<Typed> {
    const command = [process.execPath, cli.main, ...args].map(shellWord).join(' ');
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      // What this run itself was told of colours is not the program's.
      env: { ...process.env, NO_COLOR: undefined, TERM: 'xterm', ...env },
    });
    let text = '';
    const left = [...answers];
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const next = left[0];
      if (next === undefined || !text.includes(next[0])) return;
      left.shift();
      child.stdin.write(next[1]);
    });
    return new Promise((resolve) => {
      child.on('close', (code) => {
        resolve({ text, code });
      });
    });
  }

  const get = (...more: string[]): string[] => [
    ...['get', 'pods', '--limit=3', '--endpoints', etcd.endpoint],
    ...more,
  ];

  it('asks for the password without showing it', async () => {
    const prompt = 'Password of etcd user root: ';
    const { text } = await onTerminal(get('--user=root'), [[prompt, 'hunter2\r']]);
    expect(text).toContain(prompt);
    expect(text).not.toContain('hunter2');
    expect(etcd.calls.some(({ method }) => method.endsWith('/Authenticate'))).toBe(true);
  });

  it('ends at Ctrl-C in the prompt', async () => {
    const { text, code } = await onTerminal(get('--user=root'), [['root: ', '\u0003']]);
    expect(code).toBe(130);
    expect(text).toContain('interrupted');
  });

  it('ends at Ctrl-C in the middle of a read', async () => {
    const args = ['get', 'pods', '--chunk-size=0', '--endpoints', etcd.endpoint];
    const { text, code } = await onTerminal(args, [['pod-000000', '\u0003']]);
    expect(code).toBe(130);
    expect(text).toContain('interrupted');
    expect(text).toContain(' fetched');
  });

  it('shows colours and groups of digits, and neither with NO_COLOR', async () => {
    const coloured = await onTerminal(get(), []);
    expect(coloured.text).toContain('\u001b[1m');
    expect(coloured.text).toContain('100,001');
    const plain = await onTerminal(get(), [], { NO_COLOR: '1' });
    expect(plain.text).not.toContain('\u001b[1m');
  });
});
