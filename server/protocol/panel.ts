/** Messages between the panel's page and the extension host, over `rpc.ts`. */
import type { Failure } from './errors';
import type { ExplainedList, ExplainParams } from './explain';
import type { MetricsRead } from './metrics';
import type {
  CheckResult,
  ConnectionStatus,
  DecodeTokenParams,
  EncodeTokenParams,
  HistoryEntry,
  ListDone,
  ListEvent,
  ListParams,
  ListQuery,
  Measure,
  QueryCommands,
  ResourceEntry,
  Taken,
  Row,
  TokenFacts,
} from './model';
import type { WatchCacheInfo } from './watchCache';

export type PanelTab = 'rows' | 'roundTrips' | 'token' | 'explain' | 'metrics';

/** What survives reload and being hidden; kept by the page through VS Code's state. */
export interface PanelSavedState {
  readonly query: ListQuery;
  readonly tab: PanelTab;
  readonly tokenText: string;
}

export interface PanelStart {
  readonly status: ConnectionStatus;
  readonly connections: readonly string[];
  readonly history: readonly HistoryEntry[];
  readonly trusted: boolean;
  /** A list of the page before this one ran, and was stopped. */
  readonly interrupted: boolean;
  readonly watchCaches: readonly WatchCacheInfo[];
}

export type ExportFormat = 'csv' | 'json' | 'ndjson' | 'receipt';

/** Page to host. Each is answered, or refused with a `Failure`. */
export interface PanelRequests {
  /** The page is ready for notifications. */
  ready: { params: null; result: PanelStart };
  /** Connects to a named connection of the settings; asks for a password when one is needed. */
  connect: { params: { readonly name: string }; result: ConnectionStatus };
  connectDemo: { params: null; result: ConnectionStatus };
  /** Asks for endpoints in an input box, connects, and keeps what connected in the settings. */
  addConnection: { params: null; result: ConnectionStatus };
  disconnect: { params: null; result: ConnectionStatus };
  resources: { params: null; result: readonly ResourceEntry[] };
  namespaces: { params: null; result: readonly string[] };
  check: { params: ListQuery; result: CheckResult };
  /** Before a read without a limit: count, then ask. */
  measure: { params: ListQuery; result: Measure };
  /** Ends the etcd call of the measuring, which is refused then; without one nothing happens. */
  stopMeasure: { params: null; result: null };
  /** Nothing is read but where the person asks to measure; a newer one ends an older one. */
  explain: { params: ExplainParams; result: ExplainedList };
  /** Ends the reads of an `explain` that measures, which is refused then. */
  stopExplain: { params: null; result: null };
  list: { params: ListParams; result: ListDone };
  /** Answers a batch of `listEvents`, so that a list never runs ahead of what the page can show. */
  taken: { params: Taken; result: null };
  /** Ends the etcd call of that list; the `list` request is then answered with its totals. */
  stop: { params: { readonly listId: string }; result: null };
  /** Ends the watch of a watch cache, or its filling. */
  stopWatchCache: { params: { readonly resource: string }; result: null };
  commands: { params: ListQuery; result: QueryCommands };
  openObject: {
    params: {
      readonly row: Row;
      readonly revision: string;
      readonly resource: string;
      /** Of the connection that the row came over; over another it is refused. */
      readonly connectionNumber?: number;
    };
    result: null;
  };
  decodeToken: { params: DecodeTokenParams; result: TokenFacts };
  encodeToken: { params: EncodeTokenParams; result: TokenFacts };
  copy: { params: { readonly text: string; readonly what: string }; result: null };
  /** Opens the text in an editor, read-only. */
  openMetricsText: { params: { readonly name: string; readonly text: string }; result: null };
  /** Asks for a file and writes it. */
  export: {
    params: {
      readonly format: ExportFormat;
      readonly text: string;
      readonly suggestedName: string;
    };
    result: { readonly saved: boolean };
  };
  showLog: { params: null; result: null };
  /** Opens VS Code's own view of what an untrusted workspace may do. */
  manageTrust: { params: null; result: null };
  /** Asks the person, reads the list in every way, and opens what each took as a document. */
  compare: { params: ListQuery; result: null };
  /** Asks the person before a read of everything, or before a watch cache is filled. */
  confirmUnlimited: {
    params: { readonly text: string; readonly fillsCache?: boolean };
    result: { readonly yes: boolean };
  };
}

/** Host to page. */
export interface PanelNotifications {
  status: ConnectionStatus;
  listEvents: readonly ListEvent[];
  /** All watch caches of the open connection. */
  watchCaches: readonly WatchCacheInfo[];
  history: readonly HistoryEntry[];
  /** The settings describe another API server: what Explain told of it is void. */
  explainAnew: null;
  /** Shows scrapes that were read. */
  metrics: MetricsRead;
  /** Opens the token inspector on this text. */
  inspectToken: { readonly text: string };
  /** Puts this into the query bar and runs it, as the person's own Run would. */
  runQuery: { readonly query: ListQuery; readonly follow: boolean };
  /** Names of the connections in the settings, after they changed. */
  connections: readonly string[];
  /** The language server ended; `recovered` is true once it runs again. */
  serverGone: { readonly recovered: boolean; readonly failure?: Failure };
  trusted: boolean;
}

export type PanelRequest = keyof PanelRequests;
export type PanelNotification = keyof PanelNotifications;

/** Both as a contract of the rpc. */
export interface PanelContract {
  readonly requests: { [M in keyof PanelRequests]: PanelRequests[M] };
  readonly notifications: { [N in keyof PanelNotifications]: PanelNotifications[N] };
}
