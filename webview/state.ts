/** The page's whole state, and how each message changes it. Pure: no DOM, no clock. */
import { assertNever, type Failure } from '../server/protocol/errors';
import type {
  CheckResult,
  ConnectionStatus,
  HistoryEntry,
  ListDone,
  ListEvent,
  ListQuery,
  ResourceEntry,
} from '../server/protocol/model';
import type { MetricsRead } from '../server/protocol/metrics';
import type { PanelSavedState, PanelStart, PanelTab } from '../server/protocol/panel';
import type { WatchCacheInfo } from '../server/protocol/watchCache';
import { emptyQuery, needsMore } from './query';
import { continuedRun, freshRun, isRunning, pastRun, type Cause, type Run } from './run';
import { afterDone, afterEvents, afterRefusal } from './runEvents';
import { afterRecovery, afterServer } from './serverState';
import {
  isOfExplain,
  nothingExplained,
  reduceExplain,
  type ExplainMessage,
  type ExplainState,
} from './explainState';
import {
  emptyToken,
  isOfToken,
  reduceToken,
  type TokenMessage,
  type TokenState,
} from './tokenState';

export interface PanelState {
  /** False until the host has answered `ready`. */
  readonly ready: boolean;
  readonly trusted: boolean;
  readonly status: ConnectionStatus;
  readonly connections: readonly string[];
  readonly history: readonly HistoryEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly namespaces: readonly string[];
  readonly query: ListQuery;
  readonly check: CheckResult | null;
  readonly moreOpen: boolean;
  readonly tab: PanelTab;
  readonly run: Run | null;
  readonly token: TokenState;
  readonly explain: ExplainState;
  /** Scrapes that were read last. */
  readonly metrics: MetricsRead | null;
  readonly server: 'up' | 'gone' | 'recovered';
  /** Why the server is gone, and whether it is started again. */
  readonly serverFailure: Failure | null;
  /** What failed outside of a list: connecting, opening, saving. */
  readonly trouble: Failure | null;
  /** What a read without a limit would bring is being counted, or the person is asked about it. */
  readonly counting: boolean;
  readonly watchCaches: readonly WatchCacheInfo[];
  /** Grows with each connection and loss of it: what was asked of an earlier one is void. */
  readonly connectionNumber: number;
}

export type Message =
  | { readonly type: 'started'; readonly start: PanelStart }
  | { readonly type: 'status'; readonly status: ConnectionStatus }
  | { readonly type: 'connections'; readonly connections: readonly string[] }
  | { readonly type: 'history'; readonly history: readonly HistoryEntry[] }
  | { readonly type: 'trusted'; readonly trusted: boolean }
  | { readonly type: 'resources'; readonly resources: readonly ResourceEntry[] }
  | { readonly type: 'namespaces'; readonly namespaces: readonly string[] }
  | { readonly type: 'edit'; readonly patch: Partial<ListQuery> }
  | { readonly type: 'checked'; readonly query: ListQuery; readonly result: CheckResult }
  | { readonly type: 'more'; readonly open: boolean }
  | { readonly type: 'tab'; readonly tab: PanelTab }
  | { readonly type: 'metrics'; readonly read: MetricsRead }
  | {
      readonly type: 'run';
      readonly listId: string;
      readonly query: ListQuery;
      readonly follow: boolean;
      readonly cause: Cause;
    }
  | { readonly type: 'watchCaches'; readonly watchCaches: readonly WatchCacheInfo[] }
  | { readonly type: 'counting'; readonly on: boolean }
  | { readonly type: 'events'; readonly events: readonly ListEvent[] }
  | { readonly type: 'stopping' }
  | { readonly type: 'done'; readonly listId: string; readonly done: ListDone }
  | { readonly type: 'refused'; readonly listId: string; readonly failure: Failure }
  | { readonly type: 'past'; readonly entry: HistoryEntry }
  | { readonly type: 'server'; readonly recovered: boolean; readonly failure?: Failure }
  | { readonly type: 'trouble'; readonly failure: Failure | null }
  | TokenMessage
  | ExplainMessage;

export function initialState(saved?: PanelSavedState): PanelState {
  const query = { ...emptyQuery, ...saved?.query };
  return {
    ready: false,
    trusted: true,
    status: { state: 'disconnected' },
    connections: [],
    history: [],
    resources: [],
    namespaces: [],
    query,
    check: null,
    moreOpen: needsMore(query),
    tab: saved?.tab ?? 'rows',
    run: null,
    token: emptyToken(saved?.tokenText),
    explain: nothingExplained,
    metrics: null,
    server: 'up',
    serverFailure: null,
    trouble: null,
    counting: false,
    watchCaches: [],
    connectionNumber: 0,
  };
}

/** What was pasted is kept up to here, in bytes of UTF-8: VS Code writes it at every edit. */
export const maxSavedText = 100_000;

export function savedState(state: PanelState): PanelSavedState {
  return { query: state.query, tab: state.tab, tokenText: cut(state.token.text) };
}

function cut(text: string): string {
  const start = text.slice(0, maxSavedText);
  const { read } = new TextEncoder().encodeInto(start, new Uint8Array(maxSavedText));
  return start.slice(0, read);
}

type RunMessage = Extract<
  Message,
  { type: 'run' | 'events' | 'stopping' | 'done' | 'refused' | 'past' | 'server' }
>;
type HostMessage = Extract<
  Message,
  {
    type:
      | 'counting'
      | 'watchCaches'
      | 'started'
      | 'status'
      | 'connections'
      | 'history'
      | 'trusted'
      | 'resources'
      | 'namespaces'
      | 'metrics';
  }
>;

