/**
 * What a list holds in memory while its rows are taken as they come: about two replies, never the
 * sum of the pages. Measured on the command line as its own process, against 400 MB of values.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { buildCli, type BuiltCli } from '../cli/process';

const count = 100_000;
const valueBytes = 4_000;
const megabyte = 1024 ** 2;
const prefix = '/data/';

/** Prints the peak of the process's resident memory in kilobytes as its last line of stderr. */
const hook = `process.on('exit', () => process.stderr.write(
  '\\npeak ' + process.resourceUsage().maxRSS + '\\n'));`;

interface Measured {
  readonly code: number | null;
  readonly peakBytes: number;
  readonly rows: number;
}

function measure(main: string, hookFile: string, args: readonly string[]): Promise<Measured> {
  const child = spawn(process.execPath, ['--require', hookFile, main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let rows = 0;
  let errors = '';
  child.stdout.on(
    'data',
    (chunk: Buffer) => (rows += chunk.filter((byte) => byte === 0x0a).length),
  );
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const peak = Number(/peak (\d+)/.exec(errors)?.[1]);
      if (code !== 0 || Number.isNaN(peak)) reject(new Error(errors));
      else resolve({ code, peakBytes: peak * 1024, rows });
    });
  });
}

describe('peak memory of a list of 400 MB', () => {
  let demo: DemoEtcd;
  let cli: BuiltCli;
  let hookFile: string;
  let base: number;
  const get = (...more: string[]): string[] => [
    'get',
    prefix,
    '--endpoints',
    demo.endpoint,
    '-o',
    'name',
    ...more,
  ];

  beforeAll(async () => {
    demo = await startDemoEtcd({ logCalls: false });
    const value = new Uint8Array(valueBytes).fill(0x78);
    const keys = Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(6, '0')}`);
    demo.store.bulkLoad(keys.map((key) => ({ key: new TextEncoder().encode(key), value })));
    cli = await buildCli();
    hookFile = join(cli.main, '..', 'peak.cjs');
    writeFileSync(hookFile, hook);
    base = (await measure(cli.main, hookFile, get('--limit=1'))).peakBytes;
  });
  afterAll(async () => {
    cli.remove();
    await demo.stop();
  });

  /** Beyond what the process needs anyway, a few replies: V8 frees buffers with some delay. */
  async function expectBounded(name: string, replyBytes: number, ...more: string[]) {
    const { peakBytes, rows } = await measure(cli.main, hookFile, get(...more));
    const over = peakBytes - base;
    console.info(
      `${name}: peak ${(peakBytes / megabyte).toFixed(0)} MiB, ${(over / megabyte).toFixed(0)} MiB over ` +
        `an idle run, reply ${(replyBytes / megabyte).toFixed(1)} MiB, all pages ` +
        `${((count * valueBytes) / megabyte).toFixed(0)} MiB`,
    );
    expect(rows).toBe(count);
    expect(over).toBeLessThan(5 * replyBytes + 128 * megabyte);
    expect(over).toBeLessThan(0.75 * count * valueBytes);
  }

  it('in pages of 500', () => expectBounded('pages of 500', 500 * valueBytes, '--stream=off'));

  it('in pages of 10,000', () =>
    expectBounded('pages of 10,000', 10_000 * valueBytes, '--stream=off', '--chunk-size=10000'));

  it('over a stream', () =>
    expectBounded('stream', 2 * megabyte, '--stream=force', '--chunk-size=0'));
});
