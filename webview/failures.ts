/** What went wrong, as it is shown. */
import type { Failure } from '../server/protocol/errors';
import { RpcError } from '../server/protocol/rpc';

export function failureOf(error: unknown): Failure {
  if (error instanceof RpcError) return error.failure;
  const text = error instanceof Error ? error.message : String(error);
  return { code: 'internal', sentence: `Something failed inside the panel: ${text}.` };
}
