/** The end of a list: its token, its receipt, its error. Upstream: `finalizeList`. */
import { prepareContinue, type PreparedContinue } from './continueToken';
import { StoreError } from './errors';
import { inconsistentReply } from './errorTexts';
import { ListFailedError, type ListResult, type Receipt } from './interfaces';
import type { ListRun, Position } from './listRun';
import { isUnfiltered } from './predicate';
import { recordedError, type ReceiptBuilder } from './receipt';
import { checkListVersion } from './resourceVersion';

const nothingFollows: PreparedContinue = { token: '', remainingItemCount: null };

function prepareNext<T>({ options, progress, read, position }: ListRun<T>): PreparedContinue {
  try {
    return prepareContinue({
      lastKey: progress.lastKey ?? new Uint8Array(0),
      keyPrefix: read.keyPrefix,
      resourceVersion: position.revision,
      count: position.count,
      hasMore: position.hasMore,
      limit: options.predicate.limit,
      filtered: !isUnfiltered(options.predicate),
    });
  } catch (error) {
    throw inconsistentReply((error as Error).message);
  }
}

/** What a fixed page of the client's limit would have cost; null without a limit. */
function naiveRequests(limit: bigint, examined: number): number | null {
  return limit > 0n ? Math.max(1, Math.ceil(examined / Number(limit))) : null;
}

function knownRevision({ revision, answered }: Position): bigint | null {
  return answered && revision !== 0n ? BigInt.asUintN(64, revision) : null;
}

function closeReceipt<T>(
  { options, progress, position, streamed, read }: ListRun<T>,
  prepared: PreparedContinue,
  error?: StoreError,
): Receipt {
  const { fetched, examined, evaluated, returned } = progress;
  return read.receipt.finish({
    fetched,
    examined,
    evaluated,
    returned,
    resourceVersion: knownRevision(position),
    continueToken: prepared.token,
    remainingItemCount: prepared.remainingItemCount,
    naiveRequests: naiveRequests(options.predicate.limit, examined),
    streamed,
    ...(error === undefined ? {} : { error: recordedError(error) }),
  });
}

/** Throws the error of unreadable objects, or of a list without a revision. */
export function finalizeList<T>(run: ListRun<T>): ListResult<T> {
  const prepared = prepareNext(run);
  const failure = run.errors.result();
  if (failure !== undefined) throw failure;
  checkListVersion(run.position.revision);
  return {
    items: run.items,
    // A version above the signed range was read as a negative revision, and is printed as asked.
    resourceVersion: BigInt.asUintN(64, run.position.revision),
    continueToken: prepared.token,
    remainingItemCount: prepared.remainingItemCount,
    unreadable: run.errors.unreadable,
    lastKey: run.progress.lastKey,
    receipt: closeReceipt(run, prepared),
  };
}

/** The error a failed list rejects with. What is no `StoreError` is a fault of ours and stays as it is. */
export function failList<T>(run: ListRun<T>, error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const items = [...run.items, ...run.progress.pending];
  return new ListFailedError(error, closeReceipt(run, nothingFollows, error), items);
}

/** The error of a list whose options were refused: its receipt has no requests. */
export function refuseList(receipt: ReceiptBuilder, limit: bigint, error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const closed = receipt.finish({
    fetched: 0,
    examined: 0,
    evaluated: 0,
    returned: 0,
    resourceVersion: null,
    continueToken: '',
    remainingItemCount: null,
    naiveRequests: naiveRequests(limit, 0),
    streamed: false,
    error: recordedError(error),
  });
  return new ListFailedError(error, closed, []);
}
