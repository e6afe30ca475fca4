/** Adds to a refused read who asked for what: etcd's own text names neither. */
import { EtcdError, isEtcdError } from './errors';
import type { RangeRequest } from './interfaces';

/** The same error with its read, when it is `permissionDenied`; anything else as it is. */
export function withDeniedRead(
  error: unknown,
  { key, rangeEnd }: Pick<RangeRequest, 'key' | 'rangeEnd'>,
  user: string | undefined,
): unknown {
  if (!isEtcdError(error, 'permissionDenied')) return error;
  const { code, message, endpoint, grpcCode, method, cause } = error;
  return new EtcdError({
    code,
    message,
    endpoint,
    ...(grpcCode !== undefined && { grpcCode }),
    ...(method !== undefined && { method }),
    denied: { user, key, rangeEnd },
    cause,
  });
}
