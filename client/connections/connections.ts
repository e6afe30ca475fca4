/** Connects, disconnects and remembers; the language server holds the connection itself. */
import type { Failure, FailureCode } from '../../server/protocol/errors';
import type { ConnectionStatus, ConnectParams } from '../../server/protocol/model';
import type { ConnectionSetting, Settings } from '../../server/protocol/names';
import { RpcError } from '../../server/protocol/rpc';
import { cancelled, failureOf, refused } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';
import { splitEndpoints } from './endpointText';
import { Emitter } from '../common/emitter';
import type { Memory } from '../common/memory';
import { plainText } from '../common/plainText';
import type { SecretKind, Secrets } from './secrets';

/** What was typed for a connection that could not be made, and why not. */
export interface Refused {
  readonly endpoints: string;
  readonly name: string;
  readonly sentence: string;
}

/** What a person is asked; undefined when the question was closed. */
export interface Prompts {
  /** With `refused`, to correct what was typed. */
  endpoints(refused: Refused | undefined): Promise<string | undefined>;
  name(
    endpoints: string,
    taken: readonly string[],
    refused: Refused | undefined,
  ): Promise<string | undefined>;
  /** Whether to keep what cannot be connected, to complete it by hand. Not waited for. */
  keepAnyway(name: string): Promise<boolean>;
  /** The settings refused it. */
  notKept(sentence: string): void;
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

/** As it is written in the settings. */
export type NamedEndpoints = Pick<ConnectionSetting, 'name' | 'endpoints'>;

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

const correctable: ReadonlySet<FailureCode> = new Set(['etcd', 'timeout', 'badRequest']);

type GivenSecrets = { [K in SecretKind]?: string };

const lastKey = 'etcdList.lastConnection';

export const untrusted: Failure = {
  code: 'untrusted',
  sentence:
    'This workspace is not trusted, so the network stays off: trust it to connect to an etcd.',
};

export class Connections {
  /** How to connect again after the language server was started anew; of what connected last. */
  private again: (() => Promise<ConnectionStatus>) | undefined;
  /** Fired when `names` may answer otherwise than before. */
  readonly changed = new Emitter<readonly string[]>();

  constructor(private readonly setup: ConnectionsSetup) {}

  /** Names in the settings, the one used last in this workspace first. */
  names(): readonly string[] {
    return this.listed().map(({ name }) => name);
  }

  /** The same with their endpoints. */
  listed(): readonly NamedEndpoints[] {
    const last = this.setup.memory.get(lastKey);
    return this.setup.settings
      .read()
      .connections.toSorted((a, b) => Number(b.name === last) - Number(a.name === last));
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
    if (status.state === 'connected') this.again = open;
    return status;
  }

  /**
   * Asks for endpoints and a name until they connect or the person gives up; only what connected is
   * kept in the settings.
   */
  async add(): Promise<ConnectionStatus> {
    this.requireTrust();
    let before: Refused | undefined;
    for (;;) {
      const connection = await this.askForConnection(before);
      const { status, failure } = await this.tryOut(connection);
      if (failure === undefined) {
        await this.setup.settings.addConnection(connection);
        this.noteSettings();
        return status;
      }
      const { name, endpoints } = connection;
      before = { name, endpoints: endpoints.join(', '), sentence: failure.sentence };
    }
  }

  private async askForConnection(before: Refused | undefined): Promise<ConnectionSetting> {
    const { prompts } = this.setup;
    const endpoints = await prompts.endpoints(before);
    if (endpoints === undefined) throw this.givenUp('no endpoint was given', before);
    const name = await prompts.name(endpoints, this.names(), before);
    if (name === undefined) throw this.givenUp('no name was given', before);
    return { name: name.trim(), endpoints: splitEndpoints(endpoints) };
  }

  private givenUp(why: string, before: Refused | undefined): RpcError {
    if (before) {
      this.offerToKeep(before).catch((error: unknown) => {
        this.setup.prompts.notKept(failureOf(error).sentence);
      });
    }
    return cancelled(`No connection was added: ${why}.`);
  }

  private async offerToKeep({ name, endpoints }: Refused): Promise<void> {
    const { prompts, settings } = this.setup;
    if (!(await prompts.keepAnyway(name))) return;
    await settings.addConnection({ name, endpoints: splitEndpoints(endpoints) });
    this.noteSettings();
  }

  /** A failure that other endpoints may mend is an answer. */
  private async tryOut(
    connection: ConnectionSetting,
  ): Promise<{ status: ConnectionStatus; failure?: Failure }> {
    try {
      const status = await this.open(connection);
      const failure = status.state === 'disconnected' ? status.failure : undefined;
      return { status, ...(failure && { failure }) };
    } catch (error) {
      const failure = failureOf(error);
      if (!correctable.has(failure.code)) throw error;
      return { status: { state: 'disconnected', failure }, failure };
    }
  }

  /** To be called when the settings changed. */
  noteSettings(): void {
    this.changed.fire(this.names());
  }

  /** To be called with what the language server says of itself. */
  noteStatus(status: ConnectionStatus): void {
    // Such as a demo that ended: nobody asked for it to be begun again.
    if (status.state === 'disconnected' && status.failure) this.again = undefined;
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
    this.noteSettings();
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
