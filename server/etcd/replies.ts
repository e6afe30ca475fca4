/** Small steps that unary and streaming calls share on the way back. */
import type { Metadata } from '@grpc/grpc-js';
import { attemptError, type Attempt } from './attempt';
import { EtcdError } from './errors';
import type { Codec } from './rpc/codec';

export function contentTypeOf(metadata: Metadata): string | undefined {
  return metadata.get('content-type')[0]?.toString();
}

/** What a call rejects with when it could not even begin, as on a closed connection. */
export function unstarted(attempt: Attempt, error: unknown): EtcdError {
  if (error instanceof EtcdError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return attemptError(attempt, 'other', text, { cause: error });
}

export function decodeReply<T extends object>(
  codec: Codec<T>,
  bytes: Uint8Array,
  where: Pick<Attempt, 'lane' | 'method'>,
): T {
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw new EtcdError({
      code: 'malformedReply',
      message: `the reply is no valid ${codec.name}: ${error instanceof Error ? error.message : String(error)}`,
      endpoint: where.lane.endpoint,
      method: where.method,
      cause: error,
    });
  }
}
