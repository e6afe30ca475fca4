/** What each command does. Thin: one service a command. */
import { env, window } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { ConnectionStatus } from '../../server/protocol/model';
import * as names from '../../server/protocol/names';
import { RpcError } from '../../server/protocol/rpc';
import { showInformation } from '../common/notices';
import type { Connections } from '../connections/connections';
import type { Secrets } from '../connections/secrets';
import type { LspClient } from '../lsp/lspClient';
import type { Metrics } from '../metrics/metrics';
import type { ObjectDocuments } from '../objects/objectDocuments';
import type { ListPanel } from '../panel/listPanel';
import type { Queries } from '../queries/queries';
import type { SettingsReader } from '../settings/settings';
import type { StatusStore } from '../status/statusStore';
import { openTerminal } from '../terminal/openTerminal';
import { chooseConnection, runFromMenu } from './choices';
import type { CommandHandlers } from './register';
import { tokenText } from './tokenArgument';

export interface Services {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly lsp: LspClient;
  readonly settings: SettingsReader;
  readonly secrets: Secrets;
  readonly connections: Connections;
  readonly status: StatusStore;
  readonly panel: ListPanel;
  readonly queries: Queries;
  readonly metrics: Metrics;
  readonly objects: Pick<ObjectDocuments, 'reveal'>;
}

export function commandHandlers(services: Services): CommandHandlers {
  const { context, log, lsp, settings, secrets, connections, status, panel, queries } = services;
  const { metrics, objects } = services;
  const { commands } = names;
  return {
    [commands.listResources]: () => {
      panel.show();
    },
    [commands.inspectToken]: async (argument) => {
      panel.inspectToken(await tokenToInspect(argument));
    },
    [commands.connect]: async () => {
      const choice = await chooseConnection(connections.listed());
      if (choice === undefined) return;
      if (choice.kind === 'demo') settle(await connections.connectDemo());
      else if (choice.kind === 'add') settle(await connections.add());
      else settle(await connections.connect(choice.name));
    },
    [commands.connectDemo]: async () => {
      settle(await connections.connectDemo());
    },
    [commands.disconnect]: () => connections.disconnect(),
    [commands.probe]: () => connections.probe(),
    [commands.statusMenu]: () => runFromMenu(status.current, settings.read().rangeStream),
    [commands.toggleRangeStream]: () => toggleRangeStream(services),
    [commands.forgetPasswords]: async () => {
      const count = await secrets.forgetAll();
      const what = count === 1 ? '1 password or passphrase' : `${count} passwords and passphrases`;
      void showInformation(`etcd LIST forgot ${what} kept by VS Code.`);
    },
    [commands.showLog]: () => {
      log.show();
    },
    [commands.openTerminal]: () => openTerminal(context, lsp),
    [commands.revealValues]: (argument) => objects.reveal(argument),
    [commands.copySelector]: copySelector,
    [commands.showMetrics]: () => metrics.show(),
    [commands.readMetrics]: (argument) => metrics.readTexts(argument),
    ...queryHandlers(queries),
  };
}

/** A code action hands the text over. */
async function copySelector(argument: unknown): Promise<void> {
  if (typeof argument !== 'string') return;
  await env.clipboard.writeText(argument);
  window.setStatusBarMessage('Copied the selector', 3000);
}

function queryHandlers(queries: Queries) {
  const { commands } = names;
  return {
    [commands.runQuery]: (argument: unknown) => queries.run(argument),
    [commands.runQueryToEnd]: (argument: unknown) => queries.run(argument, true),
    [commands.runQueryBeside]: (argument: unknown) => queries.runBeside(argument),
    [commands.runAllQueries]: (argument: unknown) => queries.runAll(argument),
    [commands.explainQuery]: (argument: unknown) => queries.explain(argument),
    [commands.compareQuery]: (argument: unknown) => queries.compare(argument),
    [commands.copyQueryAsKubectl]: (argument: unknown) => queries.copy(argument, 'kubectl'),
    [commands.copyQueryAsEtcdctl]: (argument: unknown) => queries.copy(argument, 'etcdctl'),
    [commands.copyQueryAs]: (argument: unknown) => queries.copy(argument),
  };
}

/** A connection that failed says so where a person looks who started it from the palette. */
function settle(status: ConnectionStatus): void {
  if (status.state === 'disconnected' && status.failure) throw new RpcError(status.failure);
}

function tokenToInspect(argument: unknown): Promise<string> {
  const editor = window.activeTextEditor;
  const selection = editor ? editor.document.getText(editor.selection) : '';
  return tokenText({ argument, selection, clipboard: () => env.clipboard.readText() });
}

async function toggleRangeStream({ settings, lsp }: Services): Promise<void> {
  const on = !settings.read().rangeStream;
  await settings.setRangeStream(on);
  // Elsewhere the next start of the language server reads the setting.
  if (lsp.isStarted) await lsp.request('etcdList/setRangeStreamGate', { on });
  window.setStatusBarMessage(`etcd LIST: RangeStream is ${on ? 'on' : 'off'}`, 3000);
}
