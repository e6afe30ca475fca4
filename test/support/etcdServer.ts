import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { findEtcd } from '../etcd/binaries.mjs';
import type { EtcdVersion } from '../etcd/binaries.mjs';
import type { Certificates } from './certificates';
import { EtcdWriter } from './etcdWriter';
import { requireOrSkip } from './requireOrSkip';
import { waitFor } from './waitFor';

export { etcdVersions } from '../etcd/binaries.mjs';
export type { EtcdVersion };

export interface EtcdOptions {
  /** With certificates the client port speaks TLS; `mutual` also asks for a client's certificate. */
  readonly tls?: { readonly certificates: Certificates; readonly mode: 'server' | 'mutual' };
  /** Turns authentication on, with the user `root` and these others. */
  readonly auth?: {
    readonly rootPassword: string;
    /** Each may read the keys below `readPrefix`. */
    readonly users?: readonly { name: string; password: string; readPrefix: string }[];
    /** Seconds until a token ends; etcd's own 300 when absent. */
    readonly tokenTtl?: number;
  };
  readonly quotaBytes?: number;
  readonly extraArgs?: readonly string[];
}

export interface RunningEtcd {
  readonly version: EtcdVersion;
  /** `127.0.0.1:port` of the client port. */
  readonly endpoint: string;
  /** The same with `http://` or `https://`. */
  readonly url: string;
  /** Answers `/metrics` and `/health` without TLS. */
  readonly metricsUrl: string;
  /** A writer with the rights of `root`, closed by `stop()`. */
  readonly writer: EtcdWriter;
  readonly pid: number;
  /**
   * Stops the process where it stands (SIGSTOP): connections stay open and nothing answers.
   * Resolves when every thread has stopped, which on a busy machine is well after the signal.
   */
  pause(): Promise<void>;
  resume(): void;
  /** Ends it without warning (SIGKILL); its data stays, see `restart()`. */
  kill(): Promise<void>;
  /** Starts it again on the same ports and data; resolves when it is ready. */
  restart(): Promise<void>;
  /** Ends it and removes its data. Its log stays until the next `npm test`. */
  stop(): Promise<void>;
  logs(): string;
}

const logDir = resolve(import.meta.dirname, '../../build/etcd-logs');

export function etcdBinary(version: EtcdVersion): string | undefined {
  return findEtcd(version);
}

/** For `describe.skipIf(…)`: whether there is no etcd of this version. */
export function etcdMissing(version: EtcdVersion): boolean {
  return requireOrSkip(`etcd ${version}`, etcdBinary(version), 'see node test/etcd/get.mjs');
}

