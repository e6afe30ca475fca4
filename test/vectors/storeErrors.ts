/** Errors of the engine in the words of the vectors. */
import { StoreError, type StoreErrorCode } from '../../server/store/errors';

const kinds: Readonly<Partial<Record<StoreErrorCode, string>>> = {
  badRequest: 'BadRequest',
  plain: 'Plain',
  inconsistentReply: 'Plain',
  invalidKey: 'InvalidKey',
  expired: 'Expired',
  expiredWithContinue: 'ExpiredWithContinue',
  tooLargeResourceVersion: 'TooLargeResourceVersion',
  tooManyRequests: 'TooManyRequests',
  internal: 'InternalError',
  storeRead: 'StoreReadError',
  etcd: 'PassThrough',
};

export const kindOf = (error: StoreError): string => kinds[error.code] ?? error.code;

/** Start and version inside a token. */
export function tokenContent(token: string): { start: string; rv: string } {
  const json = Buffer.from(token, 'base64url').toString('utf8');
  const { start } = JSON.parse(json) as { start: string };
  // The version is read as text: it may be larger than a double can hold.
  return { start, rv: /"rv":(-?[0-9]+)/.exec(json)?.[1] ?? '' };
}

export function asStoreError(error: unknown): StoreError {
  const inner = error instanceof Error && error.cause instanceof StoreError ? error.cause : error;
  if (inner instanceof StoreError) return inner;
  throw error;
}
