/** One run: a list and what was appended to it by Next page. */
import type { Failure } from '../server/protocol/errors';
import type {
  ConnectionStatus,
  HistoryEntry,
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
  /** Revision of the rows before it; null where their list did not say it. */
  readonly before: string | null;
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
  /** Name of the connection that was asked. */
  readonly connection: string;
  /** Its number: rows of two connections are never one list. Null for a run of the history. */
  readonly connectionNumber: number | null;
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

export function freshRun(
  listId: string,
  query: ListQuery,
  follow: boolean,
  connection = '',
  connectionNumber: number | null = null,
): Run {
  return {
    listId,
    connection,
    connectionNumber,
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
  const revision = before.total?.resourceVersion ?? null;
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
    snapshots: isLater
      ? [...run.snapshots, { at, revision: null, before: revision }]
      : run.snapshots,
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
    snapshots: run.snapshots
      .filter(({ at }) => at <= resume.rows)
      // None of its rows is kept: those that come may be of another revision.
      .map((each) => (each.at === resume.rows ? { ...each, revision: null } : each)),
    total: total && { ...total, returned: resume.rows },
  };
}

/** The revision that the row at this index was listed at; empty where its list has not said it. */
export function revisionAt({ snapshots, total }: Run, index: number): string {
  const next = snapshots.find(({ at }) => index < at);
  const revision = next
    ? next.before
    : (snapshots.at(-1) ?? { revision: total?.resourceVersion }).revision;
  return revision ?? '';
}

/** Place of a row in the order of the list; -1 when it is none of the run's. */
export function indexOfRow({ rowChunks }: Run, row: Row): number {
  let before = 0;
  for (const chunk of rowChunks) {
    const at = chunk.indexOf(row);
    if (at >= 0) return before + at;
    before += chunk.length;
  }
  return -1;
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

/**
 * Whether another connection is open than the one that this run asked: behind the same name there may
 * be another etcd by now. A run of the history knows the name only.
 */
export function isElsewhere(run: Run, status: ConnectionStatus): boolean {
  if (status.state !== 'connected') return false;
  const { connection, connectionNumber } = run;
  return connectionNumber === null
    ? status.name !== connection
    : status.connectionNumber !== connectionNumber;
}

export const isRunning = (run: Run | null): run is RunningRun =>
  run !== null && (run.phase === 'running' || run.phase === 'stopping');

/** Whether this is another list than that. Runs of the history have no id, and never change. */
export const isOtherList = (run: Run, previous: Run | null): boolean =>
  run.past ? run !== previous : run.listId !== previous?.listId;

/** Whether a list ended between two looks, which may be a whole list apart. */
export const hasEnded = (run: Run, previous: Run | null): boolean =>
  !isRunning(run) && (isRunning(previous) || isOtherList(run, previous));

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
