/** One run: a list and what was appended to it by Next page, and how its events change it. */
import type { Failure } from '../server/protocol/errors';
import type {
  ConnectionStatus,
  HistoryEntry,
  ListDone,
  ListEvent,
  ListQuery,
  QueryCommands,
  RequestEntry,
  Row,
  TotalEntry,
  UnreadableEntry,
} from '../server/protocol/model';

export type Phase = 'running' | 'stopping' | 'done' | 'stopped' | 'failed';

/** Why a list was started. */
export type Cause = 'fresh' | 'nextPage' | 'laterSnapshot' | 'resume';

export interface RunRequest extends RequestEntry {
  /** False while its reply is still coming. */
  readonly ended: boolean;
}

/** Where rows of a later snapshot begin. */
export interface Snapshot {
  readonly at: number;
  /** Null until its list has said its revision. */
  readonly revision: string | null;
}

/** Where a list that broke off goes on: behind its last whole page. */
export interface Resume {
  readonly token: string;
  /** Rows of the run up to there. */
  readonly rows: number;
}

export interface Run {
  /** Of the list that is running or ran last. */
  readonly listId: string;
  /** Name of the connection that was asked: rows of two are never one list. */
  readonly connection: string;
  /** As first asked; Next page changes only the token. */
  readonly query: ListQuery;
  readonly follow: boolean;
  readonly phase: Phase;
  readonly nextSeq: number;
  /** Events that never came. */
  readonly lost: number;
  readonly requests: readonly RunRequest[];
  /** Added to a request's own number: requests of the lists before this one. */
  readonly requestOffset: number;
  /** Grows by appending; no chunk is ever changed. */
  readonly rowChunks: readonly (readonly Row[])[];
  readonly rowCount: number;
  readonly snapshots: readonly Snapshot[];
  /** Rows of the lists before this one. */
  readonly rowsBefore: number;
  /** Sum of the lists before this one. */
  readonly before: TotalEntry | null;
  /** Of all lists of the run; null until one has said its totals. */
  readonly total: TotalEntry | null;
  /** Of the list that is running or ran last; null before its first whole page. */
  readonly resume: Resume | null;
  readonly notices: readonly string[];
  readonly unreadable: readonly UnreadableEntry[];
  readonly failure: Failure | null;
  readonly commands: QueryCommands | null;
  /** A run of the history: its rows were not kept. */
  readonly past: boolean;
  /** Of a past run whose requests were not all kept: the bytes of all of them. */
  readonly pastBytes: number | null;
}

export function freshRun(listId: string, query: ListQuery, follow: boolean, connection = ''): Run {
  return {
    listId,
    connection,
    query,
    follow,
    phase: 'running',
    nextSeq: 0,
    lost: 0,
    requests: [],
    requestOffset: 0,
    rowChunks: [],
    rowCount: 0,
    snapshots: [],
    rowsBefore: 0,
    before: null,
    total: null,
    resume: null,
    notices: [],
    unreadable: [],
    failure: null,
    commands: null,
    past: false,
    pastBytes: null,
  };
}

/** What starts a list that goes on with a run. */
export interface Continuation {
  readonly listId: string;
  readonly query: ListQuery;
  readonly follow: boolean;
  readonly cause: Cause;
}

/** The run goes on with another list. */
export function continuedRun(before: Run, { listId, query, follow, cause }: Continuation): Run {
  const run = cause === 'resume' ? upToResume(before) : before;
  const at = run.rowCount;
  const isLater = cause === 'laterSnapshot';
  return {
    ...run,
    listId,
    follow,
    phase: 'running',
    nextSeq: 0,
    requestOffset: run.requests.length,
    rowsBefore: at,
    before: run.total,
    resume: query.continueToken === '' ? null : { token: query.continueToken, rows: at },
    failure: null,
    snapshots: isLater ? [...run.snapshots, { at, revision: null }] : run.snapshots,
  };
}

/** Rows of the page that broke off come again. Its cost stands: it was paid. */
function upToResume(run: Run): Run {
  const { resume, total } = run;
  if (!resume) return run;
  return {
    ...run,
    rowChunks: firstRows(run.rowChunks, resume.rows),
    rowCount: resume.rows,
    snapshots: run.snapshots.filter(({ at }) => at <= resume.rows),
    total: total && { ...total, returned: resume.rows },
  };
}

