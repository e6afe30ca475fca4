/** Who is asked, how often, and with which token: failover and authentication around each call. */
import { setMaxListeners } from 'node:events';
import { status } from '@grpc/grpc-js';
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import { longestTimerMs } from './limits';
import type { ReadMethod } from './allowList';
import { cancelledError, deadlineError, isStopped, type Attempt } from './attempt';
import { createAuthenticator, type AuthConfig, type Authenticator } from './authenticator';
import type { Lane } from './client';
import { EtcdError, isEtcdError } from './errors';
import type { CallOptions } from './interfaces';
import { decodeReply } from './replies';
import { authenticateRequest, authenticateResponse } from './rpc/serviceCodecs';
import { unaryCall } from './unaryCall';

/** The connections to one endpoint; streams have their own, since a stalled one fills its window. */
export interface EndpointLanes {
  readonly name: string;
  readonly calls: Lane;
  readonly streams: Lane;
  readonly watches: Lane;
}

export interface SessionOptions {
  readonly endpoints: readonly EndpointLanes[];
  readonly auth: AuthConfig | undefined;
  /** Asked at each call that begins. */
  readonly deadlineMs: () => number;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Plan {
  readonly method: ReadMethod;
  readonly lane: 'calls' | 'streams' | 'watches';
  readonly options: CallOptions | undefined;
  /** Asks this endpoint alone. */
  readonly only?: EndpointLanes;
}

type Work<T> = (attempt: Attempt) => Promise<T>;

interface Running {
  readonly plan: Plan;
  /** Monotonic milliseconds at which the whole call must be over. */
  readonly endsAt: number;
  readonly totalMs: number;
}

export class Session {
  readonly #options: SessionOptions;
  readonly #auth: Authenticator | undefined;
  #current = 0;
  readonly #closing = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    const { auth } = options;
    // Every running call listens; their number is no leak.
    setMaxListeners(0, this.#closing.signal);
    this.#auth = auth && createAuthenticator(() => this.#authenticate(auth));
  }

  get current(): EndpointLanes {
    const { endpoints } = this.#options;
    const current = endpoints[this.#current];
    if (current === undefined) throw new Error('a session needs an endpoint');
    return current;
  }

  /** Milliseconds that a call with these options may take in total, as long as a timer can be. */
  totalMs(options: CallOptions | undefined): number {
    const ms = options?.deadlineMs ?? this.#options.deadlineMs();
    return ms > 0 ? Math.min(ms, longestTimerMs) : 0;
  }

  close(): void {
    this.#closing.abort();
    for (const { calls, streams, watches } of this.#options.endpoints) {
      for (const lane of [calls, streams, watches]) lane.close();
    }
  }

  /** Runs `work` on one endpoint after another, and once more when the token is refused. */
  async run<T>(plan: Plan, work: Work<T>): Promise<T> {
    const totalMs = this.totalMs(plan.options);
    const running = { plan, totalMs, endsAt: this.#options.clock.monotonic() + totalMs };
    const auth = this.#auth;
    if (auth === undefined) return this.#pass(running, undefined, work);
    const token = await this.#awaitToken(running, () => auth.token());
    try {
      return await this.#pass(running, token, work);
    } catch (error) {
      if (!wantsRenewal(error, plan)) throw error;
    }
    const renewed = await this.#awaitToken(running, () => auth.renew(token));
    try {
      return await this.#pass(running, renewed, work);
    } catch (error) {
      throw isEtcdError(error, 'userEmpty') ? asInvalidToken(error) : error;
    }
  }

  /** At most one pass over all endpoints, from the one that answered last. */
  async #pass<T>(running: Running, token: string | undefined, work: Work<T>): Promise<T> {
    const { only } = running.plan;
    const { endpoints } = this.#options;
    const failures: EtcdError[] = [];
    for (let i = 0; i < (only ? 1 : endpoints.length); i++) {
      const at = (this.#current + (only ? 0 : i)) % endpoints.length;
      const endpoint = only ?? endpoints[at];
      if (endpoint === undefined) break;
      try {
        return await this.#tryOne(running, endpoint, token, work);
      } catch (error) {
        if (!movesOn(error)) {
          if (!only) this.#answered(at, error);
          throw error;
        }
        failures.push(error);
        this.#options.log.debug(`${endpoint.name} is unavailable: ${error.message}`);
      }
    }
    throw unitedFailure(failures);
  }

  async #tryOne<T>(
    running: Running,
    endpoint: EndpointLanes,
    token: string | undefined,
    work: Work<T>,
  ): Promise<T> {
    const attempt = this.#attempt(running, endpoint, token);
    const result = await work(attempt);
    if (!running.plan.only) this.#current = this.#options.endpoints.indexOf(endpoint);
    return result;
  }

  /** An endpoint that refuses is alive: the next call starts there. A silent one proves nothing. */
  #answered(at: number, error: unknown): void {
    if (!isEtcdError(error, 'deadline') && !isEtcdError(error, 'cancelled')) this.#current = at;
  }

