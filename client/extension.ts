/** Activation: everything is made here and put together; nothing is started or read. */
import { join } from 'node:path';
import { commands, extensions, window, workspace } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { InitializationOptions } from '../server/protocol/lsp';
import { commands as names, settingsSection, type Settings } from '../server/protocol/names';
import { WaysComparison } from './compare/comparison';
import { isConnectedContext } from './commands/contextKeys';
import type { Subscription } from './common/emitter';
import { confirmed, showInformation, whileStoppable } from './common/notices';
import { commandHandlers, type Services } from './commands/handlers';
import { registerCommands } from './commands/register';
import { Connections } from './connections/connections';
import { isEncryptedKey } from './connections/keyFile';
import { prompts } from './connections/prompts';
import { Secrets } from './connections/secrets';
import { TokenHovers } from './hover/hoverProvider';
import { completesBySchema, schemaSetting } from './language/schemaCompletion';
import { startForSelectors } from './language/starter';
import type { ServerSetup } from './lsp/languageServer';
import { LspClient } from './lsp/lspClient';
import { RestartPolicy } from './lsp/restartPolicy';
import { TraceChannel } from './lsp/traceChannel';
import { Metrics, readPages } from './metrics/metrics';
import { ObjectDocuments } from './objects/objectDocuments';
import { makeDesk } from './panel/desk';
import { History } from './panel/history';
import { ListPanel } from './panel/listPanel';
import { Queries } from './queries/queries';
import { comparisonPages, ResultDocuments } from './queries/resultDocuments';
import { expandConnection } from './settings/expand';
import { SettingsReader } from './settings/settings';
import { StatusItem } from './status/statusItem';
import { StatusStore } from './status/statusStore';

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('etcd LIST', { log: true });
  const settings = new SettingsReader(log);
  const trace = new TraceChannel(log, () => settings.read()['trace.server']);
  const lsp = makeLsp(context, settings, log, trace, {
    restore: () => connections.restore(),
    hoversAt: (document, position) => hovers.asksServer(document, position),
  });
  const status = new StatusStore(lsp, workspace.isTrusted);
  const secrets = new Secrets(context.secrets, context.globalState);
  const connections = makeConnections(context, lsp, settings, secrets);
  const objects = new ObjectDocuments(lsp);
  const comparison = makeComparison(lsp, status);
  const texts = new ResultDocuments(readPages);
  const panelParts = { lsp, status, connections, log, objects, comparison, texts };
  const panel = makePanel(context, panelParts);
  const inform = (text: string): void => {
    log.info(text);
  };
  const hovers = new TokenHovers(lsp, inform);
  const queries = new Queries(lsp, status, panel, comparison);
  const metrics = new Metrics(lsp, panel, inform);
  const own = { context, log, lsp, settings, secrets };
  const services: Services = { ...own, connections, status, panel, queries, metrics, objects };
  context.subscriptions.push(
    ...[panel, queries, metrics, hovers, objects, comparison, texts, new StatusItem(status)],
    ...[status, trace],
    // What the language server says while it ends still goes into the log.
    {
      dispose: async () => {
        await lsp.dispose();
        log.dispose();
      },
    },
    ...registerCommands(commandHandlers(services), log),
    panel.register(),
    startForSelectors(lsp),
    ...followVSCode(services, [hovers, metrics], trace),
  );
  for (const each of [hovers, metrics]) each.setLanguages(settings.read().hoverLanguages);
}

interface PanelParts extends Pick<Services, 'lsp' | 'status' | 'connections' | 'log'> {
  readonly objects: ObjectDocuments;
  readonly comparison: WaysComparison;
  readonly texts: ResultDocuments;
}

function makePanel(
  context: ExtensionContext,
  { lsp, status, connections, log, objects, comparison, texts }: PanelParts,
): ListPanel {
  return new ListPanel(context.extensionUri, {
    lsp,
    status,
    connections,
    history: new History(context.workspaceState),
    desk: makeDesk(log, objects, comparison, texts),
    log: (text) => {
      log.warn(text);
    },
  });
}

