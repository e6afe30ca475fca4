/** How the events of a list, and its end, change the run. */
import type { Failure } from '../server/protocol/errors';
import type { ListDone, ListEvent, TotalEntry } from '../server/protocol/model';
import { isRunning, type Resume, type Run, type RunRequest, type Snapshot } from './run';

/** Requests of pages of the client's own limit, for that many objects; null without a limit. */
function naiveRequests(limit: string, examined: number): number | null {
  const size = Number(limit);
  return size > 0 ? Math.max(1, Math.ceil(examined / size)) : null;
}

/** Sums two lists' totals as the receipt of a followed list does. */
export function addTotals(before: TotalEntry | null, last: TotalEntry, limit: string): TotalEntry {
  if (!before) return last;
  const examined = before.examined + last.examined;
  const servedBy = before.servedBy === last.servedBy ? last.servedBy : 'mixed';
  return {
    ...last,
    // A page that failed before its read has none; the rows that are there keep theirs.
    resourceVersion: last.resourceVersion ?? before.resourceVersion,
    ...(servedBy && { servedBy }),
    requests: before.requests + last.requests,
    fetched: before.fetched + last.fetched,
    examined,
    evaluated: before.evaluated + last.evaluated,
    returned: before.returned + last.returned,
    naiveRequests: naiveRequests(limit, examined),
    streamed: before.streamed || last.streamed,
    largestReplyBytes: Math.max(before.largestReplyBytes, last.largestReplyBytes),
    durationMs: before.durationMs + last.durationMs,
  };
}

type Draft = { -readonly [K in keyof Run]: Run[K] };

/**
 * After a batch. Events of another list, or that come again or too late, change nothing. What grows is
 * copied once a batch: a list that is followed may have made tens of thousands of requests.
 */
export function afterEvents(run: Run, events: readonly ListEvent[]): Run {
  if (!isRunning(run)) return run;
  const draft: Draft = { ...run };
  const requests: RunRequest[] = [];
  for (const { listId, seq, body } of events) {
    if (listId !== run.listId || seq < draft.nextSeq) continue;
    draft.lost += seq - draft.nextSeq;
    draft.nextSeq = seq + 1;
    if (body.kind === 'request') {
      requests.push({ ...body.request, n: body.request.n + run.requestOffset, ended: body.done });
    } else take(draft, body);
  }
  if (draft.nextSeq === run.nextSeq) return run;
  if (requests.length > 0) draft.requests = withRequests(run.requests, requests);
  return draft;
}

function take(draft: Draft, body: Exclude<ListEvent['body'], { readonly kind: 'request' }>): void {
  switch (body.kind) {
    case 'rows':
      draft.rowChunks = [...draft.rowChunks, body.rows];
      draft.rowCount += body.rows.length;
      return;
    case 'totals':
      draft.total = addTotals(draft.before, body.total, draft.query.limit);
      draft.resume = resumeOf(body.total, draft.rowsBefore);
      draft.snapshots = named(draft.snapshots, body.total.resourceVersion);
      return;
    case 'notice':
      draft.notices = [...draft.notices, body.text];
  }
}

const resumeOf = ({ continue: token, returned }: TotalEntry, before: number): Resume | null =>
  token === '' ? null : { token, rows: before + returned };

function withRequests(before: readonly RunRequest[], changed: readonly RunRequest[]) {
  const requests = [...before];
  for (const request of changed) {
    // Numbers only grow: what is updated is near the end.
    const at = requests.findLastIndex(({ n }) => n <= request.n);
    if (requests[at]?.n === request.n) requests[at] = request;
    else requests.push(request);
  }
  return requests;
}

/** The list was answered. */
export function afterDone(run: Run, listId: string, done: ListDone): Run {
  if (listId !== run.listId) return run;
  return {
    ...ended(run, done.failure),
    total: addTotals(run.before, done.total, run.query.limit),
    unreadable: [...run.unreadable, ...done.unreadable],
    commands: done.commands,
    snapshots: named(run.snapshots, done.total.resourceVersion),
  };
}

/** The snapshot that had no revision yet is of this one. */
function named(snapshots: readonly Snapshot[], revision: string | null): readonly Snapshot[] {
  if (revision === null || snapshots.every((each) => each.revision !== null)) return snapshots;
  return snapshots.map((each) => (each.revision === null ? { ...each, revision } : each));
}

/** The list was refused, or its answer will never come. */
export function afterRefusal(run: Run, listId: string, failure: Failure): Run {
  if (listId !== run.listId || !isRunning(run)) return run;
  return ended(run, failure);
}

/** No reply comes any more, whatever ended it. */
function ended(run: Run, failure: Failure | undefined): Run {
  const cancelled = failure?.code === 'cancelled';
  // Whoever pressed Stop knows why it ended.
  const reason = cancelled && run.phase !== 'stopping' ? [failure.sentence] : [];
  return {
    ...run,
    phase: cancelled ? 'stopped' : failure ? 'failed' : 'done',
    failure: cancelled ? null : (failure ?? null),
    notices: reason.length > 0 ? [...run.notices, ...reason] : run.notices,
    requests: run.requests.map((request) =>
      request.ended ? request : { ...request, ended: true },
    ),
  };
}
