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
  TokenFacts,
} from '../server/protocol/model';
import type { PanelSavedState, PanelStart, PanelTab } from '../server/protocol/panel';
import {
  afterDone,
  afterEvents,
  afterRefusal,
  continuedRun,
  freshRun,
  isRunning,
  pastRun,
  type Cause,
  type Run,
} from './run';

export interface TokenFields {
  readonly version: string;
  readonly resourceVersion: string;
  readonly start: string;
}

export interface TokenState {
  /** As pasted. */
  readonly text: string;
  readonly facts: TokenFacts | null;
  /** The fields as edited; null while they are those of the pasted token. */
  readonly edited: TokenFields | null;
  readonly failure: Failure | null;
}

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
  readonly server: 'up' | 'gone' | 'recovered';
  /** What failed outside of a list: connecting, opening, saving. */
  readonly trouble: Failure | null;
}

export type Message =
  | { readonly type: 'started'; readonly start: PanelStart }
  | { readonly type: 'status'; readonly status: ConnectionStatus }
  | { readonly type: 'history'; readonly history: readonly HistoryEntry[] }
  | { readonly type: 'trusted'; readonly trusted: boolean }
  | { readonly type: 'resources'; readonly resources: readonly ResourceEntry[] }
  | { readonly type: 'namespaces'; readonly namespaces: readonly string[] }
  | { readonly type: 'edit'; readonly patch: Partial<ListQuery> }
  | { readonly type: 'checked'; readonly query: ListQuery; readonly result: CheckResult }
  | { readonly type: 'more'; readonly open: boolean }
  | { readonly type: 'tab'; readonly tab: PanelTab }
  | {
      readonly type: 'run';
      readonly listId: string;
      readonly query: ListQuery;
      readonly follow: boolean;
      readonly cause: Cause;
    }
  | { readonly type: 'events'; readonly events: readonly ListEvent[] }
  | { readonly type: 'stopping' }
  | { readonly type: 'done'; readonly listId: string; readonly done: ListDone }
  | { readonly type: 'refused'; readonly listId: string; readonly failure: Failure }
  | { readonly type: 'past'; readonly entry: HistoryEntry }
  | { readonly type: 'server'; readonly recovered: boolean; readonly failure?: Failure }
  | { readonly type: 'trouble'; readonly failure: Failure | null }
  | { readonly type: 'tokenText'; readonly text: string }
  | { readonly type: 'tokenEdited'; readonly fields: TokenFields }
  | { readonly type: 'tokenFacts'; readonly facts: TokenFacts }
  | { readonly type: 'tokenFailed'; readonly failure: Failure };

export const emptyQuery: ListQuery = {
  resource: 'pods',
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  limit: '100',
  resourceVersion: '',
  resourceVersionMatch: '',
  continueToken: '',
  readMode: 'auto',
  skipUnreadable: false,
};

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
    token: { text: saved?.tokenText ?? '', facts: null, edited: null, failure: null },
    server: 'up',
    trouble: null,
  };
}

export function savedState(state: PanelState): PanelSavedState {
  return { query: state.query, tab: state.tab, tokenText: state.token.text };
}

/** Whether the query says something in the part behind More. */
export function needsMore(query: ListQuery): boolean {
  const { resourceVersion, resourceVersionMatch, continueToken, skipUnreadable } = query;
  return (
    resourceVersion !== '' || resourceVersionMatch !== '' || continueToken !== '' || skipUnreadable
  );
}

type RunMessage = Extract<
  Message,
  { type: 'run' | 'events' | 'stopping' | 'done' | 'refused' | 'past' | 'server' }
>;
type TokenMessage = Extract<
  Message,
  { type: 'tokenText' | 'tokenEdited' | 'tokenFacts' | 'tokenFailed' }
>;
type HostMessage = Extract<
  Message,
  { type: 'started' | 'status' | 'history' | 'trusted' | 'resources' | 'namespaces' }
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
    case 'tokenText':
    case 'tokenEdited':
    case 'tokenFacts':
    case 'tokenFailed':
      return { ...state, token: reduceToken(state.token, message) };
    default:
      return isOfRun(message) ? reduceRun(state, message) : reduceHost(state, message);
  }
}

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
      return { ...state, ...message.start, ...withConnection(state, message.start), ready: true };
    case 'status':
      return afterStatus(state, message.status);
    case 'history':
      return { ...state, history: message.history };
    case 'trusted':
      return { ...state, trusted: message.trusted };
    case 'resources':
      return { ...state, resources: message.resources };
    case 'namespaces':
      return { ...state, namespaces: message.namespaces };
  }
}

function reduceRun(state: PanelState, message: RunMessage): PanelState {
  const { run } = state;
  switch (message.type) {
    case 'run':
      return {
        ...state,
        server: 'up',
        trouble: null,
        tab: leaveToken(state.tab),
        run: started(run, message),
      };
    case 'past':
      return {
        ...edited(state, message.entry.query),
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

function started(run: Run | null, message: Extract<Message, { type: 'run' }>): Run {
  if (message.cause === 'fresh' || !run) {
    return freshRun(message.listId, message.query, message.follow);
  }
  return continuedRun(run, message.listId, message.follow, message.cause === 'laterSnapshot');
}

const leaveToken = (tab: PanelTab): PanelTab => (tab === 'token' ? 'rows' : tab);

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
  const same = status.state === 'connected' && nameOf(status) === nameOf(state.status);
  const stored = same
    ? {}
    : {
        namespaces: [],
        resources: state.resources.map((resource) => ({ ...resource, stored: false })),
      };
  return {
    ...state,
    ...stored,
    ...withConnection(state, { status }),
    trouble: same ? state.trouble : null,
  };
}

export function nameOf(status: ConnectionStatus): string {
  return status.state === 'disconnected' ? '' : status.name;
}

function afterServer(state: PanelState, recovered: boolean, failure?: Failure): PanelState {
  const ended: Failure = failure ?? {
    code: 'internal',
    sentence: 'The language server ended while this list ran.',
  };
  const { run } = state;
  return {
    ...state,
    server: recovered ? 'recovered' : 'gone',
    run: isRunning(run) ? afterRefusal(run, run.listId, ended) : run,
  };
}

function reduceToken(token: TokenState, message: TokenMessage): TokenState {
  switch (message.type) {
    case 'tokenText':
      return {
        text: message.text,
        facts: message.text.trim() === '' ? null : token.facts,
        edited: null,
        failure: null,
      };
    case 'tokenEdited':
      return { ...token, edited: message.fields, failure: null };
    case 'tokenFacts':
      return { ...token, facts: message.facts, failure: null };
    case 'tokenFailed':
      return { ...token, facts: null, failure: message.failure };
  }
}
