/** The list request: events while it runs, totals and commands when it ends. */
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import type { StoreMetrics } from '../metrics/storeMetrics';
import type { Failure } from '../protocol/errors';
import type { ListDone, ListParams, Taken } from '../protocol/model';
import { totalForm } from '../store/receiptForm';
import { commandsOf } from './commandTexts';
import type { ConnectionHolder } from './connectionHolder';
import { engineGates } from './engineGates';
import { cancelled, failureOf, isOutside, isUnreachable, refuse } from './failures';
import { ListEvents, type SendEvents } from './listEvents';
import { ListRun, type ListEnd } from './listRun';
import { onConnection } from './onConnection';
import type { OpenConnection } from './openConnection';
import type { Progress, StartProgress } from './progress';
import { listOptionsOf, targetOf } from './query';
import { readListParams } from './queryParams';
import type { Router } from './router';
import type { ServerSettings } from './settings';
import type { CacheDesk } from './watchCaches/cacheDesk';
import { servedNotes } from './watchCaches/servedNotes';

export interface ListDeps {
  readonly holder: ConnectionHolder;
  readonly settings: Pick<ServerSettings, 'current'>;
  readonly sendEvents: SendEvents;
  /** Has every `etcdList/taken` handed to it. */
  readonly onTaken: (take: (taken: Taken) => void) => void;
  readonly startProgress: StartProgress;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StoreMetrics;
  readonly caches: CacheDesk;
}

export function registerList(router: Router, deps: ListDeps): void {
  const running = new Map<string, ListEvents>();
  deps.onTaken(({ listId, seq }) => running.get(listId)?.acknowledge(seq));
  router.handle('etcdList/list', readListParams, async (params, { signal }) => {
    const connection = deps.holder.required();
    if (running.has(params.listId)) {
      throw refuse('A list with this listId is already running: wait for its end, or stop it.');
    }
    const isShown = params.follow && params.silent !== true;
    const progress = isShown ? deps.startProgress('Listing to the end') : undefined;
    const asked = progress ? AbortSignal.any([signal, progress.signal]) : signal;
    // A list that waits for its client is ended by whatever ends it elsewhere.
    const stop = AbortSignal.any([asked, connection.closed]);
    const answers = params.acknowledged === true ? stop : undefined;
    const events = new ListEvents(params.listId, deps.sendEvents, deps.clock, answers);
    running.set(params.listId, events);
    try {
      return await onConnection(connection, asked, () =>
        list(params, connection, deps, { events, progress, signal: stop }),
      );
    } finally {
      events.dispose();
      running.delete(params.listId);
      progress?.end();
    }
  });
}

interface Ways {
  readonly events: ListEvents;
  readonly progress: Progress | undefined;
  readonly signal: AbortSignal;
}

/** Rejects when the query cannot be put to the engine; what fails there comes with totals. */
async function list(
  params: ListParams,
  connection: OpenConnection,
  deps: ListDeps,
  { events, progress, signal }: Ways,
): Promise<ListDone> {
  const { holder, settings, clock, log, metrics, caches } = deps;
  const { query } = params;
  const target = await targetOf(query, connection, signal, (text) => {
    events.notice(text);
  });
  const options = listOptionsOf(query, target);
  const gates = engineGates(holder, settings);
  const cache =
    query.serveFrom === undefined
      ? undefined
      : await caches.storeFor(connection, target, params, signal);
  const shared = { params, cache, connection, target, options, gates, events, signal, progress };
  const run = await new ListRun({ ...shared, clock, log, metrics }).run();
  if (cache !== undefined && run.error === undefined) {
    for (const text of servedNotes(options, run.total, cache.status())) events.notice(text);
  }
  await events.sent();
  const end = events.failure === undefined ? run : { ...run, error: events.failure };
  const failure = failureOfList(end, connection);
  noteReach(run, failure, connection);
  if (failure !== undefined && isOutside(failure)) log.warn(`etcdList/list: ${failure.sentence}`);
  return {
    total: totalForm(end.total, Number),
    unreadable: end.unreadable,
    ...(failure === undefined ? {} : { failure }),
    commands: commandsOf({ query, target, options, connection, follow: params.follow }),
  };
}

/** What a person stopped, or what was refused before anything was sent, says nothing about etcd. */
function noteReach(end: ListEnd, failure: Failure | undefined, connection: OpenConnection): void {
  if (failure?.code === 'cancelled' || end.total.requests === 0) return;
  connection.noteReach(isUnreachable(end.error) ? failure?.sentence : undefined);
}

function failureOfList({ error }: ListEnd, connection: OpenConnection): Failure | undefined {
  if (error === undefined) return undefined;
  const failure = failureOf(error);
  if (failure.code !== 'cancelled' || !connection.closed.aborted) return failure;
  return cancelled('The connection was closed while the list ran: run it again.').failure;
}
