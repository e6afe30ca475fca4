/** Constructors for upstream's errors, text and status as the API server answers them. */
import { goQuote } from '../common/goText';
import { StoreError } from './errors';

export function badRequest(message: string, cause?: unknown): StoreError {
  return new StoreError({ code: 'badRequest', message, status: 400, reason: 'BadRequest', cause });
}

/** etcd's answers do not fit together; upstream's bare error. */
export function inconsistentReply(message: string): StoreError {
  return new StoreError({ code: 'inconsistentReply', message });
}

/** A page without keys that claims more (rule P9). */
export const emptyPage = (): StoreError =>
  inconsistentReply('no results were found, but etcd indicated there were more values remaining');

export function plainError(message: string, cause?: unknown): StoreError {
  return new StoreError({ code: 'plain', message, cause });
}

/** Upstream: `storage.NewTooLargeResourceVersionError`. */
export function tooLargeResourceVersion(
  wanted: bigint,
  current: bigint,
  retryAfterSeconds = 0,
): StoreError {
  const unsigned = (revision: bigint): string => String(BigInt.asUintN(64, revision));
  return new StoreError({
    code: 'tooLargeResourceVersion',
    message: `Timeout: Too large resource version: ${unsigned(wanted)}, current: ${unsigned(current)}`,
    status: 504,
    reason: 'Timeout',
    retryAfterSeconds,
    causes: [{ type: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
  });
}

/** 410 of a revision that the watch cache holds no longer. */
export function tooOldResourceVersion(wanted: bigint): StoreError {
  return gone(`too old resource version: ${String(wanted)}`, undefined);
}

const expiredText = 'The resourceVersion for the provided list is too old.';
const tokenExpiredText =
  'The provided continue parameter is too old to display a consistent list result. ' +
  'You can start a new list without the continue parameter';
const inconsistentText =
  `${tokenExpiredText}, or use the continue token in this response to retrieve the remainder of ` +
  'the results. Continuing with the provided token results in an inconsistent list - objects that ' +
  'were created, modified, or deleted between the time the first chunk was returned and now may ' +
  'show up in the list.';

function gone(message: string, cause: unknown): StoreError {
  return new StoreError({ code: 'expired', message, status: 410, reason: 'Expired', cause });
}

/** 410 for a list that carried no token. */
export const expired = (cause: unknown): StoreError => gone(expiredText, cause);

/** 410 for a watch whose next revision is compacted. Upstream: `interpretWatchError`. */
export const watchExpired = (cause: unknown): StoreError =>
  gone('The resourceVersion for the provided watch is too old.', cause);

/** 410 for a list whose token cannot be renewed. */
export const tokenExpired = (cause: unknown): StoreError => gone(`${tokenExpiredText}.`, cause);

/** 410 that offers a token to go on at the latest revision (rule E1). */
export function inconsistentContinue(continueToken: string, cause: unknown): StoreError {
  return new StoreError({
    code: 'expiredWithContinue',
    message: inconsistentText,
    status: 410,
    reason: 'Expired',
    continueToken,
    cause,
  });
}

/** Upstream: `errors.NewInternalError`, into which a watch puts errors without a status. */
export function internalError(message: string, key: Uint8Array): StoreError {
  return new StoreError({
    code: 'internal',
    message: `Internal error occurred: ${message}`,
    status: 500,
    reason: 'InternalError',
    causes: [{ type: '', message }],
    key,
  });
}

/** A watch that cannot go on: the revisions that etcd gives are no longer those of before. */
export const otherHistory = (message: string): StoreError =>
  new StoreError({
    code: 'otherHistory',
    message: `${message}: what the watch has told holds no more, begin anew`,
  });

const storageErrorTexts: ReadonlyMap<number, string> = new Map([
  [1, 'key not found'],
  [2, 'key exists'],
  [3, 'resource version conflicts'],
  [4, 'invalid object'],
  [5, 'server unreachable'],
  [6, 'request timeout'],
  [7, 'corrupt object'],
]);

/** Text of upstream's `StorageError`; `inner` is the wrapped error's text, null for none. */
export function storageErrorText(
  code: number,
  key: string,
  resourceVersion: bigint,
  inner: string | null,
): string {
  const what = storageErrorTexts.get(code) ?? '';
  return (
    `StorageError: ${what}, Code: ${code}, Key: ${key}, ` +
    `ResourceVersion: ${String(resourceVersion)}, AdditionalErrorMsg: ${inner ?? '<nil>'}`
  );
}

/** Upstream: the InternalError around a failed transformation (rule E3). */
export function untransformable(key: Uint8Array, cause: Error): StoreError {
  return new StoreError({
    code: 'internal',
    message: `unable to transform key ${goQuote(key)}: ${cause.message}`,
    status: 500,
    reason: 'InternalError',
    key,
    cause,
  });
}
