/** A request that reads over the open connection, and ends with it. */
import { FailureError, failureOf, isUnreachable } from './failures';
import type { OpenConnection } from './openConnection';

/**
 * `read` is given a signal that aborts with the request, and when the connection is closed; the
 * latter is said as the reason, since nobody who stopped the request knows it already. That etcd was
 * not reached shows in the status from then on.
 */
export async function onConnection<T>(
  connection: OpenConnection,
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await read(AbortSignal.any([signal, connection.closed]));
  } catch (error) {
    if (isUnreachable(error)) connection.noteReach(failureOf(error).sentence);
    const isClosed = connection.closed.aborted && !signal.aborted;
    if (!isClosed || failureOf(error).code !== 'cancelled') throw error;
    const sentence = 'The connection was closed.';
    throw new FailureError({ code: 'notConnected', sentence }, error);
  }
}

/** The same for what asks etcd whenever it succeeds: that etcd is there again shows in the status. */
export async function reading<T>(
  connection: OpenConnection,
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const answer = await onConnection(connection, signal, read);
  connection.noteReach(undefined);
  return answer;
}
