/** A failed etcd read as the error the list ends with (rules E1, E2). Upstream: `pkg/storage/etcd3/errors.go`. */
import { isEtcdError, type EtcdError, type EtcdErrorCode } from '../etcd/errors';
import type { ReadContext, ReadRange } from './chunks';
import { encodeContinue } from './continueToken';
import { readCurrentRevision } from './currentRevision';
import { StoreError, type StoreErrorCode } from './errors';
import { expired, inconsistentContinue, tokenExpired, tooLargeResourceVersion } from './errorTexts';

export interface ListPlace {
  readonly keyPrefix: Uint8Array;
  /** Where the page that failed begins. */
  readonly continueKey: Uint8Array | undefined;
  /** Whether a 410 may offer a token to go on with. */
  readonly paging: boolean;
}

/** The 410 of a compacted read. */
function compactedError(cause: unknown, { keyPrefix, continueKey, paging }: ListPlace): StoreError {
  if (!paging) return expired(cause);
  try {
    const token = encodeContinue(continueKey ?? new Uint8Array(0), keyPrefix, -1n);
    return inconsistentContinue(token, cause);
  } catch {
    return tokenExpired(cause);
  }
}

const ownCodes: Partial<Record<EtcdErrorCode, StoreErrorCode>> = {
  cancelled: 'cancelled',
  replyTooLarge: 'overBudget',
};

/** An error that upstream hands on as it is. */
export function passedThrough(error: EtcdError): StoreError {
  const code = ownCodes[error.code] ?? 'etcd';
  return new StoreError({ code, message: error.message, cause: error });
}

/** What a read failed with, where nothing of the list's own can be the cause. */
export const plainReadError = (error: unknown): unknown =>
  isEtcdError(error) ? passedThrough(error) : error;

/** Upstream: `interpretListError`. */
export function interpretListError(error: EtcdError, place: ListPlace): StoreError {
  return error.code === 'compacted' ? compactedError(error, place) : passedThrough(error);
}

/**
 * `hadToken` says whether the request carried a continue token, used or not. What is no `EtcdError`
 * is a fault of ours and comes back as it is. Upstream: `listReadError`.
 */
export async function listReadError(
  context: ReadContext,
  error: unknown,
  range: ReadRange,
  hadToken: boolean,
): Promise<unknown> {
  if (!isEtcdError(error)) return error;
  if (error.code === 'futureRevision') {
    const current = await readCurrentRevision(context).catch(() => 0n);
    return tooLargeResourceVersion(range.revision, current);
  }
  const { continueKey } = range;
  const { keyPrefix } = context;
  return interpretListError(error, { keyPrefix, continueKey, paging: hadToken });
}
