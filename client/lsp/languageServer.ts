/** Starts the language server's process and speaks LSP with it. Loaded at the first request only. */
import type { LogOutputChannel, Position, TextDocument } from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import type { InitializationOptions, LspNotification } from '../../server/protocol/lsp';
import { hoverCommands, serverLanguages, settingsSection } from '../../server/protocol/names';
import type { ServerHooks, ServerLife } from './serverLife';

export interface ServerSetup {
  /** Absolute path of the server's bundle. */
  readonly module: string;
  readonly log: LogOutputChannel;
  /** Takes the trace of messages. */
  readonly trace: LogOutputChannel;
  /** Asked at each start. */
  readonly options: () => InitializationOptions;
  /** Whether the server is to be asked; a pointer that rests anywhere else costs no message. */
  readonly hoversAt: (document: TextDocument, position: Position) => boolean;
}

const notifications: Record<LspNotification, true> = {
  'etcdList/statusChanged': true,
  'etcdList/listEvents': true,
  'etcdList/watchCaches': true,
};

const stopTimeoutMs = 2000;

/** In the log, in place of the language client's own words, which would say that none is started again. */
const serverEnded = 'The language server ended.';

export async function startLanguageServer(
  setup: ServerSetup,
  hooks: ServerHooks,
): Promise<ServerLife> {
  const client = makeClient(setup, hooks);
  for (const method of Object.keys(notifications) as LspNotification[]) {
    client.onNotification(method, (params: unknown) => {
      hooks.notified(method, params);
    });
  }
  await client.start();
  return {
    request: (method, params, token) => client.sendRequest(method, params, token),
    notify: (method, params) => client.sendNotification(method, params),
    stop: () => stop(client),
  };
}

/**
 * Says in the log what the language client would show in its own words even where nothing is to be
 * revealed, such as a server that ended while it began. `LspClient` tells of it.
 */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, showNotification?: boolean | 'force'): void {
    super.error(message, data, showNotification === 'force' ? false : showNotification);
  }
}

function makeClient({ module, log, trace, options, hoversAt }: ServerSetup, hooks: ServerHooks) {
  return new QuietClient(
    settingsSection,
    'etcd LIST',
    { module, transport: TransportKind.ipc },
    {
      documentSelector: serverLanguages.map((language) => ({ language })),
      // Documents that nobody looks at are not handed over.
      textSynchronization: { delayOpenNotifications: true },
      markdown: { isTrusted: { enabledCommands: [...hoverCommands] } },
      middleware: {
        provideHover: (document, position, token, next) =>
          hoversAt(document, position) ? next(document, position, token) : undefined,
      },
      outputChannel: log,
      traceOutputChannel: trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: options,
      // A life that does not begin is an end like any other; who asked is told.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        // `LspClient` starts the next life, after a pause.
        closed: () => {
          hooks.ended();
          return { action: CloseAction.DoNotRestart, handled: true, message: serverEnded };
        },
      },
    },
  );
}

async function stop(client: LanguageClient): Promise<void> {
  if (client.state !== State.Running) return;
  // When it does not answer in time, the client kills it.
  await client.stop(stopTimeoutMs).catch(() => undefined);
}
