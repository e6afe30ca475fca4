/** Passwords and passphrases, kept by VS Code where a person agreed to it, else for the session. */
import { createHash } from 'node:crypto';
import type { ConnectionSetting } from '../../server/protocol/names';
import type { Memory } from '../common/memory';

export type SecretKind = 'password' | 'passphrase';

/** VS Code's `SecretStorage`. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

const indexKey = 'etcdList.secrets';

export class Secrets {
  private readonly session = new Map<string, string>();

  constructor(
    private readonly store: SecretStore,
    private readonly memory: Memory,
  ) {}

  async get(connection: ConnectionSetting, kind: SecretKind): Promise<string | undefined> {
    const key = keyOf(connection, kind);
    return this.session.get(key) ?? (await this.store.get(key));
  }

  useInSession(connection: ConnectionSetting, kind: SecretKind, value: string): void {
    this.session.set(keyOf(connection, kind), value);
  }

  async remember(connection: ConnectionSetting, kind: SecretKind, value: string): Promise<void> {
    const key = keyOf(connection, kind);
    await this.store.store(key, value);
    await this.memory.update(indexKey, [...new Set([...this.index(), key])]);
  }

  async forget(connection: ConnectionSetting, kind: SecretKind): Promise<void> {
    const key = keyOf(connection, kind);
    this.session.delete(key);
    await this.store.delete(key);
    await this.memory.update(
      indexKey,
      this.index().filter((one) => one !== key),
    );
  }

  /** Answers how many were kept by VS Code. */
  async forgetAll(): Promise<number> {
    const keys = this.index();
    this.session.clear();
    for (const key of keys) await this.store.delete(key);
    await this.memory.update(indexKey, []);
    return keys.length;
  }

  private index(): readonly string[] {
    const kept = this.memory.get(indexKey);
    return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : [];
  }
}

/**
 * A secret belongs to all that a connection says, not to its name: a folder's settings that point the
 * same name elsewhere, or turn the check of certificates off, do not get it.
 */
function keyOf(connection: ConnectionSetting, kind: SecretKind): string {
  const { endpoints, user = '', tls = {} } = connection;
  const { ca = '', cert = '', key = '', serverName = '', skipVerify = false } = tls;
  const said = JSON.stringify([endpoints, user, ca, cert, key, serverName, skipVerify]);
  return `etcdList.${kind}.${createHash('sha256').update(said).digest('hex')}`;
}
