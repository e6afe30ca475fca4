/** The one composition root of the language server. */
import { TextDocuments, TextDocumentSyncKind, type Connection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { systemClock } from './common/clock';
import type { Log } from './common/log';
import { readSmallFile } from './common/smallFile';
import { connect } from './etcd/connect';
import { registerCheck } from './features/check';
import { registerMeasure } from './features/measure';
import { registerCommands } from './features/commands';
import { registerConnection } from './features/connection';
import { ConnectionHolder } from './features/connectionHolder';
import type { StartDemo } from './features/demoProcess';
import { registerHover } from './features/hover';
import { Analyst, type StartThread } from './features/language/analyst';
import { registerFileQueries } from './features/language/fileQueries';
import { languageCapabilities, registerLanguage } from './features/language/register';
import { registerList } from './features/list';
import { LabelStore } from './features/stored/labelStore';
import { readTaken } from './features/queryParams';
import { registerOpenObject } from './features/openObject';
import { progressStarter } from './features/progress';
import { registerResources } from './features/resources';
import { createRouter } from './features/router';
import { isTrusted, ServerSettings } from './features/settings';
import { statusLogger } from './features/statusLog';
import { registerToken } from './features/token';
import type { LspNotification, LspNotifications } from './protocol/lsp';

export interface ServerParts {
  readonly connection: Connection;
  readonly startDemo: StartDemo;
  readonly startAnalyst: StartThread;
  readonly version: string;
}

/** Registers everything and listens. */
export function startServer({ connection, startDemo, startAnalyst, version }: ServerParts): void {
  const { console } = connection;
  const send = <N extends LspNotification>(method: N, value: LspNotifications[N]): Promise<void> =>
    connection.sendNotification(method, value);
  const log: Log = {
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
  const settings = new ServerSettings((text) => {
    log.warn(text);
  });
  const logStatus = statusLogger(log);
  const holder = new ConnectionHolder((status) => {
    logStatus(status);
    // A client that is gone needs no status.
    send('etcdList/statusChanged', status).catch(() => undefined);
  }, systemClock.now());
  const router = createRouter(connection, {
    fault: (text) => {
      console.error(text);
    },
    failure: (text) => {
      log.warn(text);
    },
  });
  const startProgress = progressStarter(() => connection.window.createWorkDoneProgress());
  const shared = { holder, startProgress, clock: systemClock, log };

  const stored = new LabelStore({ ...shared, settings });
  lifecycle(connection, holder, settings, stored, version);
  const readFile = readSmallFile;
  registerConnection(router, { ...shared, openReader: connect, readFile, startDemo, settings });
  registerList(router, {
    ...shared,
    sendEvents: (events) => send('etcdList/listEvents', events),
    onTaken: (take) => {
      connection.onNotification('etcdList/taken', (value: unknown) => {
        const taken = readTaken(value);
        if (taken) take(taken);
      });
    },
  });
  registerResources(router, holder);
  registerCheck(router, holder);
  registerMeasure(router, holder, systemClock);
  registerCommands(router, holder);
  registerOpenObject(router, holder);
  registerToken(router, holder);
  const documents = new TextDocuments(TextDocument);
  documents.listen(connection);
  const analyst = new Analyst({
    startThread: startAnalyst,
    after,
    fault: (text) => {
      console.error(text);
    },
  });
  const language = registerLanguage(connection, {
    analyst,
    documents,
    stored,
    after,
    severities: () => settings.current.severities,
    customResources: () => [...(holder.current?.definitionNames ?? [])],
    refresh: () => {
      void connection.languages.inlayHint.refresh().catch(() => undefined);
      void connection.sendRequest('workspace/codeLens/refresh').catch(() => undefined);
    },
  });
  registerHover(router, documents, holder, language.hover);
  registerFileQueries(router, documents, analyst);
  connection.listen();
}

/** Calls once after that many milliseconds; the result takes it back. */
function after(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => {
    clearTimeout(timer);
  };
}

function lifecycle(
  connection: Connection,
  holder: ConnectionHolder,
  settings: ServerSettings,
  stored: LabelStore,
  version: string,
): void {
  const take = (value: unknown): void => {
    settings.take(value);
    stored.settingsChanged();
    holder.setGate(settings.current.rangeStreamGate);
  };
  connection.onInitialize(({ initializationOptions }) => {
    take(initializationOptions);
    if (isTrusted(initializationOptions)) holder.trust();
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        ...languageCapabilities,
      },
      serverInfo: { name: 'etcd-list-explorer', version },
    };
  });
  connection.onNotification('etcdList/trustGranted', () => {
    holder.trust();
  });
  connection.onNotification('etcdList/settings', take);
  connection.onShutdown(() => {
    holder.end();
  });
  connection.onExit(() => {
    holder.end();
  });
}
