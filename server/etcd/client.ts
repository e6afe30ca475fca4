/**
 * The one file that holds an `Etcd3`. Nothing of it leaves but a way to start gRPC calls, and every
 * call of every client it makes, `etcd3`'s own writing ones included, passes the allow-list, which
 * sits in the channel below them all.
 */
import { Channel, connectivityState, getClientChannel } from '@grpc/grpc-js';
import type { ChannelCredentials, ChannelOptions, Client, Metadata } from '@grpc/grpc-js';
import { noop } from 'cockatiel';
import { Etcd3 } from 'etcd3';
import { assertReadOnly } from './allowList';
import type { Endpoint } from './endpoints';

export interface LaneOptions {
  readonly endpoint: Endpoint;
  readonly credentials: ChannelCredentials;
  /** Largest message in bytes, or -1. */
  readonly byteBudget: number;
  readonly serverName?: string;
}

/** One connection to one endpoint, made when the first call needs it. */
export interface Lane {
  readonly endpoint: string;
  /** Hands a client and fresh metadata to `begin`, which must not throw or wait. */
  start(begin: (client: Client, metadata: Metadata) => void): Promise<void>;
  /** Drops the connection that this client uses, so that the next call makes a new one. */
  drop(client: Client): void;
  close(): void;
}

/**
 * Bytes in flight that HTTP/2 allows, per stream and per connection. Large, since a page is
 * megabytes; finite, since this much of a stalled stream piles up here.
 */
const flowControlWindow = 8 * 1024 * 1024;

/** A connection that went silent is noticed within 40 s while a call waits; etcd allows pings every 5 s. */
const keepaliveTimeMs = 30_000;
const keepaliveTimeoutMs = 10_000;

class ReadOnlyChannel extends Channel {
  override createCall(...args: Parameters<Channel['createCall']>) {
    assertReadOnly(args[0]);
    return super.createCall(...args);
  }
}

class ReadOnlyEtcd extends Etcd3 {
  constructor(options: LaneOptions) {
    super({
      hosts: options.endpoint.name,
      grpcOptions: {
        ...channelOptions(options),
        // Our credentials go in here: those that `etcd3` would build know neither encrypted keys
        // nor a name override.
        channelFactoryOverride: (_address: string, _own: unknown, rest: ChannelOptions) =>
          new ReadOnlyChannel(options.endpoint.target, options.credentials, rest),
      },
      faultHandling: { host: () => noop, global: noop },
    });
  }

  start(begin: (client: Client, metadata: Metadata) => void): Promise<void> {
    return this.pool.withConnection('KV', ({ client, metadata }) => {
      begin(client, metadata);
    });
  }
}

function channelOptions(options: LaneOptions): ChannelOptions {
  return {
    'grpc.max_receive_message_length': options.byteBudget,
    'grpc-node.flow_control_window': flowControlWindow,
    'grpc.enable_http_proxy': 0,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    // Lanes must not share a connection: a stalled stream would use up the window of the others.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2000,
    'grpc.keepalive_time_ms': keepaliveTimeMs,
    'grpc.keepalive_timeout_ms': keepaliveTimeoutMs,
    ...(options.serverName !== undefined && {
      'grpc.ssl_target_name_override': options.serverName,
    }),
  };
}

/**
 * Whether calls of this client wait for a connection. After GOAWAY a channel is idle while calls go
 * on over the old connection, so "not ready" would say too much.
 */
export function isConnecting(client: Client): boolean {
  const { CONNECTING, TRANSIENT_FAILURE } = connectivityState;
  const state = getClientChannel(client).getConnectivityState(false);
  return state === CONNECTING || state === TRANSIENT_FAILURE;
}

/** Whether the connection failed and the next try of it waits, up to two seconds. */
function isBackingOff(client: Client): boolean {
  return (
    getClientChannel(client).getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE
  );
}

export function openLane(options: LaneOptions): Lane {
  let etcd: ReadOnlyEtcd | undefined;
  let used: Client | undefined;
  const close = (): void => {
    etcd?.close();
    etcd = undefined;
    used = undefined;
  };
  return {
    endpoint: options.endpoint.name,
    start: (begin) => {
      // Who asks again is not told the old failure: a new channel tries at once. No call is lost, since
      // calls that wait for no connection fail before a channel gets here.
      if (used && isBackingOff(used)) close();
      etcd ??= new ReadOnlyEtcd(options);
      return etcd.start((client, metadata) => {
        used = client;
        begin(client, metadata);
      });
    },
    drop: (client) => {
      if (client === used) close();
    },
    close,
  };
}
