/** Runs the bundled command line as a process of its own, as a person would. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  /** Standard input; nothing without it. */
  readonly input?: string | Uint8Array;
  /** Standard input is left open; `whileRunning` writes to it. */
  readonly keepsInput?: boolean;
  readonly cwd?: string;
  /** Called when the process runs, to interfere with it. */
  readonly whileRunning?: (child: ChildProcess) => Promise<void>;
}

export interface BuiltCli {
  /** The bundle, for commands that are built by hand. */
  readonly main: string;
  run(args: readonly string[], options?: RunOptions): Promise<CliResult>;
  remove(): void;
}

/** Bundles the command line into a folder laid out as the package is. */
export async function buildCli(): Promise<BuiltCli> {
  mkdirSync(join(root, 'build'), { recursive: true });
  const dir = mkdtempSync(join(root, 'build', 'cli-'));
  const main = join(dir, 'dist', 'cli', 'main.js');
  await build({
    entryPoints: [join(root, 'server', 'cli', 'main.ts')],
    outfile: main,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'warning',
  });
  cpSync(join(root, 'node_modules', 'etcd3', 'proto'), join(dir, 'dist', 'proto'), {
    recursive: true,
  });
  cpSync(join(root, 'package.json'), join(dir, 'package.json'));
  return {
    main,
    run: (args, options) => runProcess(main, args, options ?? {}),
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function runProcess(
  main: string,
  args: readonly string[],
  { env = {}, input, keepsInput = false, cwd, whileRunning }: RunOptions,
): Promise<CliResult> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^ETCDCTL_|^NODE_OPTIONS$|^npm_lifecycle_event$/.test(name),
  );
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: [input === undefined && !keepsInput ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  // It may end without having read all.
  child.stdin?.on('error', () => undefined);
  if (!keepsInput) child.stdin?.end(input);
  const interfering = whileRunning?.(child);
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString('utf8');
      const result = { code, stdout: text(out), stderr: text(err) };
      Promise.resolve(interfering).then(() => {
        resolve(result);
      }, reject);
    });
  });
}

/** JSON lines of a receipt among whatever else is on standard error. */
export function receiptOf(stderr: string): {
  requests: Record<string, unknown>[];
  total: Record<string, unknown> | undefined;
} {
  const lines = stderr
    .split('\n')
    .filter((line) => line.startsWith('{"type":'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    requests: lines.filter((line) => line['type'] === 'request'),
    total: lines.find((line) => line['type'] === 'total'),
  };
}

/** No stack trace and no stray control character, whatever happened. */
export function expectCalm({ stderr }: CliResult): void {
  expect(stderr).not.toMatch(/^\s+at .*[(:]\d+/m);
  expect(stderr).not.toContain('unforeseen');
  expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
}

/** Compares with a golden file; `RESET_GOLDEN=1` writes it instead. */
export function expectGolden(name: string, actual: string): void {
  const file = join(import.meta.dirname, 'golden', name);
  if (process.env['RESET_GOLDEN'] === '1') writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}

/** Takes out what differs from run to run: ports, times and ages. */
export function masked(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/ *\d[\d,.]* ms\b/g, ' TIME ms')
    .replace(/"durationMs":[\d.]+/g, '"durationMs":0');
}
