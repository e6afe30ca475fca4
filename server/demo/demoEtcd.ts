/** An etcd inside this process, reachable over gRPC on the loopback interface only. */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { CallLog } from './callLog';
import type { CallRecord } from './callLog';
import type { OnCall } from './calls';
import { MvccStore } from './mvcc';
import { addServices, grpcOverheadBytes } from './services';

export interface DemoEtcdOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly host?: '127.0.0.1';
  /** What Status reports; `3.7.3` when absent, or `3.6.16` without RangeStream. */
  readonly version?: string;
  /** Whether the RangeStream RPC exists; true when absent. */
  readonly rangeStream?: boolean;
  /** etcd's `--max-request-bytes`: limits writes and is the size stream chunks aim at; 1.5 MiB when absent. */
  readonly maxRequestBytes?: number;
  /** Keeps `calls`; true when absent. A server that runs for long should not. */
  readonly logCalls?: boolean;
  /** Runs before each call is served. A promise delays the call; what it throws fails it. */
  readonly onCall?: OnCall;
  /** Milliseconds between progress notices of watches; etcd's ten minutes when absent. */
  readonly progressNotifyMs?: number;
}

export interface DemoEtcd {
  /** `127.0.0.1:port`. */
  readonly endpoint: string;
  /** The store itself: put, delete, compact and bulkLoad without gRPC; watches see it all. */
  readonly store: MvccStore;
  /** Every call so far, in the order of arrival. */
  readonly calls: readonly CallRecord[];
  /** Ends all connections at once. */
  stop(): Promise<void>;
}

const defaultRequestBytes = 1.5 * 1024 * 1024;
const tenMinutesMs = 600_000;

/** Resolves when it listens; rejects when the port is taken. */
export async function startDemoEtcd(options: DemoEtcdOptions = {}): Promise<DemoEtcd> {
  const store = new MvccStore();
  const log = new CallLog(options.logCalls ?? true);
  const maxRequestBytes = options.maxRequestBytes ?? defaultRequestBytes;
  const rangeStream = options.rangeStream ?? true;
  const server = new Server({
    'grpc.max_receive_message_length': maxRequestBytes + grpcOverheadBytes,
    'grpc.max_send_message_length': -1,
  });
  const host = options.host ?? '127.0.0.1';
  let endpoint = '';
  addServices({
    server,
    log,
    onCall: options.onCall,
    store,
    version: options.version ?? (rangeStream ? '3.7.3' : '3.6.16'),
    rangeStream,
    maxRequestBytes,
    progressNotifyMs: options.progressNotifyMs ?? tenMinutesMs,
    endpoint: () => endpoint,
  });
  endpoint = `${host}:${await bind(server, `${host}:${options.port ?? 0}`)}`;
  return {
    endpoint,
    store,
    calls: log.records,
    stop: () => {
      server.forceShutdown();
      return Promise.resolve();
    },
  };
}

function bind(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}
