/** Connects, disconnects and remembers; the language server holds the connection itself. */
import type { Failure } from '../../server/protocol/errors';
import type { ConnectionStatus, ConnectParams } from '../../server/protocol/model';
import type { ConnectionSetting, Settings } from '../../server/protocol/names';
import { RpcError } from '../../server/protocol/rpc';
import { cancelled, failureOf, refused } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';
import { splitEndpoints } from './endpointText';
import { plainText } from '../common/plainText';
import type { Memory, SecretKind, Secrets } from './secrets';

/** What a person is asked; undefined when the question was closed. */
export interface Prompts {
  endpoints(): Promise<string | undefined>;
  name(endpoints: string, taken: readonly string[]): Promise<string | undefined>;
  secret(
    kind: SecretKind,
    connection: ConnectionSetting,
    again: boolean,
  ): Promise<string | undefined>;
  /** Not waited for by whoever connects. */
  remember(kind: SecretKind, connection: ConnectionSetting): Promise<boolean>;
  /** The storage of VS Code refused to keep it. */
  notRemembered(error: unknown): void;
}

export interface ConnectionsSetup {
  readonly lsp: LspCaller;
  readonly settings: {
    read(): Settings;
    addConnection(connection: ConnectionSetting): Promise<void>;
  };
  readonly secrets: Secrets;
  readonly prompts: Prompts;
  /** Of the workspace. */
  readonly memory: Memory;
  readonly isTrusted: () => boolean;
  /** See `expandConnection`. */
  readonly expand: (connection: ConnectionSetting) => ConnectionSetting;
  /** Whether the file of a client key says that it is encrypted. */
  readonly isEncrypted: (path: string) => Promise<boolean>;
}

type GivenSecrets = { [K in SecretKind]?: string };

const lastKey = 'etcdList.lastConnection';

export const untrusted: Failure = {
  code: 'untrusted',
  sentence:
    'This workspace is not trusted, so the network stays off: trust it to connect to an etcd.',
};

export class Connections {
  /** How to connect again after the language server was started anew. */
  private again: (() => Promise<ConnectionStatus>) | undefined;

  constructor(private readonly setup: ConnectionsSetup) {}

  /** Names in the settings, the one used last in this workspace first. */
  names(): readonly string[] {
    const names = this.setup.settings.read().connections.map(({ name }) => name);
    const last = this.setup.memory.get(lastKey);
    return names.toSorted((a, b) => Number(b === last) - Number(a === last));
  }

  async connect(name: string): Promise<ConnectionStatus> {
    this.requireTrust();
    const found = this.setup.settings.read().connections.find((one) => one.name === name);
    if (!found) {
      throw refused(
        `There is no connection named "${plainText(name)}" in the setting etcdList.connections: add it there, or choose another.`,
      );
    }
    return this.open(found);
  }

  async connectDemo(): Promise<ConnectionStatus> {
    this.requireTrust();
    const pods = this.setup.settings.read().demoPods;
    const open = () => this.setup.lsp.request('etcdList/connectDemo', { pods });
    const status = await open();
    this.again = status.state === 'connected' ? open : undefined;
    return status;
  }

  /** Asks for endpoints and a name, keeps both in the settings, and connects. */
  async add(): Promise<ConnectionStatus> {
    this.requireTrust();
    const { prompts, settings } = this.setup;
    const endpoints = await prompts.endpoints();
    if (endpoints === undefined) throw cancelled('No connection was added: no endpoint was given.');
    const name = await prompts.name(endpoints, this.names());
    if (name === undefined) throw cancelled('No connection was added: no name was given.');
    const connection = { name: name.trim(), endpoints: splitEndpoints(endpoints) };
    await settings.addConnection(connection);
    return this.open(connection);
  }

  disconnect(): Promise<ConnectionStatus> {
    this.again = undefined;
    return this.setup.lsp.request('etcdList/disconnect', null);
  }

  probe(): Promise<ConnectionStatus> {
    this.requireTrust();
    return this.setup.lsp.request('etcdList/probe', null);
  }

  /** After the server was started anew; a person who was connected stays so. */
  async restore(): Promise<void> {
    await this.again?.();
  }

  private requireTrust(): void {
    if (!this.setup.isTrusted()) throw new RpcError(untrusted);
  }

  private async open(written: ConnectionSetting): Promise<ConnectionStatus> {
    const connection = this.setup.expand(written);
    const given: GivenSecrets = {};
    const asked = new Set<SecretKind>();
    for (const kind of await this.neededSecrets(connection)) {
      // Where VS Code's storage fails, the person is asked as if nothing were kept.
      const kept = await this.setup.secrets.get(connection, kind).catch(() => undefined);
      if (kept === undefined) asked.add(kind);
      given[kind] = kept ?? (await this.ask(kind, connection, false));
    }
    for (;;) {
      const { status, failure } = await this.attempt({ connection, ...given });
      const wanted = failure?.needs;
      if (wanted === undefined) {
        if (status.state === 'connected') await this.succeeded(connection, given, asked);
        return status;
      }
      await this.setup.secrets.forget(connection, wanted).catch(() => undefined);
      given[wanted] = await this.ask(wanted, connection, given[wanted] !== undefined);
      asked.add(wanted);
    }
  }

  /** Throws what is no matter of a secret. */
  private async attempt(
    params: ConnectParams,
  ): Promise<{ status: ConnectionStatus; failure?: Failure }> {
    try {
      const status = await this.setup.lsp.request('etcdList/connect', params);
      const failure = status.state === 'disconnected' ? status.failure : undefined;
      return { status, ...(failure && { failure }) };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.needs === undefined) throw error;
      return { status: { state: 'disconnected', failure }, failure };
    }
  }

  private async neededSecrets({ user, tls }: ConnectionSetting): Promise<readonly SecretKind[]> {
    const encrypted = tls?.key !== undefined && (await this.setup.isEncrypted(tls.key));
    return [...(user ? ['password' as const] : []), ...(encrypted ? ['passphrase' as const] : [])];
  }

  private async ask(kind: SecretKind, connection: ConnectionSetting, again: boolean) {
    const value = await this.setup.prompts.secret(kind, connection, again);
    if (value === undefined) throw cancelled(`Not connected: no ${kind} was given.`);
    return value;
  }

  private async succeeded(
    connection: ConnectionSetting,
    given: GivenSecrets,
    asked: ReadonlySet<SecretKind>,
  ): Promise<void> {
    const { lsp, memory, secrets } = this.setup;
    this.again = () => lsp.request('etcdList/connect', { connection, ...given });
    for (const kind of asked) {
      const value = given[kind];
      if (value === undefined) continue;
      secrets.useInSession(connection, kind, value);
      this.offerToRemember(kind, connection, value).catch((error: unknown) => {
        this.setup.prompts.notRemembered(error);
      });
    }
    await memory.update(lastKey, connection.name);
  }

  private async offerToRemember(
    kind: SecretKind,
    connection: ConnectionSetting,
    value: string,
  ): Promise<void> {
    const { prompts, secrets } = this.setup;
    if (await prompts.remember(kind, connection)) await secrets.remember(connection, kind, value);
  }
}
