/** A language server as a process of its own, spoken to over its pipes as an editor does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import type { CompletionList, Hover, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import type { Children } from '../lineProcess';
import { Meter } from '../proc';
import type { Place } from './manifest';

export interface ServerProgram {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  readonly initializationOptions: unknown;
  /** Settings by their sections, for a server that asks for them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The text at an address that the server may not fetch by itself. */
  readonly contentOf: (address: string) => string;
  /** Sent once it is initialized. */
  readonly afterStart: (rpc: MessageConnection) => Promise<void>;
}

/** One character is replaced. */
export interface Keystroke {
  readonly at: Place;
  readonly text: string;
}

type Wanted = (params: PublishDiagnosticsParams) => boolean;

interface Waiting {
  readonly isWanted: Wanted;
  readonly resolve: (params: PublishDiagnosticsParams) => void;
  readonly reject: (error: Error) => void;
}

const capabilities = {
  workspace: { configuration: true, workspaceFolders: true },
  textDocument: {
    completion: { completionItem: { snippetSupport: true, labelDetailsSupport: true } },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    publishDiagnostics: { versionSupport: true },
  },
};

export class LspProcess {
  private readonly waiting = new Set<Waiting>();
  private version = 1;

  private constructor(
    private readonly program: ServerProgram,
    private readonly rpc: MessageConnection,
    readonly pid: number,
    private readonly patienceMs: number,
    private readonly end: () => Promise<void>,
  ) {
    rpc.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      for (const each of this.waiting) if (each.isWanted(params)) each.resolve(params);
    });
    rpc.onRequest('workspace/configuration', ({ items }: { items: { section?: string }[] }) =>
      items.map(({ section = '' }) => program.settings[section] ?? null),
    );
    rpc.onRequest('client/registerCapability', () => null);
    rpc.onRequest('vscode/content', program.contentOf);
    rpc.onRequest('window/workDoneProgress/create', () => null);
    rpc.onRequest('workspace/codeLens/refresh', () => null);
    rpc.onRequest('workspace/inlayHint/refresh', () => null);
  }

  static async start(
    program: ServerProgram,
    children: Children,
    patienceMs: number,
  ): Promise<LspProcess> {
    const child = spawn(program.path, program.args, { stdio: ['pipe', 'pipe', 'ignore'] });
    children.add(child);
    await once(child, 'spawn');
    const rpc = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    child.stdin.on('error', () => undefined);
    rpc.onError(() => undefined);
    const gone = once(child, 'close');
    const server = new LspProcess(program, rpc, child.pid ?? 0, patienceMs, async () => {
      child.kill('SIGKILL');
      await gone;
      rpc.dispose();
    });
    void gone.then(() => {
      server.fail(new Error(`${program.name} ended`));
    });
    rpc.listen();
    await server.initialize();
    return server;
  }

  get name(): string {
    return this.program.name;
  }

  meter(): Meter {
    return new Meter(this.pid, this.name);
  }

  request<T>(method: string, params: object): Promise<T> {
    return this.within(this.rpc.sendRequest<T>(method, params), method);
  }

  /** Resolves with the document's first diagnostics. */
  async open(uri: string, text: string): Promise<PublishDiagnosticsParams> {
    const found = this.diagnostics((params) => params.uri === uri);
    const textDocument = { uri, languageId: 'yaml', version: ++this.version, text };
    await this.rpc.sendNotification('textDocument/didOpen', { textDocument });
    return found;
  }

  /** Resolves when the change is sent, with a promise of the diagnostics that tell of it. */
  async change(
    uri: string,
    { at, text }: Keystroke,
  ): Promise<{ readonly found: Promise<PublishDiagnosticsParams> }> {
    const version = ++this.version;
    const found = this.diagnostics(
      (params) => params.uri === uri && (params.version ?? version) === version,
    );
    const range = { start: at, end: { line: at.line, character: at.character + 1 } };
    await this.rpc.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text }],
    });
    return { found };
  }

  async close(uri: string): Promise<void> {
    await this.rpc.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  async complete(uri: string, position: Place): Promise<CompletionList['items']> {
    const params = { textDocument: { uri }, position, context: { triggerKind: 1 } };
    const list = await this.request<CompletionList | CompletionList['items'] | null>(
      'textDocument/completion',
      params,
    );
    return Array.isArray(list) ? list : (list?.items ?? []);
  }

  hover(uri: string, position: Place): Promise<Hover | null> {
    return this.request('textDocument/hover', { textDocument: { uri }, position });
  }

  stop(): Promise<void> {
    return this.end();
  }

  private async initialize(): Promise<void> {
    const { initializationOptions, afterStart } = this.program;
    await this.request('initialize', {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: null,
      capabilities,
      initializationOptions,
    });
    await this.rpc.sendNotification('initialized', {});
    await afterStart(this.rpc);
  }

  private diagnostics(isWanted: Wanted): Promise<PublishDiagnosticsParams> {
    const found = new Promise<PublishDiagnosticsParams>((resolve, reject) => {
      const waiting: Waiting = {
        isWanted,
        resolve: (params) => {
          this.waiting.delete(waiting);
          resolve(params);
        },
        reject,
      };
      this.waiting.add(waiting);
    });
    return this.within(found, 'diagnostics');
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting) reject(error);
    this.waiting.clear();
  }

  private async within<T>(work: Promise<T>, what: string): Promise<T> {
    const { name } = this.program;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`${name} did not answer ${what} within ${this.patienceMs / 1000} s`));
      }, this.patienceMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
