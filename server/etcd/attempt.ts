/** One try of one call on one endpoint: what it knows, and what ends it from outside. */
import { status } from '@grpc/grpc-js';
import type { CallOptions, Client, Metadata } from '@grpc/grpc-js';
import type { ReadMethod } from './allowList';
import { isConnecting, type Lane } from './client';
import { EtcdError, type EtcdErrorCode } from './errors';

export interface Attempt {
  readonly lane: Lane;
  readonly method: ReadMethod;
  readonly token: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Aborts when the whole connection is closed. */
  readonly closed: AbortSignal;
  /** Milliseconds left of the whole call when this attempt starts. */
  readonly timeoutMs: number;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeoutMs: number;
}

export function attemptError(
  attempt: Attempt,
  code: EtcdErrorCode,
  message: string,
  rest: { grpcCode?: number; cause?: unknown } = {},
): EtcdError {
  return new EtcdError({
    code,
    message,
    endpoint: attempt.lane.endpoint,
    method: attempt.method,
    ...rest,
  });
}

export function cancelledError(attempt: Attempt): EtcdError {
  const text = attempt.closed.aborted ? 'the connection is closed' : 'the call was cancelled';
  return attemptError(attempt, 'cancelled', text, {
    grpcCode: status.CANCELLED,
    cause: attempt.signal?.reason,
  });
}

export function deadlineError(attempt: Attempt, waitedMs: number): EtcdError {
  return attemptError(attempt, 'deadline', `no answer within ${Math.round(waitedMs)} ms`, {
    grpcCode: status.DEADLINE_EXCEEDED,
  });
}

/** Failing at once when there is no connection to be had. */
export function callMetadata(attempt: Attempt, own: Metadata): Metadata {
  own.setOptions({ waitForReady: false });
  if (attempt.token !== undefined) own.set('token', attempt.token);
  return own;
}

export type GrpcOptions = CallOptions;

/**
 * Ends the call when the signal aborts or no connection comes about in time: grpc-js itself waits
 * for a connection as long as the call lasts. Call the result when the call is over.
 */
export function supervise(
  attempt: Attempt,
  client: Client,
  stop: (error: EtcdError) => void,
): () => void {
  const onAbort = (): void => {
    stop(cancelledError(attempt));
  };
  const onConnectTimeout = (): void => {
    if (!isConnecting(client)) return;
    stop(connectTimeout(attempt));
    attempt.lane.drop(client);
  };
  const signals = [attempt.signal, attempt.closed];
  for (const signal of signals) signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(onConnectTimeout, attempt.connectTimeoutMs);
  return () => {
    clearTimeout(timer);
    for (const signal of signals) signal?.removeEventListener('abort', onAbort);
  };
}

export function isStopped(attempt: Attempt): boolean {
  return attempt.closed.aborted || attempt.signal?.aborted === true;
}

function connectTimeout(attempt: Attempt): EtcdError {
  return attemptError(
    attempt,
    'unavailable',
    `no connection within ${attempt.connectTimeoutMs} ms`,
    { grpcCode: status.UNAVAILABLE },
  );
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Messages leave grpc-js undecoded, so that a bad one is our error and not a broken call. */
export const sameBuffer = (bytes: Buffer): Buffer => bytes;