/** A folder for data that nobody will miss, in memory where a whole etcd fits there. */
function makeDataDir(): string {
  const memory = '/dev/shm';
  const roomy = ((): boolean => {
    if (!existsSync(memory)) return false;
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 2 * 1024 ** 3;
  })();
  return mkdtempSync(join(roomy ? memory : tmpdir(), 'etcd-list-data-'));
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

function tlsArgs({ tls }: EtcdOptions): string[] {
  if (!tls) return [];
  const { ca, serverCert, serverKey } = tls.certificates;
  const args = [`--cert-file=${serverCert}`, `--key-file=${serverKey}`];
  return tls.mode === 'mutual' ? [...args, '--client-cert-auth', `--trusted-ca-file=${ca}`] : args;
}

function tuningArgs(version: EtcdVersion, { auth, quotaBytes }: EtcdOptions): string[] {
  const args = version === '3.4' ? ['--logger=zap'] : ['--unsafe-no-fsync'];
  if (quotaBytes !== undefined) args.push(`--quota-backend-bytes=${quotaBytes}`);
  if (auth?.tokenTtl !== undefined) args.push(`--auth-token-ttl=${auth.tokenTtl}`);
  return args;
}

/** etcd takes settings from ETCD_… variables as well: ours must not reach it. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('ETCD_')),
  );
}

/**
 * A shell that kills the process it was last told of and removes the data once this process is gone, in
 * whatever way it went. It waits for the end of its standard input, which only this process holds open;
 * a terminal's Ctrl-C reaches it too, and must not end it.
 */
class Watcher {
  private readonly shell: ChildProcess;

  constructor(dataDir: string) {
    const script =
      "trap '' INT TERM HUP; while read -r pid; do :; last=$pid; done; " +
      '[ -z "$last" ] || kill -9 "$last"; rm -rf "$1"';
    this.shell = spawn('/bin/sh', ['-c', script, 'watcher', dataDir], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.shell.stdin?.on('error', () => undefined);
    this.shell.unref();
  }

  /** Undefined when no process has the data, so that no other that takes the number is killed. */
  tell(pid: number | undefined): void {
    this.shell.stdin?.write(`${pid ?? ''}\n`);
  }

  /** Once there is no process and no data left. */
  end(): void {
    this.shell.kill('SIGKILL');
  }
}

/** Whether the kernel has stopped all threads; where it does not tell of threads, the process. */
function hasStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  const states = existsSync(tasks)
    ? readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/stat`, 'utf8'))
    : [execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })];
  return states.every((state) => /^(?:\d+ \(.*\) )?T/.test(state));
}

/** One etcd process on fixed ports and one data folder; it may be started more than once. */
class EtcdProcess {
  private child: ChildProcess | undefined;
  private readonly watcher: Watcher | undefined;

  constructor(
    private readonly binary: string,
    private readonly dataDir: string,
    private readonly args: readonly string[],
    private readonly metricsUrl: string,
    private readonly logFile: string,
  ) {
    if (process.platform !== 'win32') this.watcher = new Watcher(dataDir);
  }

  get pid(): number {
    const pid = this.child?.pid;
    if (pid === undefined) throw new Error('this etcd is not running');
    return pid;
  }

  logs(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }

  /** Resolves when etcd has a leader and answers; rejects with its log when it ends instead. */
  async start(): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const child = spawn(this.binary, this.args, {
      stdio: ['ignore', log, log],
      env: cleanEnvironment(),
    });
    closeSync(log);
    await once(child, 'spawn');
    this.child = child;
    this.watcher?.tell(child.pid);
    child.once('exit', () => this.watcher?.tell(undefined));
    const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
    try {
      await waitFor(() => ended() || this.healthy(), { timeoutMs: 30_000, what: 'a healthy etcd' });
      if (ended()) throw new Error('etcd ended');
    } catch (error) {
      await this.end('SIGKILL');
      throw new Error(`${this.logFile}:\n${this.logs().slice(-2000)}`, { cause: error });
    }
  }

  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    if (!child) return;
    this.child = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    const patience = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await gone;
    clearTimeout(patience);
  }

  /** Ends it for good, with its data. */
  async dispose(signal: NodeJS.Signals): Promise<void> {
    await this.end(signal);
    rmSync(this.dataDir, { recursive: true, force: true });
    this.watcher?.end();
  }

  private async healthy(): Promise<boolean> {
    const answer = await fetch(`${this.metricsUrl}/health`, { signal: AbortSignal.timeout(2_000) });
    const { health } = (await answer.json()) as { health?: unknown };
    return health === 'true';
  }
}

function makeWriter(url: string, { tls }: EtcdOptions, password?: string): EtcdWriter {
  return new EtcdWriter({
    endpoint: url,
    ...(tls && {
      tls: {
        ca: readFileSync(tls.certificates.ca),
        cert: readFileSync(tls.certificates.clientCert),
        key: readFileSync(tls.certificates.clientKey),
      },
    }),
    ...(password !== undefined && { auth: { username: 'root', password } }),
  });
}

/** Returns the writer to go on with: once authentication is on, one that is logged in. */
async function prepareAuth(
  url: string,
  options: EtcdOptions,
  anonymous: EtcdWriter,
): Promise<EtcdWriter> {
  if (!options.auth) return anonymous;
  for (const { name, password, readPrefix } of options.auth.users ?? []) {
    await anonymous.addReadRole(`${name}-reads`, readPrefix);
    await anonymous.addUser(name, password, [`${name}-reads`]);
  }
  await anonymous.enableAuth(options.auth.rootPassword);
  anonymous.close();
  return makeWriter(url, options, options.auth.rootPassword);
}

async function launch(
  version: EtcdVersion,
  binary: string,
  dataDir: string,
  options: EtcdOptions,
): Promise<RunningEtcd> {
  const [client, peer, metrics] = await freePorts(3);
  const endpoint = `127.0.0.1:${client}`;
  const url = `${options.tls ? 'https' : 'http'}://${endpoint}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const metricsUrl = `http://127.0.0.1:${metrics}`;
  const args = [
    `--data-dir=${dataDir}`,
    '--name=test',
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=test=${peerUrl}`,
    `--listen-metrics-urls=${metricsUrl}`,
    ...tlsArgs(options),
    ...tuningArgs(version, options),
    ...(options.extraArgs ?? []),
  ];
  mkdirSync(logDir, { recursive: true });
  const logFile = join(logDir, `${version}-${basename(dataDir)}.log`);
  const server = new EtcdProcess(binary, dataDir, args, metricsUrl, logFile);
  await server.start().catch(async (error: unknown) => {
    await server.dispose('SIGKILL');
    throw error;
  });
  const writer = await prepareAuth(url, options, makeWriter(url, options)).catch(
    async (error: unknown) => {
      await server.dispose('SIGKILL');
      throw error;
    },
  );
  return {
    version,
    endpoint,
    url,
    metricsUrl,
    writer,
    get pid() {
      return server.pid;
    },
    pause: async () => {
      server.signal('SIGSTOP');
      await waitFor(() => hasStopped(server.pid), { timeoutMs: 20_000, what: 'a stopped etcd' });
    },
    resume: () => {
      server.signal('SIGCONT');
    },
    kill: () => server.end('SIGKILL'),
    restart: () => server.start(),
    stop: async () => {
      writer.close();
      await server.dispose('SIGTERM');
    },
    logs: () => server.logs(),
  };
}

/** Starts an etcd of this version on free ports of 127.0.0.1; resolves when it answers. */
export async function startEtcd(
  version: EtcdVersion,
  options: EtcdOptions = {},
): Promise<RunningEtcd> {
  const binary = etcdBinary(version);
  if (binary === undefined) throw new Error(`there is no etcd ${version}: node test/etcd/get.mjs`);
  const tries = 3;
  for (let attempt = 1; ; attempt++) {
    const dataDir = makeDataDir();
    try {
      return await launch(version, binary, dataDir, options);
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      // Between choosing a free port and etcd's taking it, another process may take it.
      const taken = error instanceof Error && error.message.includes('address already in use');
      if (!taken || attempt === tries) throw error;
    }
  }
}
