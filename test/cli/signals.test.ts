/** Stopping: Ctrl-C, a reader that goes away, and what only a terminal shows. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utf8 } from '../../server/common/bytes';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { shellWord } from '../../server/cli/shell';
import { requireOrSkip } from '../support/requireOrSkip';
import { waitFor } from '../support/waitFor';
import { buildCli, expectCalm, receiptOf, type BuiltCli } from './process';

const PODS = 100_000;

let cli: BuiltCli;
let etcd: DemoEtcd;
/** When set, unary reads wait until it resolves. */
let gate: Promise<void> | undefined;

beforeAll(async () => {
  [cli, etcd] = await Promise.all([
    buildCli(),
    startDemoEtcd({ onCall: (method) => (method.endsWith('/Range') ? gate : undefined) }),
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

const lastCall = () => etcd.calls.at(-1);

describe('Ctrl-C', () => {
  it('in the middle of a stream of 100,000 keys ends the call at once and still writes the totals', async () => {
    const before = etcd.calls.length;
    const result = await cli.run(
      ['get', 'pods', '--chunk-size=0', '--receipt=json', '--endpoints', etcd.endpoint],
      {
        whileRunning: async (child) => {
          // Nobody reads the rows, so the stream stalls in its middle.
          child.stdout?.pause();
          await waitFor(() => etcd.calls.length > before && (lastCall()?.messages ?? 0) > 3);
          child.kill('SIGINT');
          await waitFor(() => lastCall()?.cancelled, { what: 'the cancellation at the server' });
          child.stdout?.resume();
        },
      },
    );
    expectCalm(result);
    expect(result.code).toBe(130);
    expect(result.stderr).toContain('interrupted');
    const { requests, total } = receiptOf(result.stderr);
    expect(requests).toHaveLength(1);
    expect(total).toMatchObject({ requests: 1, error: { code: 'cancelled' } });
    expect(total?.['fetched']).toBeGreaterThan(0);
    expect(total?.['fetched']).toBeLessThan(PODS);
  });

  it('while etcd does not answer ends the call too', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const before = etcd.calls.length;
    const result = await cli.run(
      ['get', 'pods', '--stream=off', '--limit=5', '--receipt=json', '--endpoints', etcd.endpoint],
      {
        whileRunning: async (child) => {
          await waitFor(() => etcd.calls.length > before);
          child.kill('SIGINT');
          await waitFor(() => lastCall()?.cancelled, { what: 'the cancellation at the server' });
        },
      },
    );
    gate = undefined;
    open();
    expectCalm(result);
    expect(result.code).toBe(130);
    expect(receiptOf(result.stderr).total).toMatchObject({ returned: 0 });
  });

  it('ends a demo that serves', async () => {
    const result = await cli.run(['demo', '--pods', '10'], {
      whileRunning: async (child) => {
        const text: string[] = [];
        child.stdout?.on('data', (chunk: Buffer) => text.push(chunk.toString()));
        await waitFor(() => text.join('').includes('Ctrl-C stops it.'));
        child.kill('SIGINT');
      },
    });
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('etcd-list get pods -l ');
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
    await waitFor(() => etcd.calls[before]?.cancelled, { what: 'the end of the call' });
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
    expect([code, text.join('')]).toEqual([1, 'error: cannot write: ENOSPC\n']);
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
      env: { ...process.env, TERM: 'xterm', ...env },
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
