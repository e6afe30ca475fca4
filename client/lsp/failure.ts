/** What was thrown, as a failure with one sentence. */
import { serverEnded, type Failure } from '../../server/protocol/errors';
import { RpcError } from '../../server/protocol/rpc';
import { plainText } from '../common/plainText';

/** Codes of JSON-RPC and LSP that say that a request ended without its handler having failed. */
const requestCancelled = -32800;
const serverCancelled = -32802;
/** The connection was closed or disposed, in the words of JSON-RPC and of Node. */
const connectionCodes: ReadonlySet<unknown> = new Set([
  -32097,
  -32096,
  1,
  2,
  'ERR_IPC_CHANNEL_CLOSED',
  'EPIPE',
]);

export { serverEnded };

/** Thrown when a person closed a question without an answer. */
export function cancelled(sentence: string): RpcError {
  return new RpcError({ code: 'cancelled', sentence });
}

export function refused(sentence: string): RpcError {
  return new RpcError({ code: 'badRequest', sentence });
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RpcError) return error.failure;
  const { code, data } = fieldsOf(error);
  if (isFailure(data)) return data;
  if (code === requestCancelled || code === serverCancelled) {
    return { code: 'cancelled', sentence: 'The request was cancelled.' };
  }
  if (connectionCodes.has(code)) return serverEnded;
  const text = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return {
    code: 'internal',
    sentence: `Something failed inside the extension (${plainText(text)}): try again, and see the log for more.`,
  };
}

function fieldsOf(error: unknown): { readonly code?: unknown; readonly data?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}

function isFailure(data: unknown): data is Failure {
  if (typeof data !== 'object' || data === null) return false;
  const { code, sentence } = data as Partial<Failure>;
  return typeof code === 'string' && typeof sentence === 'string';
}
