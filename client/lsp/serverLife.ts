/** One life of the language server's process, as `LspClient` sees it. */
import type { CancellationToken } from 'vscode';
import type { LspNotification } from '../../server/protocol/lsp';

export interface ServerLife {
  request(method: string, params: unknown, token?: CancellationToken): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
  /** Ends the process; never rejects. */
  stop(): Promise<void>;
}

export interface ServerHooks {
  notified(method: LspNotification, params: unknown): void;
  /** The process or its connection ended without having been stopped. */
  ended(): void;
}

/** Resolves when the server answers; a rejection means that this life is over. */
export type StartServer = (hooks: ServerHooks) => Promise<ServerLife>;
