import { expect, it, vi } from 'vitest';
import { startLanguageServer, type ServerSetup } from '../../../../client/lsp/languageServer';

interface Closing {
  readonly errorHandler: {
    closed(): { readonly message?: string; readonly handled?: boolean };
  };
}

const made = vi.hoisted((): { options?: unknown } => ({}));

vi.mock('vscode-languageclient/node', () => ({
  CloseAction: { DoNotRestart: 1 },
  ErrorAction: { Continue: 1 },
  RevealOutputChannelOn: { Never: 4 },
  State: { Running: 2 },
  TransportKind: { ipc: 1 },
  LanguageClient: class {
    constructor(...given: unknown[]) {
      made.options = given[3];
    }
    readonly onNotification = () => undefined;
    readonly start = () => Promise.resolve();
  },
}));

it('leaves the restart to its client, and does not let the log say that there is none', async () => {
  const ended = vi.fn();
  await startLanguageServer({} as ServerSetup, { notified: () => undefined, ended });
  const answer = (made.options as Closing).errorHandler.closed();
  expect(ended).toHaveBeenCalledTimes(1);
  expect(answer.handled).toBe(true);
  // Without a message of ours the language client writes its own: "Server will not be restarted."
  expect(answer.message).toBe('The language server ended.');
});
