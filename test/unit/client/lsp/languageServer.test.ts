import { expect, it, vi } from 'vitest';
import { startLanguageServer, type ServerSetup } from '../../../../client/lsp/languageServer';

interface Closing {
  readonly errorHandler: {
    closed(): { readonly message?: string; readonly handled?: boolean };
  };
}

interface Made {
  options?: unknown;
  client?: { error(...given: unknown[]): void };
  readonly errors: unknown[][];
}

const made = vi.hoisted((): Made => ({ errors: [] }));

vi.mock('vscode-languageclient/node', () => ({
  CloseAction: { DoNotRestart: 1 },
  ErrorAction: { Continue: 1 },
  RevealOutputChannelOn: { Never: 4 },
  State: { Running: 2 },
  TransportKind: { ipc: 1 },
  LanguageClient: class {
    constructor(...given: unknown[]) {
      made.options = given[3];
      made.client = this;
    }
    error(...given: unknown[]) {
      made.errors.push(given);
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

it('shows no words of the language client, which it would force upon the person', async () => {
  await startLanguageServer({} as ServerSetup, {
    notified: () => undefined,
    ended: () => undefined,
  });
  const data = new Error('Pending response rejected');
  made.client?.error("couldn't create connection to server.", data, 'force');
  made.client?.error('Stopping server failed', data, false);
  made.client?.error('Sending failed', data);
  expect(made.errors).toEqual([
    ["couldn't create connection to server.", data, false],
    ['Stopping server failed', data, false],
    ['Sending failed', data, undefined],
  ]);
});