export function reduce(state: PanelState, message: Message): PanelState {
  switch (message.type) {
    case 'edit':
      return edited(state, message.patch);
    case 'checked':
      return message.query === state.query ? { ...state, check: message.result } : state;
    case 'more':
      return { ...state, moreOpen: message.open };
    case 'tab':
      return { ...state, tab: message.tab };
    case 'trouble':
      return { ...state, trouble: message.failure };
    default:
      return reducePart(state, message);
  }
}

function reducePart(state: PanelState, message: PartMessage): PanelState {
  if (isOfToken(message)) return { ...state, token: reduceToken(state.token, message) };
  if (isOfExplain(message)) return { ...state, explain: reduceExplain(state.explain, message) };
  return isOfRun(message) ? reduceRun(state, message) : reduceHost(state, message);
}

type PartMessage = RunMessage | HostMessage | TokenMessage | ExplainMessage;

const runTypes: ReadonlySet<string> = new Set<RunMessage['type']>([
  'run',
  'events',
  'stopping',
  'done',
  'refused',
  'past',
  'server',
]);

const isOfRun = (message: RunMessage | HostMessage): message is RunMessage =>
  runTypes.has(message.type);

function reduceHost(state: PanelState, message: HostMessage): PanelState {
  switch (message.type) {
    case 'started':
      return begunPage(state, message.start);
    case 'status':
      return afterStatus(state, message.status);
    case 'connections':
      return { ...state, ...withConnection(state, { ...state, ...message }) };
    case 'counting':
      return { ...state, counting: message.on };
    case 'watchCaches':
      return { ...state, watchCaches: message.watchCaches };
    case 'history':
      return { ...state, history: message.history };
    case 'trusted':
      return { ...state, trusted: message.trusted };
    case 'resources':
      return { ...state, resources: message.resources };
    case 'namespaces':
      return { ...state, namespaces: message.namespaces };
    case 'metrics':
      return { ...state, metrics: message.read, tab: 'metrics' };
  }
}

const interrupted: Failure = {
  code: 'cancelled',
  sentence: 'The panel was loaded anew, so its list was stopped; the history has its receipt.',
};

function begunPage(state: PanelState, { interrupted: isCut, ...start }: PanelStart): PanelState {
  const trouble = isCut ? interrupted : null;
  return { ...state, ...start, ...withConnection(state, start), trouble, ready: true };
}

function reduceRun(state: PanelState, message: RunMessage): PanelState {
  const { run } = state;
  switch (message.type) {
    case 'run':
      return begun(state, message);
    case 'past':
      return {
        ...edited(state, { ...emptyQuery, ...message.entry.query }),
        run: pastRun(message.entry),
        tab: 'roundTrips',
      };
    case 'server':
      return afterServer(state, message.recovered, message.failure);
    case 'events':
      return run ? { ...state, run: afterEvents(run, message.events) } : state;
    case 'stopping':
      return isRunning(run) ? { ...state, run: { ...run, phase: 'stopping' } } : state;
    case 'done':
      return run ? { ...state, run: afterDone(run, message.listId, message.done) } : state;
    case 'refused':
      return run ? { ...state, run: afterRefusal(run, message.listId, message.failure) } : state;
    default:
      return assertNever(message);
  }
}

type Begin = Extract<Message, { type: 'run' }>;

function begun(state: PanelState, message: Begin): PanelState {
  return {
    ...state,
    // What could not even be counted is shown as a run that failed.
    server: state.server === 'gone' ? 'gone' : 'up',
    trouble: null,
    counting: false,
    tab: ofLists(state.tab),
    run: started(state, message),
  };
}

function started({ run, status }: PanelState, message: Begin): Run {
  if (message.cause === 'fresh' || !run) {
    const number = status.state === 'connected' ? status.connectionNumber : null;
    return freshRun(message.listId, message.query, message.follow, nameOf(status), number);
  }
  return continuedRun(run, message);
}

/** What is not of a list gives way to one. */
const ofLists = (tab: PanelTab): PanelTab => (tab === 'token' || tab === 'metrics' ? 'rows' : tab);

/** What the check said stands until it says it anew, so that nothing flickers while typing. */
function edited(state: PanelState, patch: Partial<ListQuery>): PanelState {
  const query = { ...state.query, ...patch };
  return {
    ...state,
    query,
    moreOpen: state.moreOpen || needsMore({ ...emptyQuery, ...patch }),
  };
}

function withConnection(
  state: PanelState,
  from: { readonly status: ConnectionStatus; readonly connections?: readonly string[] },
): Pick<PanelState, 'status' | 'connections'> {
  const { status } = from;
  const known = from.connections ?? state.connections;
  const isNew = status.state === 'connected' && !status.isDemo && !known.includes(status.name);
  return { status, connections: isNew ? [...known, status.name] : known };
}

/** What another cluster stores is not offered for this one. */
function afterStatus(state: PanelState, status: ConnectionStatus): PanelState {
  const isConnected = status.state === 'connected';
  const same =
    isConnected &&
    state.status.state === 'connected' &&
    status.connectionNumber === state.status.connectionNumber;
  const stored = same
    ? {}
    : {
        connectionNumber: state.connectionNumber + 1,
        namespaces: [],
        resources: state.resources.map((resource) => ({ ...resource, stored: false })),
      };
  return {
    // Only a server that runs has a connection.
    ...(isConnected && state.server === 'gone' ? afterRecovery(state) : state),
    ...stored,
    ...withConnection(state, { status }),
    trouble: same ? state.trouble : null,
  };
}

export function nameOf(status: ConnectionStatus): string {
  return status.state === 'disconnected' ? '' : status.name;
}
