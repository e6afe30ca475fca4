/** A request that reads over the open connection, and ends with it. */
import { FailureError, failureOf } from './failures';
import type { OpenConnection } from './openConnection';

/**
 * `read` is given a signal that aborts with the request, and when the connection is closed; the
 * latter is said as the reason, since nobody who stopped the request knows it already.
 */
export async function onConnection<T>(
  connection: OpenConnection,
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await read(AbortSignal.any([signal, connection.closed]));
  } catch (error) {
    const isClosed = connection.closed.aborted && !signal.aborted;
    if (!isClosed || failureOf(error).code !== 'cancelled') throw error;
    const sentence = 'The connection was closed.';
    throw new FailureError({ code: 'notConnected', sentence }, error);
  }
}
