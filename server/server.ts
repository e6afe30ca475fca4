/** The one composition root of the language server. */
import {
  MessageType,
  ShowMessageNotification,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type ShowMessageParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { systemClock } from './common/clock';
import type { Log } from './common/log';
import { readSmallFile } from './common/smallFile';
import { connect } from './etcd/connect';
import { registerCheck } from './features/check';
import { registerCompare } from './features/compare';
import { registerExplainList } from './features/explainList';
import { registerMeasure, type MeasureParts } from './features/measure';
import { registerCommands } from './features/commands';
import { registerConnection } from './features/connection';
import { ConnectionHolder } from './features/connectionHolder';
import type { StartDemo } from './features/demoProcess';
import { engineGates } from './features/engineGates';
import { registerHover } from './features/hover';
import { MetricsPort } from './features/metrics/metricsPort';
import { registerReadMetrics } from './features/metrics/readMetrics';
import { registerShowMetrics } from './features/metrics/showMetrics';
import { Analyst, type StartThread } from './features/language/analyst';
import { orServed, registerExplain } from './features/language/explainQuery';
import { registerFileQueries } from './features/language/fileQueries';
import { queryCapabilities } from './features/language/queryCapabilities';
import {
  languageCapabilities,
  registerLanguage,
  type Language,
} from './features/language/register';
import { knownServer } from './features/knownServer';
import { registerList } from './features/list';
import { LabelStore } from './features/stored/labelStore';
import { readTaken } from './features/queryParams';
import { registerOpenObject } from './features/openObject';
import { progressStarter } from './features/progress';
import { registerResources } from './features/resources';
import { createRouter, type Router } from './features/router';
import { isTrusted, ServerSettings } from './features/settings';
import { statusLogger } from './features/statusLog';
import { registerToken } from './features/token';
import { CacheDesk, registerWatchCaches } from './features/watchCaches/cacheDesk';
import { createStoreMetrics, type StoreMetrics } from './metrics/storeMetrics';
import type { LspNotification, LspNotifications } from './protocol/lsp';
import type { Taken } from './protocol/model';

export interface ServerParts {
  readonly connection: Connection;
  readonly startDemo: StartDemo;
  readonly startAnalyst: StartThread;
  readonly version: string;
}

/** Registers everything and listens. */
export function startServer({ connection, startDemo, startAnalyst, version }: ServerParts): void {
  const { console } = connection;
  const send = sender(connection);
  const log = logOf(connection);
  const settings = new ServerSettings((text) => {
    log.warn(text);
  });
  const logStatus = statusLogger(log);
  const onStatus: (() => void)[] = [];
  const holder = new ConnectionHolder((status) => {
    logStatus(status);
    for (const listener of onStatus) listener();
    // A client that is gone needs no status.
    send('etcdList/statusChanged', status).catch(() => undefined);
  }, systemClock.now());
  const fault = (text: string): void => {
    console.error(text);
  };
  const failure = (text: string): void => {
    log.warn(text);
  };
  const router = createRouter(connection, { fault, failure });
  const startProgress = progressStarter(() => connection.window.createWorkDoneProgress());
  const metrics = createStoreMetrics();
  const caches = watchCaches(send, { settings, holder, log, metrics });
  registerWatchCaches(router, caches);
  const shared = { holder, settings, startProgress, clock: systemClock, log, metrics, caches };
  const readFile = readSmallFile;
  registerConnection(router, { ...shared, openReader: connect, readFile, startDemo });
  registerList(router, {
    ...shared,
    sendEvents: (events) => send('etcdList/listEvents', events),
    onTaken: taking(connection),
  });
  registerOthers(router, shared);
  registerCompare(router, shared);
  const documents = new TextDocuments(TextDocument);
  documents.listen(connection);
  const stored = new LabelStore({ ...shared, settings });
  onStatus.push(() => {
    stored.connectionChanged();
  });
  const analyst = new Analyst({ startThread: startAnalyst, after, fault });
  const language = startLanguage(connection, { analyst, documents, stored, settings });
  const facts = () => knownServer(holder, settings.current);
  const explaining = { analyst, documents, stored, facts };
  registerHover(router, documents, holder, orServed(explaining, language.hover));
  registerFileQueries(router, documents, analyst);
  registerExplain(router, explaining);
  registerExplainList(router, { holder, facts: explaining.facts });
  const port = metricsPort(connection, metrics, log);
  lifecycle(connection, { holder, analyst, settings, port }, version, () => {
    stored.settingsChanged();
    language.settingsChanged();
  });
  connection.listen();
}

function taking(connection: Connection): (take: (taken: Taken) => void) => void {
  return (take) => {
    connection.onNotification('etcdList/taken', (value: unknown) => {
      const taken = readTaken(value);
      if (taken) take(taken);
    });
  };
}

interface CacheParts {
  readonly settings: ServerSettings;
  readonly holder: ConnectionHolder;
  readonly log: Log;
  readonly metrics: StoreMetrics;
}

function watchCaches(send: Send, { settings, holder, log, metrics }: CacheParts): CacheDesk {
  return new CacheDesk({
    limitMiB: () => settings.current.watchCacheMiB,
    gates: () => engineGates(holder, settings),
    // A client that is gone needs to know of none.
    send: (infos) => void send('etcdList/watchCaches', infos).catch(() => undefined),
    ...{ clock: systemClock, log, metrics },
  });
}

/** Requests that need little. */
function registerOthers(router: Router, shared: MeasureParts): void {
  const { holder, clock, metrics, caches } = shared;
  registerResources(router, holder);
  registerCheck(router, holder, caches);
  registerMeasure(router, shared);
  registerCommands(router, holder);
  registerOpenObject(router, holder);
  registerToken(router, holder);
  registerShowMetrics(router, metrics);
  registerReadMetrics(router, clock);
}

function metricsPort(connection: Connection, metrics: StoreMetrics, log: Log): MetricsPort {
  return new MetricsPort({
    metrics,
    warn: (message) => {
      log.warn(message);
      const shown: ShowMessageParams = { type: MessageType.Warning, message };
      // A client that is gone needs no warning.
      connection.sendNotification(ShowMessageNotification.type, shown).catch(() => undefined);
    },
    info: (text) => {
      log.info(text);
    },
  });
}

type Send = <N extends LspNotification>(method: N, value: LspNotifications[N]) => Promise<void>;

function sender(connection: Connection): Send {
  return (method, value) => connection.sendNotification(method, value);
}

function logOf({ console }: Connection): Log {
  return {
    debug: (text) => {
      console.debug(text);
    },
    info: (text) => {
      console.info(text);
    },
    warn: (text) => {
      console.warn(text);
    },
  };
}

interface LanguageServices {
  readonly analyst: Analyst;
  readonly documents: TextDocuments<TextDocument>;
  readonly stored: LabelStore;
  readonly settings: ServerSettings;
  readonly holder: ConnectionHolder;
}

function startLanguage(
  connection: Connection,
  { analyst, documents, stored, settings }: Omit<LanguageServices, 'holder'>,
): Language {
  return registerLanguage(connection, {
    analyst,
    documents,
    stored,
    after,
    severities: () => settings.current.severities,
    schemaCompletes: () => settings.current.schemaCompletion,
    // An editor that cannot fetch them again fetches them when it will.
    refresh: () => {
      connection.languages.inlayHint.refresh().catch(() => undefined);
      connection.sendRequest('workspace/codeLens/refresh').catch(() => undefined);
    },
  });
}

/** Calls once after that many milliseconds; the result takes it back. */
function after(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => {
    clearTimeout(timer);
  };
}

interface Living extends Pick<LanguageServices, 'holder' | 'analyst' | 'settings'> {
  readonly port: MetricsPort;
}

function lifecycle(
  connection: Connection,
  { holder, analyst, settings, port }: Living,
  version: string,
  changed: () => void,
): void {
  const take = (value: unknown): void => {
    settings.take(value);
    holder.setGate(settings.current.rangeStreamGate);
    port.apply(settings.current.metricsPort);
    changed();
  };
  const trust = (): void => {
    holder.trust();
    port.trust();
  };
  let offer = (): void => undefined;
  connection.onInitialize(({ initializationOptions, capabilities }) => {
    take(initializationOptions);
    if (isTrusted(initializationOptions)) trust();
    const forQueries = queryCapabilities(capabilities, connection);
    offer = forQueries.offer;
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        ...languageCapabilities,
        ...forQueries.stated,
      },
      serverInfo: { name: 'etcd-list-explorer', version },
    };
  });
  connection.onInitialized(() => {
    offer();
  });
  connection.onNotification('etcdList/trustGranted', trust);
  connection.onNotification('etcdList/settings', take);
  const end = (): void => {
    holder.end();
    analyst.dispose();
    port.stop();
  };
  connection.onShutdown(end);
  connection.onExit(end);
}
