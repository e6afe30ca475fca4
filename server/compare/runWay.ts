/** Runs a list in one way, or follows it through its tokens, and sums what that took. */
import { keyText } from '../kube/print/keyText';
import { nextOptions, tokenLead } from '../store/follow';
import {
  ListFailedError,
  type ListItem,
  type ListOptions,
  type ListResult,
  type ListStore,
  type RequestRecord,
  type TotalRecord,
} from '../store/interfaces';
import { Totals } from '../store/totals';
import type { RunFigures, WayName } from './model';
import { firstList, readingOf } from './ways';

export interface ComparedList<T> {
  readonly store: ListStore<T>;
  /** Recursive and with a limit; no token and no version. */
  readonly options: ListOptions;
  /** The list's prefix as etcd knows it; tokens are relative to it. */
  readonly keyPrefix: Uint8Array;
  readonly toTheEnd: boolean;
}

export type RequestState = 'started' | 'progress' | 'done';

export interface WayHooks<T> {
  readonly signal: AbortSignal;
  /** Takes the objects in their order; must not throw. */
  readonly onItems: (items: readonly ListItem<T>[]) => void;
  /** Numbers begin anew with each LIST. */
  readonly onRequest?: (record: RequestRecord, state: RequestState) => void;
  /** The totals of a LIST, also of one that failed. */
  readonly onList?: (total: TotalRecord) => void;
}

export interface WayEnd {
  readonly figures: RunFigures;
  readonly revision: bigint;
  readonly continueToken: string;
}

/** A run that broke off, with what it had taken. */
export class WayFailedError extends Error {
  override readonly name = 'WayFailedError';
  constructor(
    override readonly cause: unknown,
    readonly figures: RunFigures,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Of a run that read nothing. */
const nothing = {
  requests: 0,
  fetched: 0,
  examined: 0,
  evaluated: 0,
  returned: 0,
  largestReplyBytes: 0,
  durationMs: 0,
};

class Sum {
  private readonly totals: Totals;
  private bytes = 0;

  constructor(limit: bigint) {
    this.totals = new Totals(limit);
  }

  noteDone({ bytes }: RequestRecord): void {
    this.bytes += bytes;
  }

  add(total: TotalRecord): void {
    this.totals.add(total);
  }

  figures(): RunFigures {
    const { total = nothing, pages: lists } = this.totals;
    const { requests, fetched, examined, evaluated, returned } = total;
    const { largestReplyBytes, durationMs } = total;
    const counts = { requests, lists, fetched, examined, evaluated, returned };
    return { ...counts, bytes: this.bytes, largestReplyBytes, durationMs };
  }
}

/** Reads at `revision`, or at the latest where it is null. Rejects with `WayFailedError`. */
export async function runWay<T>(
  list: ComparedList<T>,
  way: WayName,
  revision: bigint | null,
  hooks: WayHooks<T>,
): Promise<WayEnd> {
  const sum = new Sum(list.options.predicate.limit);
  let options = firstList(way, list.options, list.toTheEnd, revision);
  try {
    for (;;) {
      const result = await oneList(list, way, options, hooks, sum);
      const { continueToken, resourceVersion } = result;
      if (continueToken === '' || !list.toTheEnd) {
        return { figures: sum.figures(), revision: resourceVersion, continueToken };
      }
      checkLead(list, result);
      options = nextOptions(options, continueToken);
    }
  } catch (error) {
    throw new WayFailedError(error instanceof ListFailedError ? error.cause : error, sum.figures());
  }
}

async function oneList<T>(
  { store }: ComparedList<T>,
  way: WayName,
  options: ListOptions,
  hooks: WayHooks<T>,
  sum: Sum,
): Promise<ListResult<T>> {
  const add = (total: TotalRecord): void => {
    sum.add(total);
    hooks.onList?.(total);
  };
  try {
    const result = await store.getList(options, {
      ...readingOf(way),
      signal: hooks.signal,
      onItems: hooks.onItems,
      onRequest: (record, state) => {
        if (state === 'done') sum.noteDone(record);
        hooks.onRequest?.(record, state);
      },
    });
    add(result.receipt.total);
    return result;
  } catch (error) {
    if (error instanceof ListFailedError) add(error.receipt.total);
    throw error;
  }
}

/** Where a token cannot carry its key, ways that follow tokens read other keys than a stream does. */
function checkLead<T>({ keyPrefix }: ComparedList<T>, result: ListResult<T>): void {
  const { continueToken, lastKey } = result;
  if (lastKey === undefined || tokenLead(continueToken, keyPrefix, lastKey) === 'exact') return;
  throw new TokenLeadError(lastKey);
}

/** A list that cannot be compared to its end. */
export class TokenLeadError extends Error {
  override readonly name = 'TokenLeadError';
  constructor(key: Uint8Array) {
    super(
      `the continue token cannot carry the key ${keyText(key)} exactly, since tokens carry only keys that are UTF-8 and clean paths: compare one list instead of all to the end`,
    );
  }
}
