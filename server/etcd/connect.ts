/** Opens a connection: configuration in, the read-only interface out. */
import { credentials } from '@grpc/grpc-js';
import { systemClock, type Clock } from '../common/clock';
import { silentLog, type Log } from '../common/log';
import type { AuthConfig } from './authenticator';
import { openLane } from './client';
import { ConnectionConfigError } from './configError';
import { parseEndpoints, type Endpoint, type EndpointSet } from './endpoints';
import type { EtcdReader } from './interfaces';
import { longestTimerMs } from './limits';
import { Reader } from './reader';
import { Session, type EndpointLanes } from './session';
import { channelCredentials, type TlsConfig } from './tls';

export interface ConnectionConfig {
  /** As people write them, see `parseEndpoints`; tried in this order. */
  readonly endpoints: readonly string[];
  /** Present: TLS, as when the endpoints say https. */
  readonly tls?: TlsConfig;
  readonly auth?: AuthConfig;
  /** Reads from one member's own state unless a call asks otherwise; linearizable when absent. */
  readonly serializable?: boolean;
  /**
   * Milliseconds a call may take in total; for streams see `Reader.rangeStream`. 60 000 when absent. A
   * function is asked at each call that begins.
   */
  readonly deadlineMs?: number | (() => number);
  /** Milliseconds to wait for one endpoint's connection; 5000 when absent. */
  readonly connectTimeoutMs?: number;
  /** Largest reply message in bytes, -1 for any size; 1 GiB when absent. */
  readonly byteBudget?: number;
  readonly log?: Log;
  readonly clock?: Clock;
}

const defaults = { deadlineMs: 60_000, connectTimeoutMs: 5_000, byteBudget: 1024 ** 3 };

/**
 * Sends nothing yet: the first call opens the connection. Throws a `ConnectionConfigError` when the
 * configuration cannot be used.
 */
export function connect(config: ConnectionConfig): EtcdReader {
  const { log = silentLog, clock = systemClock, serializable = false, auth } = config;
  const limits = checkedLimits(config);
  const set = parseEndpoints(config.endpoints);
  const tls = tlsOf(set, config.tls);
  checkAuth(auth, tls, set, log);
  const channel = tls ? channelCredentials(tls) : credentials.createInsecure();
  const lane = (endpoint: Endpoint) =>
    openLane({
      endpoint,
      credentials: channel,
      byteBudget: limits.byteBudget,
      ...(tls?.serverName !== undefined && { serverName: tls.serverName }),
    });
  const endpoints = set.endpoints.map((endpoint): EndpointLanes => ({
    name: endpoint.name,
    calls: lane(endpoint),
    streams: lane(endpoint),
    watches: lane(endpoint),
  }));
  const session = new Session({ endpoints, auth, clock, log, ...limits });
  return new Reader({
    session,
    endpoints,
    serializable,
    byteBudget: limits.byteBudget,
    user: auth?.username,
  });
}

function checkedLimits(config: ConnectionConfig) {
  const { deadlineMs: given = defaults.deadlineMs } = config;
  const deadlineMs = typeof given === 'number' ? () => given : given;
  const limits = {
    deadlineMs: deadlineMs(),
    connectTimeoutMs: config.connectTimeoutMs ?? defaults.connectTimeoutMs,
    byteBudget: config.byteBudget ?? defaults.byteBudget,
  };
  for (const name of ['deadlineMs', 'connectTimeoutMs'] as const) {
    if (!(limits[name] > 0 && limits[name] <= longestTimerMs)) {
      throw new ConnectionConfigError('limits', `${name} must be from 1 to ${longestTimerMs} ms.`);
    }
  }
  const { byteBudget } = limits;
  if (!(Number.isSafeInteger(byteBudget) && (byteBudget === -1 || byteBudget > 0))) {
    throw new ConnectionConfigError('limits', 'byteBudget must be a number of bytes, or -1.');
  }
  return { ...limits, deadlineMs };
}

function tlsOf(set: EndpointSet, tls: TlsConfig | undefined): TlsConfig | undefined {
  if (set.secure === false && tls !== undefined) {
    throw new ConnectionConfigError(
      'tls',
      'TLS is configured but the endpoints say http://: write https://, or remove the TLS settings.',
    );
  }
  return tls ?? (set.secure ? {} : undefined);
}

function checkAuth(
  auth: AuthConfig | undefined,
  tls: TlsConfig | undefined,
  set: EndpointSet,
  log: Log,
): void {
  if (auth === undefined) return;
  if (auth.username === '') {
    throw new ConnectionConfigError('auth', 'A password is given without a user name.');
  }
  if (tls === undefined && set.endpoints.some(({ loopback }) => !loopback)) {
    log.warn('the password goes to etcd unencrypted: the endpoints do not use TLS');
  }
}
