/** The list request: events while it runs, totals and commands when it ends. */
import type { Clock } from '../common/clock';
import type { Log } from '../common/log';
import type { Failure } from '../protocol/errors';
import type { ListDone, ListParams, Taken } from '../protocol/model';
import { totalForm } from '../store/receiptForm';
import { commandsOf } from './commandTexts';
import type { ConnectionHolder } from './connectionHolder';
import { cancelled, failureOf, isOutside, isUnreachable, refuse } from './failures';
import { ListEvents, type SendEvents } from './listEvents';
import { ListRun, type ListEnd } from './listRun';
import type { OpenConnection } from './openConnection';
import type { StartProgress } from './progress';
import { listOptionsOf, targetOf } from './query';
import { readListParams } from './queryParams';
import type { Router } from './router';

export interface ListDeps {
  readonly holder: ConnectionHolder;
  readonly sendEvents: SendEvents;
  /** Has every `etcdList/taken` handed to it. */
  readonly onTaken: (take: (taken: Taken) => void) => void;
  readonly startProgress: StartProgress;
  readonly clock: Clock;
  readonly log: Log;
}

export function registerList(router: Router, deps: ListDeps): void {
  const running = new Map<string, ListEvents>();
  deps.onTaken(({ listId, seq }) => running.get(listId)?.acknowledge(seq));
  router.handle('etcdList/list', readListParams, async (params, { signal }) => {
    const connection = deps.holder.required();
    if (running.has(params.listId)) {
      throw refuse('A list with this listId is already running: wait for its end, or stop it.');
    }
    const stop = AbortSignal.any([signal, connection.closed]);
    const answers = params.acknowledged === true ? stop : undefined;
    const events = new ListEvents(params.listId, deps.sendEvents, deps.clock, answers);
    running.set(params.listId, events);
    try {
      return await list(params, connection, deps, { events, stop });
    } finally {
      events.dispose();
      running.delete(params.listId);
    }
  });
}

/** Rejects when the query cannot be put to the engine; what fails there comes with totals. */
async function list(
  params: ListParams,
  connection: OpenConnection,
  deps: ListDeps,
  { events, stop }: { readonly events: ListEvents; readonly stop: AbortSignal },
): Promise<ListDone> {
  const { holder, clock, log } = deps;
  const { query } = params;
  const progress = params.follow ? deps.startProgress('Listing to the end') : undefined;
  const signal = progress ? AbortSignal.any([stop, progress.signal]) : stop;
  try {
    const target = await targetOf(query, connection, signal, (text) => {
      events.notice(text);
    });
    const options = listOptionsOf(query, target);
    const gate = holder.rangeStreamGate;
    const shared = { params, connection, target, options, gate, events, signal, progress };
    const end = await new ListRun({ ...shared, clock, log }).run();
    await events.sent();
    const failure = failureOfList(end, connection);
    noteReach(end, failure, connection);
    if (failure !== undefined && isOutside(failure)) log.warn(`etcdList/list: ${failure.sentence}`);
    return {
      total: totalForm(end.total, Number),
      unreadable: end.unreadable,
      ...(failure === undefined ? {} : { failure }),
      commands: commandsOf({ query, target, options, connection, follow: params.follow }),
    };
  } finally {
    progress?.end();
  }
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
