/** What a failed watch call means. Upstream: `interpretWatchError`; etcd's client resumes by itself. */
import type { EtcdError } from '../etcd/errors';
import { StoreError } from './errors';
import { watchExpired } from './errorTexts';
import { passedThrough } from './readErrors';

/** gRPC's statuses that say "not now" when etcd gives no reason of its own. */
const passing: ReadonlySet<number> = new Set([
  1, // cancelled, by the server: "etcdserver: watch canceled"
  2, // unknown
  8, // resource exhausted: "etcdserver: too many requests"
  10, // aborted
  13, // internal: the connection broke within a message
]);

/** A watch that the server itself cancels carries this status. */
const failedPrecondition = 9;

/**
 * Whether trying again may help. `established` says that the watch was acknowledged before it failed:
 * a server that cancels it then, such as one that its reader is too slow for, may take it up again.
 */
export function mayPass(error: EtcdError, established: boolean): boolean {
  const { code, grpcCode } = error;
  if (code === 'unavailable' || code === 'deadline') return true;
  if (code !== 'other' || grpcCode === undefined) return false;
  return passing.has(grpcCode) || (established && grpcCode === failedPrecondition);
}

/** The error a watch ends with. */
export function watchError(error: EtcdError): StoreError {
  return error.code === 'compacted' ? watchExpired(error) : passedThrough(error);
}

export const watchCancelled = (signal: AbortSignal): StoreError =>
  new StoreError({ code: 'cancelled', message: 'the watch was cancelled', cause: signal.reason });
