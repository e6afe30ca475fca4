/** Values that a setting names instead of holding. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { ConnectionSetting } from '../../server/protocol/names';
import { plainText } from '../common/plainText';
import { refused } from '../lsp/failure';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from; absent without a local workspace. */
  readonly folder?: string;
}

/**
 * Puts environment variables in place of `${env:NAME}`, and makes the paths of certificates and keys
 * absolute. Throws `RpcError` when a variable is not set, when one brings a user or password into an
 * endpoint, and when a relative path has nothing to start from.
 */
export function expandConnection(
  connection: ConnectionSetting,
  around: Surroundings,
): ConnectionSetting {
  const { tls, user, root } = connection;
  const text = (value: string): string => expandEnv(value, around.env);
  const path = (value: string): string => absolute(text(value), around.folder);
  return {
    ...connection,
    endpoints: withoutUsers(connection.endpoints.map(text)),
    ...(root !== undefined && { root: text(root) }),
    ...(user !== undefined && { user: text(user) }),
    ...(tls && {
      tls: {
        ...tls,
        ...(tls.ca !== undefined && { ca: path(tls.ca) }),
        ...(tls.cert !== undefined && { cert: path(tls.cert) }),
        ...(tls.key !== undefined && { key: path(tls.key) }),
        ...(tls.serverName !== undefined && { serverName: text(tls.serverName) }),
      },
    }),
  };
}

/** What the settings are checked for as they are written, a variable can still hold. */
function withoutUsers(endpoints: readonly string[]): readonly string[] {
  if (!endpoints.some((endpoint) => endpoint.includes('@'))) return endpoints;
  throw refused(
    'An environment variable that an endpoint in etcdList.connections names holds a user or password before an @: take them out of it, write "user", and VS Code will ask for the password.',
  );
}

function expandEnv(value: string, env: Surroundings['env']): string {
  return value.replace(/\$\{env:([^}]*)\}/g, (_, name: string) => {
    const found = env[name];
    if (found !== undefined) return found;
    throw refused(
      `The environment variable ${plainText(name)}, named in etcdList.connections, is not set where VS Code runs: set it and start VS Code anew, or write the value.`,
    );
  });
}

function absolute(path: string, folder: string | undefined): string {
  if (/^~[/\\]/.test(path)) return join(homedir(), path.slice(2));
  if (isAbsolute(path)) return path;
  if (folder !== undefined) return resolve(folder, path);
  throw refused(
    `The path "${plainText(path)}" in etcdList.connections is relative and no folder is open: write it from the root.`,
  );
}
