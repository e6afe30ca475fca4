/** Runs one list of the panel, or follows it through its tokens, and sums what it cost. */
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import { cellText } from '../kube/print/cellText';
import { keyText } from '../kube/print/keyText';
import type { StoreMetrics } from '../metrics/storeMetrics';
import type { ListParams, UnreadableEntry } from '../protocol/model';
import { nextOptions, tokenLead } from '../store/follow';
import {
  ListFailedError,
  type FeatureGates,
  type ListHooks,
  type ListOptions,
  type ListResult,
  type ListStore,
  type TotalRecord,
} from '../store/interfaces';
import { createStore } from '../store/list';
import { requestForm, totalForm } from '../store/receiptForm';
import { Totals } from '../store/totals';
import type { ListTarget, StoredValue } from '../targets/target';
import { refuse } from './failures';
import type { ListEvents } from './listEvents';
import type { MeasuredList, OpenConnection } from './openConnection';
import type { Progress } from './progress';
import { keyPrefixOf, streamModes } from './query';
import { rowOf } from './rows';

/** Unreadable objects named at most; a page of the panel cannot show more. */
const MOST_UNREADABLE = 1000;

export interface ListRunParts {
  readonly params: ListParams;
  readonly connection: OpenConnection;
  readonly target: ListTarget;
  readonly options: ListOptions;
  readonly gates: FeatureGates;
  readonly events: ListEvents;
  readonly signal: AbortSignal;
  readonly progress: Progress | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StoreMetrics;
  /** Serves the list in etcd's place. */
  readonly cache?: ListStore<StoredValue> | undefined;
}

export interface ListEnd {
  readonly total: TotalRecord;
  readonly unreadable: readonly UnreadableEntry[];
  readonly error: unknown;
}

export class ListRun {
  private readonly totals: Totals;
  private readonly unreadable: UnreadableEntry[] = [];
  private readonly store: ListStore<StoredValue>;
  private readonly keyPrefix: Uint8Array;
  private readonly measured: MeasuredList | undefined;
  /** Aborts also when the client no longer takes events. */
  private readonly stop = new AbortController();
  private readonly signal: AbortSignal;
  private saidFallback = false;

  constructor(private readonly parts: ListRunParts) {
    this.totals = new Totals(parts.options.predicate.limit);
    this.store = parts.cache ?? storeOf(parts);
    this.keyPrefix = keyPrefixOf(parts.options, parts.target);
    this.measured = this.takeMeasured();
    this.signal = AbortSignal.any([parts.signal, this.stop.signal]);
  }

  /** Rejects only with what has no receipt: a fault of ours. */
  async run(): Promise<ListEnd> {
    const { params, events } = this.parts;
    let options = this.parts.options;
    this.showMeasured();
    try {
      for (;;) {
        const result = await this.page(options);
        if (params.follow) this.pageDone();
        await events.taken();
        const { continueToken } = result;
        if (continueToken !== '') this.checkToken(continueToken, result.lastKey);
        if (continueToken === '' || !params.follow) return this.end(undefined);
        options = nextOptions(options, continueToken);
      }
    } catch (error) {
      return this.end(error);
    }
  }

  /** What was measured and then not wished for is no list's. */
  private takeMeasured(): MeasuredList | undefined {
    const { params, connection } = this.parts;
    const measured = connection.takeMeasured(this.keyPrefix);
    return params.measured === true ? measured : undefined;
  }

  /** What was read to ask about a list without a limit is paid for by it. */
  private showMeasured(): void {
    for (const record of this.measured?.requests ?? []) {
      this.parts.events.request(requestForm(this.totals.numbered(record), Number), 'done');
      this.totals.measured(record);
    }
  }

  private end(error: unknown): ListEnd {
    const { total } = this.totals;
    if (total === undefined) throw error;
    return { total, unreadable: this.unreadable, error };
  }

  private async page(options: ListOptions): Promise<ListResult<StoredValue>> {
    try {
      const result = await this.store.getList(options, this.hooks());
      this.totals.add(result.receipt.total);
      for (const { key, error } of result.unreadable) {
        if (this.unreadable.length >= MOST_UNREADABLE) break;
        this.unreadable.push({ key: keyText(key), reason: cellText(error.message) });
      }
      return result;
    } catch (error) {
      if (error instanceof ListFailedError) this.totals.add(error.receipt.total);
      throw error;
    }
  }

  private hooks(): ListHooks<StoredValue> {
    const { params, connection, events } = this.parts;
    return {
      signal: this.signal,
      stream: streamModes[params.query.readMode],
      ...(params.query.skipUnreadable ? { unreadable: 'skip' } : {}),
      measured: this.measured,
      onRequest: (record, state) => {
        events.request(requestForm(this.totals.numbered(record), Number), state);
        const { operation, refused, error, chunks = 0 } = record;
        const proven = operation === 'listStream' && chunks > 0 && !refused && !error;
        if (state === 'done' && proven) connection.noteStreamed();
      },
      onItems: async (items) => {
        try {
          await events.rows(items.map(rowOf));
        } catch {
          // The engine is stopped rather than thrown through, so that its receipt is whole.
          this.stop.abort();
        }
      },
      onFallback: (reason) => {
        connection.noteFallback();
        if (!this.saidFallback) events.notice(cellText(reason));
        this.saidFallback = true;
      },
    };
  }

  private pageDone(): void {
    const { events, progress } = this.parts;
    const { total, pages } = this.totals;
    if (total === undefined) return;
    events.totals(totalForm(total, Number));
    const counted = (count: number): string => count.toLocaleString('en-US');
    progress?.report(`${counted(total.returned)} rows, ${counted(pages)} pages`);
  }

  private checkToken(token: string, lastKey: Uint8Array | undefined): void {
    const lead = tokenLead(token, this.keyPrefix, lastKey);
    if (lastKey === undefined || lead === 'exact') return;
    const key = keyText(lastKey);
    if (lead === 'back' && this.parts.params.follow) {
      throw refuse(
        `Following stops: the continue token does not lead beyond the key ${key}, since tokens carry only keys that are UTF-8 and clean paths; list without a limit to read on.`,
      );
    }
    const consequence = lead === 'back' ? 'going on with it repeats keys' : 'keys may be skipped';
    this.parts.events.notice(
      `the continue token cannot carry the key ${key}, which is not UTF-8 or no clean path: ${consequence}`,
    );
  }
}

function storeOf(parts: ListRunParts): ListStore<StoredValue> {
  const { connection, target, options, clock, log, gates, params, metrics } = parts;
  const readsFields = !(options.predicate.field?.empty() ?? true);
  return createStore({
    etcd: connection.reader,
    root: target.root,
    resourcePrefix: target.path,
    groupResource: target.groupResource,
    decoder: target.decoder({ readsFields, onUnjudged: () => undefined }),
    streamSupport: connection.features,
    metrics,
    clock,
    log,
    gates,
    guardUnlimitedReads: !params.confirmed,
  });
}