  #attempt(running: Running, endpoint: EndpointLanes, token: string | undefined): Attempt {
    const { plan, endsAt, totalMs } = running;
    const attempt: Attempt = {
      lane: endpoint[plan.lane],
      method: plan.method,
      token,
      signal: plan.options?.signal,
      closed: this.#closing.signal,
      timeoutMs: endsAt - this.#options.clock.monotonic(),
      connectTimeoutMs: this.#options.connectTimeoutMs,
    };
    if (isStopped(attempt)) throw cancelledError(attempt);
    if (attempt.timeoutMs <= 0) throw deadlineError(attempt, totalMs);
    return attempt;
  }

  /** Waits for the shared authentication, but no longer than this call's own limits. */
  #awaitToken(
    running: Running,
    ask: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const attempt = this.#attempt(running, this.current, undefined);
      const onAbort = (): void => {
        settle();
        reject(cancelledError(attempt));
      };
      const timer = setTimeout(() => {
        settle();
        reject(deadlineError(attempt, running.totalMs));
      }, attempt.timeoutMs);
      const signals = [attempt.signal, attempt.closed];
      const settle = (): void => {
        clearTimeout(timer);
        for (const signal of signals) signal?.removeEventListener('abort', onAbort);
      };
      for (const signal of signals) signal?.addEventListener('abort', onAbort, { once: true });
      ask().then(resolve, reject).finally(settle);
    });
  }

  async #authenticate({ username, password }: AuthConfig): Promise<string | undefined> {
    const request = authenticateRequest.encode({ name: username, password });
    const plan: Plan = { method: 'authenticate', lane: 'calls', options: undefined };
    const totalMs = this.totalMs(undefined);
    const running = { plan, totalMs, endsAt: this.#options.clock.monotonic() + totalMs };
    try {
      return await this.#pass(running, undefined, async (attempt) => {
        const reply = await unaryCall(attempt, request);
        return decodeReply(authenticateResponse, reply, attempt).token;
      });
    } catch (error) {
      // As etcd's own client does: a user for a server without authentication is no mistake.
      if (isEtcdError(error) && error.message === 'etcdserver: authentication is not enabled') {
        return undefined;
      }
      throw error;
    }
  }
}

/** Another endpoint may do better: nothing was reached, or this one cannot serve for now. */
function movesOn(error: unknown): error is EtcdError {
  return (
    isEtcdError(error) &&
    (error.grpcCode === status.UNAVAILABLE || error.message === 'etcdserver: not capable')
  );
}

/**
 * A watch's refusal is in its first message, and before 3.5 an expired token reads there as
 * "permission denied".
 */
function wantsRenewal(error: unknown, plan: Plan): boolean {
  if (!isEtcdError(error) || error.method === 'authenticate') return false;
  if (error.code === 'invalidAuthToken' || error.code === 'userEmpty') return true;
  return plan.method === 'watch' && error.code === 'permissionDenied';
}

function asInvalidToken(error: EtcdError): EtcdError {
  const { message, endpoint, grpcCode, method } = error;
  return new EtcdError({
    code: 'invalidAuthToken',
    message,
    endpoint,
    ...(grpcCode !== undefined && { grpcCode }),
    ...(method !== undefined && { method }),
    cause: error,
  });
}

/** The most telling of the endpoints' failures, with all of them as its cause. */
function unitedFailure(failures: readonly EtcdError[]): EtcdError {
  const telling = failures.find((one) => one.code !== 'unavailable') ?? failures[0];
  if (telling === undefined) throw new Error('no endpoint was tried');
  if (failures.length === 1) return telling;
  const { code, message, endpoint, grpcCode, method } = telling;
  return new EtcdError({
    code,
    message,
    endpoint,
    ...(grpcCode !== undefined && { grpcCode }),
    ...(method !== undefined && { method }),
    cause: new AggregateError(failures, 'every endpoint failed'),
  });
}
