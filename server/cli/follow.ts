/** Runs one LIST, or goes through all its continue tokens. */
import { nextOptions, tokenLead } from '../store/follow';
import {
  ListFailedError,
  type ListHooks,
  type ListOptions,
  type ListResult,
  type ListStore,
} from '../store/interfaces';
import { warn, type Context } from './context';
import { failure, StoppedError } from './exit';
import type { Item, ListEnd, RowWriter, StoredValue } from './output/rows';
import { keyText } from './output/text';
import { unreadableReason } from './output/unreadable';
import type { Reporter } from './reporter';

export interface ListRun {
  readonly context: Context;
  readonly store: ListStore<StoredValue>;
  readonly options: ListOptions;
  /** The list's prefix as etcd knows it; tokens are relative to it. */
  readonly keyPrefix: Uint8Array;
  readonly follow: boolean;
  readonly hooks: Pick<ListHooks<StoredValue>, 'unreadable' | 'stream' | 'onFallback'>;
  readonly writer: RowWriter;
  readonly reporter: Reporter;
}

/** What the list came to, with the number of rows written. */
export interface Followed extends ListEnd {
  readonly rows: number;
  /** Keys that etcd sent. */
  readonly fetched: number;
  /** Objects left out since they cannot be read. */
  readonly leftOut: number;
  /** The last page's last key, for the token's explanation. */
  readonly lastKey: Uint8Array | undefined;
}

/** What happens between the pages of a list, for whoever must go on when it fails. */
export interface Progress {
  /** Token of the page that runs; empty for the first. */
  token: string;
  /** Rows of that page that are written already. */
  written: number;
}

export async function runList(
  run: ListRun,
  progress: Progress = { token: '', written: 0 },
): Promise<Followed> {
  let options = run.options;
  let [rows, fetched, leftOut] = [0, 0, 0];
  for (;;) {
    const result = await onePage(run, options, (count) => {
      rows += count;
      progress.written += count;
    });
    await run.writer.pageEnd();
    reportUnreadable(run.context, result);
    leftOut += result.unreadable.length;
    fetched += result.receipt.total.fetched;
    const { continueToken } = result;
    if (continueToken !== '') checkToken(run, continueToken, result.lastKey);
    if (continueToken === '' || !run.follow) return { ...result, rows, fetched, leftOut };
    Object.assign(progress, { token: continueToken, written: 0 });
    options = nextOptions(options, continueToken);
  }
}

/**
 * One LIST. When rows can no longer be written the engine is stopped rather than thrown through,
 * so that its receipt is whole.
 */
async function onePage(
  run: ListRun,
  options: ListOptions,
  counted: (rows: number) => void,
): Promise<ListResult<StoredValue>> {
  const { context, reporter, writer } = run;
  const stop = new AbortController();
  const broken: unknown[] = [];
  const onItems = async (items: readonly Item[]): Promise<void> => {
    if (broken.length > 0) return;
    try {
      await writer.rows(items);
      counted(items.length);
    } catch (error) {
      broken.push(error);
      stop.abort(error);
    }
  };
  try {
    const result = await run.store.getList(options, {
      ...run.hooks,
      signal: AbortSignal.any([context.signal, stop.signal]),
      onRequest: (record, state) => {
        reporter.request(record, state);
      },
      onItems,
    });
    reporter.listDone(result.receipt.total);
    if (broken.length === 0) throwIfStopped(context);
    else throw broken[0];
    return result;
  } catch (error) {
    if (error instanceof ListFailedError) reporter.listDone(error.receipt.total);
    if (broken.length > 0) throw broken[0];
    throwIfStopped(context);
    await writer.fail();
    throw error;
  }
}

function throwIfStopped({ signal }: Context): void {
  if (signal.aborted)
    throw signal.reason instanceof Error ? signal.reason : new StoppedError('interrupt');
}

function reportUnreadable(context: Context, result: ListResult<StoredValue>): void {
  for (const { key, error } of result.unreadable) {
    warn(context, `${keyText(key)} cannot be read and is left out: ${unreadableReason(error)}`);
  }
}

/** Says where a token cannot carry its key; a followed list must not go back. */
function checkToken(run: ListRun, token: string, lastKey: Uint8Array | undefined): void {
  const lead = tokenLead(token, run.keyPrefix, lastKey);
  if (lastKey === undefined || lead === 'exact') return;
  const key = keyText(lastKey);
  if (lead === 'onward') {
    warn(
      run.context,
      `the continue token cannot carry the key ${key} exactly, since tokens carry only keys that are UTF-8 and clean paths: keys right after it may be skipped`,
    );
  } else if (run.follow) {
    throw failure(
      `following stops: the continue token does not lead beyond the key ${key}, since tokens carry only keys that are UTF-8 and clean paths; list without a limit to read on`,
      { code: 'tokenLeadsBack' },
    );
  } else {
    warn(
      run.context,
      `the continue token does not lead beyond the key ${key}, since tokens carry only keys that are UTF-8 and clean paths: going on with it repeats keys`,
    );
  }
}