function makeLsp(
  context: ExtensionContext,
  settings: SettingsReader,
  log: LogOutputChannel,
  trace: TraceChannel,
  { restore, hoversAt }: Pick<ServerSetup, 'hoversAt'> & { readonly restore: () => Promise<void> },
): LspClient {
  const module = context.asAbsolutePath(join('dist', 'server', 'main.js'));
  const options = (): InitializationOptions => ({
    trusted: workspace.isTrusted,
    ...limits(settings.read()),
  });
  return new LspClient(
    async (hooks) => {
      // A window that only hovers over plain text never loads the language client.
      const { startLanguageServer } = await import('./lsp/languageServer');
      return startLanguageServer({ module, log, trace, options, hoversAt }, hooks);
    },
    new RestartPolicy(Date.now),
    {
      after: (ms, action) => {
        const timer = setTimeout(action, ms);
        return {
          dispose: () => {
            clearTimeout(timer);
          },
        };
      },
    },
    restore,
  );
}

function limits(settings: Settings): Omit<InitializationOptions, 'trusted'> {
  const { rangeStream, kubernetesVersion, featureGates, byteBudgetMiB, deadlineSeconds } = settings;
  return {
    rangeStreamGate: rangeStream,
    kubernetesVersion,
    featureGates,
    byteBudgetMiB,
    deadlineSeconds,
    completion: {
      enabled: settings['completion.enabled'],
      sampleObjects: settings['completion.sampleObjects'],
      exactUpTo: settings['completion.exactUpTo'],
      maxAgeSeconds: settings['completion.maxAgeSeconds'],
      maxKeys: settings['completion.maxKeys'],
    },
    severities: settings['diagnostics.severity'],
    schemaCompletion: completesBySchema(),
    metricsPort: settings['metrics.port'],
    watchCacheMiB: settings['watchCache.memoryLimitMiB'],
  };
}

function makeComparison(lsp: LspClient, status: StatusStore): WaysComparison {
  return new WaysComparison({
    lsp,
    access: {
      facts: () => status.current,
      ask: showInformation,
      connect: () => commands.executeCommand(names.connect),
    },
    confirm: (text) => confirmed(text, 'Compare'),
    whileStoppable,
    documents: new ResultDocuments(comparisonPages),
  });
}

function makeConnections(
  context: ExtensionContext,
  lsp: LspClient,
  settings: SettingsReader,
  secrets: Secrets,
): Connections {
  return new Connections({
    lsp,
    settings,
    secrets,
    prompts,
    memory: context.workspaceState,
    isTrusted: () => workspace.isTrusted,
    expand: (connection) => {
      const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
      return expandConnection(connection, {
        env: process.env,
        ...(folder && { folder: folder.uri.fsPath }),
      });
    },
    isEncrypted: isEncryptedKey,
  });
}

/** The settings that describe the API server whose decisions Explain tells. */
const explainedBy: readonly (keyof Settings)[] = [
  'kubernetesVersion',
  'featureGates',
  'rangeStream',
];

function followVSCode(
  { lsp, settings, connections, status, log, panel }: Services,
  hovers: readonly Pick<TokenHovers, 'setLanguages'>[],
  trace: TraceChannel,
): readonly Subscription[] {
  const logged = (told: Promise<void>): void => {
    told.catch((error: unknown) => {
      log.warn(`The language server was not told of a change. ${String(error)}`);
    });
  };
  const told = (): void => {
    logged(lsp.notify('etcdList/settings', limits(settings.read())));
  };
  return [
    lsp.statusChanged.on((said) => {
      connections.noteStatus(said);
    }),
    status.changed.on((facts) => {
      const isConnected = facts.status.state === 'connected';
      void commands.executeCommand('setContext', isConnectedContext, isConnected);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(schemaSetting)) told();
      if (!event.affectsConfiguration(settingsSection)) return;
      const { hoverLanguages } = settings.read();
      for (const each of hovers) each.setLanguages(hoverLanguages);
      trace.refresh();
      connections.noteSettings();
      told();
      if (explainedBy.some((name) => event.affectsConfiguration(`${settingsSection}.${name}`)))
        panel.explainAnew();
    }),
    // One that completes YAML may come or go.
    extensions.onDidChange(told),
    workspace.onDidGrantWorkspaceTrust(() => {
      status.set({ trusted: true });
      logged(lsp.notify('etcdList/trustGranted', null));
    }),
  ];
}
