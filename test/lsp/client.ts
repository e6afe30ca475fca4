/** The bundled language server as a process of its own, spoken to over its pipes. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  createMessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  type CancellationToken,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import type { Failure } from '../../server/protocol/errors';
import type { InitializationOptions, LspRequest, LspRequests } from '../../server/protocol/lsp';
import type {
  ConnectionStatus,
  ListEvent,
  ListParams,
  ListQuery,
} from '../../server/protocol/model';
import { waitFor } from '../support/waitFor';

const root = join(import.meta.dirname, '..', '..');

export interface BuiltServer {
  readonly main: string;
  remove(): void;
}

/** Bundles server and demo into a folder laid out as the package is. */
export async function buildServer(): Promise<BuiltServer> {
  mkdirSync(join(root, 'build'), { recursive: true });
  const dir = mkdtempSync(join(root, 'build', 'lsp-'));
  const bundle = (entry: string, to: string) =>
    build({
      entryPoints: [join(root, 'server', entry)],
      outfile: join(dir, 'dist', to),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      logLevel: 'warning',
    });
  await bundle('main.ts', 'server/main.js');
  await bundle('analyst/main.ts', 'server/analyst.js');
  await bundle('demo/main.ts', 'demo/main.js');
  cpSync(join(root, 'node_modules', 'etcd3', 'proto'), join(dir, 'dist', 'proto'), {
    recursive: true,
  });
  cpSync(join(root, 'package.json'), join(dir, 'package.json'));
  return {
    main: join(dir, 'dist', 'server', 'main.js'),
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export interface StartOptions extends Partial<InitializationOptions> {
  /** False leaves the initialization to the test. */
  readonly initialize?: boolean;
  /** Announces that this client shows progress. */
  readonly progress?: boolean;
}

export interface Client {
  readonly child: ChildProcessWithoutNullStreams;
  readonly rpc: MessageConnection;
  /** List events in the order of arrival. */
  readonly events: ListEvent[];
  readonly statuses: ConnectionStatus[];
  /** `$/progress` values. */
  readonly progress: unknown[];
  readonly logged: string[];
  stderr(): string;
  request<M extends LspRequest>(
    method: M,
    params: LspRequests[M]['params'],
    token?: CancellationToken,
  ): Promise<LspRequests[M]['result']>;
  notify(method: string, params: unknown): Promise<void>;
  /** Resolves with the exit code; `signal` when it was killed. */
  readonly exited: Promise<number | NodeJS.Signals | null>;
  stop(): Promise<void>;
}

/** `nodeArgs` come before the program. */
export async function startClient(
  main: string,
  options: StartOptions = {},
  nodeArgs: readonly string[] = [],
): Promise<Client> {
  const child = spawn(process.execPath, [...nodeArgs, main, '--stdio'], { stdio: 'pipe' });
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('exit', (code, signal) => {
      resolve(code ?? signal);
    });
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin.on('error', () => undefined);
  const rpc = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  rpc.onError(() => undefined);
  const [events, statuses, progress, logged]: [
    ListEvent[],
    ConnectionStatus[],
    unknown[],
    string[],
  ] = [[], [], [], []];
  rpc.onNotification('etcdList/listEvents', (batch: ListEvent[]) => void events.push(...batch));
  rpc.onNotification(
    'etcdList/statusChanged',
    (status: ConnectionStatus) => void statuses.push(status),
  );
  rpc.onNotification(
    'window/logMessage',
    ({ message }: { message: string }) => void logged.push(message),
  );
  rpc.onNotification('$/progress', ({ value }: { value: unknown }) => void progress.push(value));
  rpc.onRequest('window/workDoneProgress/create', () => null);
  rpc.listen();
  const client: Client = {
    child,
    rpc,
    events,
    statuses,
    progress,
    logged,
    exited,
    stderr: () => Buffer.concat(errors).toString('utf8'),
    request: (method, params, token) =>
      token === undefined
        ? rpc.sendRequest(method, params)
        : rpc.sendRequest(method, params, token),
    notify: (method, params) => rpc.sendNotification(method, params),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      rpc.dispose();
    },
  };
  if (options.initialize !== false) await initialize(client, options);
  return client;
}

async function initialize(client: Client, options: StartOptions): Promise<void> {
  const {
    trusted = true,
    rangeStreamGate = true,
    byteBudgetMiB = 64,
    deadlineSeconds = 30,
    metricsPort = 0,
    watchCacheMiB = 256,
    kubernetesVersion = '1.37',
    featureGates = {},
  } = options;
  await client.rpc.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { window: { workDoneProgress: options.progress ?? false } },
    initializationOptions: {
      trusted,
      rangeStreamGate,
      byteBudgetMiB,
      deadlineSeconds,
      metricsPort,
      watchCacheMiB,
      kubernetesVersion,
      featureGates,
    },
  });
  await client.notify('initialized', {});
}

export interface TestServer {
  /** Starts a process of its own, ended after the test. */
  start(options?: StartOptions): Promise<Client>;
  /** Has this undone after the test, the latest first. */
  after(undo: () => unknown): void;
}

/** Builds the server once for the file that calls this. */
export function useServer(): TestServer {
  let built: BuiltServer;
  const undoing: (() => unknown)[] = [];
  beforeAll(async () => {
    built = await buildServer();
  });
  afterEach(async () => {
    for (const undo of undoing.splice(0).reverse()) await undo();
  });
  afterAll(() => {
    built.remove();
  });
  return {
    start: async (options) => {
      const client = await startClient(built.main, options);
      undoing.push(() => client.stop());
      return client;
    },
    after: (undo) => undoing.push(undo),
  };
}

/** One list, not confirmed and not followed unless told. */
export const list = (
  client: Client,
  extra: Partial<ListQuery> = {},
  how: Partial<ListParams> = {},
  token?: CancellationToken,
) =>
  client.request(
    'etcdList/list',
    { listId: 'list', query: query(extra), follow: false, confirmed: false, ...how },
    token,
  );

export const rowsOf = (client: Client, listId = 'list') =>
  client.events.flatMap(({ listId: id, body }) =>
    id === listId && body.kind === 'rows' ? body.rows : [],
  );

export const connectTo = (client: Client, endpoint: string, name = 'test') =>
  client.request('etcdList/connect', { connection: { name, endpoints: [endpoint] } });

export function query(extra: Partial<ListQuery> = {}): ListQuery {
  return {
    resource: 'pods',
    namespace: '',
    labelSelector: '',
    fieldSelector: '',
    limit: '',
    resourceVersion: '',
    resourceVersionMatch: '',
    continueToken: '',
    readMode: 'auto',
    skipUnreadable: false,
    ...extra,
  };
}

export interface Refused {
  readonly rpcCode: number;
  readonly failure: Failure;
}

/** The failure that a request is answered with; throws when it succeeds. */
export async function refusalOf(request: Promise<unknown>): Promise<Refused> {
  try {
    await request;
  } catch (error) {
    if (error instanceof ResponseError) {
      return { rpcCode: error.code, failure: error.data as Failure };
    }
    throw error;
  }
  throw new Error('the request was not refused');
}

/** Waits for a status, which may already have come. */
export const statusWhere = (client: Client, test: (status: ConnectionStatus) => boolean) =>
  waitFor(() => client.statuses.find(test), { what: 'the status' });

/** Every list's events count from 0 without gaps. */
export function hasGaps(events: readonly ListEvent[]): boolean {
  const next = new Map<string, number>();
  return events.some(({ listId, seq }) => {
    const wanted = next.get(listId) ?? 0;
    next.set(listId, seq + 1);
    return seq !== wanted;
  });
}
