/** What both producers hand to the one consumer, and what they share. */
import type { Clock } from '../common/clock';
import { isEtcdError, type EtcdError, type EtcdErrorCode } from '../etcd/errors';
import type { EtcdReader, KeyValue } from '../etcd/interfaces';
import type { StoreMetrics } from '../metrics/storeMetrics';
import { encodeContinue } from './continueToken';
import { StoreError, type StoreErrorCode } from './errors';
import { expired, inconsistentContinue, tokenExpired, tooLargeResourceVersion } from './errorTexts';
import type { GroupResource } from './interfaces';
import type { OpenRequest, ReceiptBuilder } from './receipt';

/** One batch of keys: a page of a paged list or a message of a stream. */
export interface ListChunk {
  /** Taken by the consumer, which empties each slot as it goes: the reply's memory is free then. */
  readonly kvs: (KeyValue | undefined)[];
  /** Revision of the list, undefined while an unpinned stream has not named it. */
  readonly revision: bigint | undefined;
  /** etcd's count of keys left in the range, this batch included. */
  readonly count: bigint;
  readonly hasMore: boolean;
  readonly request: OpenRequest;
}

/** What a producer needs of its list. */
export interface ReadContext {
  readonly etcd: EtcdReader;
  readonly keyPrefix: Uint8Array;
  /** Key of the resource prefix without a slash added, for the question of the current revision. */
  readonly resourceKey: Uint8Array;
  readonly groupResource: GroupResource;
  readonly metrics: StoreMetrics;
  readonly receipt: ReceiptBuilder;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export interface ReadRange {
  /** Revision to read at; 0 is the latest. */
  readonly revision: bigint;
  readonly limit: bigint;
  readonly continueKey: Uint8Array | undefined;
}

export const callOptions = ({ signal }: ReadContext): { readonly signal?: AbortSignal } =>
  signal === undefined ? {} : { signal };

/** Asks etcd for its current revision by one point read; 0 when that fails (rule E2). */
async function currentRevision(context: ReadContext): Promise<bigint> {
  const { etcd, resourceKey, receipt, metrics, groupResource, clock } = context;
  const operation = 'getCurrentResourceVersion';
  const request = receipt.begin({
    operation,
    endpoint: etcd.currentEndpoint,
    serializable: etcd.serializable,
    startKey: resourceKey,
    endKey: undefined,
    limit: 1n,
    revision: 0n,
  });
  const startedAt = clock.monotonic();
  let failed = false;
  try {
    const reply = await etcd.range({ key: resourceKey, limit: 1n }, callOptions(context));
    request.reply(reply);
    return reply.revision;
  } catch (error) {
    failed = true;
    request.failed(error);
    return 0n;
  } finally {
    request.done();
    const seconds = (clock.monotonic() - startedAt) / 1000;
    metrics.recordEtcdRequest(operation, groupResource, failed, seconds);
  }
}

/** The 410 of a compacted read. Upstream: `interpretListError`. */
export function compactedError(
  cause: unknown,
  hadToken: boolean,
  continueKey: Uint8Array | undefined,
  keyPrefix: Uint8Array,
): StoreError {
  if (!hadToken) return expired(cause);
  try {
    const token = encodeContinue(continueKey ?? new Uint8Array(0), keyPrefix, -1n);
    return inconsistentContinue(token, cause);
  } catch {
    return tokenExpired(cause);
  }
}

function passedThrough(error: EtcdError): StoreError {
  const codes: Partial<Record<EtcdErrorCode, StoreErrorCode>> = {
    cancelled: 'cancelled',
    replyTooLarge: 'overBudget',
  };
  const code = codes[error.code] ?? 'etcd';
  return new StoreError({ code, message: error.message, cause: error });
}

/**
 * Maps a failed etcd read to the error the list ends with. What is no `EtcdError` is a fault of ours
 * and comes back as it is. Upstream: `listReadError`.
 */
export async function listReadError(
  context: ReadContext,
  error: unknown,
  range: ReadRange,
  hadToken: boolean,
): Promise<unknown> {
  if (!isEtcdError(error)) return error;
  if (error.code === 'futureRevision') {
    return tooLargeResourceVersion(range.revision, await currentRevision(context));
  }
  if (error.code === 'compacted') {
    return compactedError(error, hadToken, range.continueKey, context.keyPrefix);
  }
  return passedThrough(error);
}