function firstRows(chunks: Run['rowChunks'], count: number): Run['rowChunks'] {
  const kept: (readonly Row[])[] = [];
  let left = count;
  for (const chunk of chunks) {
    if (left <= 0) break;
    kept.push(chunk.length <= left ? chunk : chunk.slice(0, left));
    left -= chunk.length;
  }
  return kept;
}

/** Failures that say nothing against the next page. */
const passing: ReadonlySet<string> = new Set<Failure['code']>([
  'etcd',
  'timeout',
  'internal',
  'notConnected',
]);

/** Whether a list that broke off can go on where it was. */
export function canResume(run: Run): boolean {
  const { resume, failure, phase, past, rowCount } = run;
  if (past || !resume || rowCount < resume.rows) return false;
  return phase === 'stopped' || (phase === 'failed' && passing.has(failure?.code ?? ''));
}

export function pastRun(entry: HistoryEntry): Run {
  return {
    ...freshRun('', entry.query, false, entry.connection),
    phase: entry.failure ? 'failed' : 'done',
    requests: entry.requests.map((request) => ({ ...request, ended: true })),
    total: entry.total,
    failure: entry.failure ?? null,
    past: true,
    pastBytes: entry.bytes ?? null,
  };
}

export type RunningRun = Run & { readonly phase: 'running' | 'stopping' };

/** Whether another etcd is connected than the one that this run asked. */
export const isElsewhere = ({ connection }: Run, status: ConnectionStatus): boolean =>
  status.state === 'connected' && status.name !== connection;

export const isRunning = (run: Run | null): run is RunningRun =>
  run !== null && (run.phase === 'running' || run.phase === 'stopping');

/** Whether a list ended between two looks, which may be a whole list apart. */
export const hasEnded = (run: Run, previous: Run | null): boolean =>
  !isRunning(run) && (isRunning(previous) || previous?.listId !== run.listId);

/** Sums two lists' totals as the receipt of a followed list does. */
export function addTotals(before: TotalEntry | null, last: TotalEntry): TotalEntry {
  if (!before) return last;
  return {
    ...last,
    requests: before.requests + last.requests,
    fetched: before.fetched + last.fetched,
    examined: before.examined + last.examined,
    evaluated: before.evaluated + last.evaluated,
    returned: before.returned + last.returned,
    naiveRequests:
      before.naiveRequests === null || last.naiveRequests === null
        ? null
        : before.naiveRequests + last.naiveRequests,
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
      draft.total = addTotals(draft.before, body.total);
      draft.resume = resumeOf(body.total, draft.rowsBefore);
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
  const cancelled = done.failure?.code === 'cancelled';
  const failed = done.failure !== undefined && !cancelled;
  // Whoever pressed Stop knows why it ended.
  const reason = cancelled && run.phase !== 'stopping' ? [done.failure.sentence] : [];
  return {
    ...run,
    phase: cancelled ? 'stopped' : failed ? 'failed' : 'done',
    total: addTotals(run.before, done.total),
    unreadable: [...run.unreadable, ...done.unreadable],
    failure: failed ? done.failure : null,
    notices: [...run.notices, ...reason],
    commands: done.commands,
    requests: run.requests.map((request) =>
      request.ended ? request : { ...request, ended: true },
    ),
    snapshots: run.snapshots.map((snapshot) =>
      snapshot.revision === null ? { ...snapshot, revision: done.total.resourceVersion } : snapshot,
    ),
  };
}

/** The list was refused, or its answer will never come. */
export function afterRefusal(run: Run, listId: string, failure: Failure): Run {
  if (listId !== run.listId || !isRunning(run)) return run;
  const cancelled = failure.code === 'cancelled';
  return { ...run, phase: cancelled ? 'stopped' : 'failed', failure: cancelled ? null : failure };
}

/** Operations that only count or ask the revision; their keys are not objects of the list. */
const countingOperations: ReadonlySet<string> = new Set([
  'listWithCount',
  'getCurrentResourceVersion',
]);

export interface Progress {
  readonly requests: number;
  readonly fetched: number;
  readonly returned: number;
  readonly bytes: number;
  readonly durationMs: number;
}

/** What is known while a list runs, from its requests. */
export function progressOf(run: Run): Progress {
  let fetched = 0;
  let size = 0;
  let durationMs = 0;
  for (const request of run.requests) {
    if (!countingOperations.has(request.operation)) fetched += request.keys;
    size += request.bytes;
    durationMs += request.durationMs;
  }
  return {
    requests: run.requests.length,
    fetched,
    returned: run.past ? (run.total?.returned ?? 0) : run.rowCount,
    bytes: run.pastBytes ?? size,
    durationMs,
  };
}
