import { StoreError } from '../store/errors';

/** The error of a list that was stopped, or ran out of time, while the cache served it. */
export function stoppedRead(signal: AbortSignal): StoreError {
  const reason: unknown = signal.reason;
  const timedOut = reason instanceof Error && reason.name === 'TimeoutError';
  return new StoreError({
    code: timedOut ? 'timeout' : 'cancelled',
    message: 'request did not complete within requested timeout',
    cause: reason,
  });
}
