/** From a connection as people write it in the settings to what the transport takes. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Log } from '../common/log';
import type { EtcdReader } from '../etcd/interfaces';
import type { ConnectParams } from '../protocol/model';
import { plainText, refuse } from './failures';

interface TlsFiles {
  rootCertificate?: Uint8Array;
  clientCertificate?: Uint8Array;
  clientKey?: Uint8Array;
  passphrase?: string;
  serverName?: string;
  skipVerify?: boolean;
}

/** What the transport's `connect` takes. */
export interface ReaderConfig {
  readonly endpoints: readonly string[];
  readonly tls?: Readonly<TlsFiles>;
  readonly auth?: { readonly username: string; readonly password: string };
  readonly serializable?: boolean;
  readonly deadlineMs?: number | (() => number);
  readonly byteBudget?: number;
  readonly log?: Log;
}

/** Sends nothing yet. Throws `ConnectionConfigError`. */
export type OpenReader = (config: ReaderConfig) => EtcdReader;

export type ReadFile = (path: string, how: { signal: AbortSignal }) => Promise<Uint8Array>;

/**
 * Reads the files that the settings name. Throws `FailureError` with one sentence, and what the
 * signal aborts with.
 */
export async function readerConfig(
  { connection, password, passphrase }: ConnectParams,
  readFile: ReadFile,
  signal: AbortSignal,
): Promise<ReaderConfig> {
  const { endpoints, tls, user, serializable = false } = connection;
  if (endpoints.every((endpoint) => endpoint.trim() === '')) {
    throw refuse('The connection names no endpoint: write host:port, such as 127.0.0.1:2379.');
  }
  const files =
    tls === undefined ? undefined : await tlsFiles(tls, (path) => readFile(path, { signal }));
  if (files !== undefined && passphrase !== undefined) files.passphrase = passphrase;
  return {
    endpoints,
    serializable,
    ...(files === undefined ? {} : { tls: files }),
    ...(user === undefined || user === ''
      ? {}
      : { auth: { username: user, password: password ?? '' } }),
  };
}

type TlsSetting = NonNullable<ConnectParams['connection']['tls']>;

type Read = (path: string) => Promise<Uint8Array>;

async function tlsFiles(tls: TlsSetting, read: Read): Promise<TlsFiles> {
  const files: TlsFiles = { skipVerify: tls.skipVerify ?? false };
  if (tls.serverName !== undefined) files.serverName = tls.serverName;
  if (tls.ca !== undefined) files.rootCertificate = await readNamed('ca', tls.ca, read);
  if (tls.cert !== undefined) files.clientCertificate = await readNamed('cert', tls.cert, read);
  if (tls.key !== undefined) files.clientKey = await readNamed('key', tls.key, read);
  return files;
}

const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not read it'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['NOT_A_FILE', 'it is no regular file'],
  ['TOO_LARGE', 'it is larger than 1 MiB'],
]);

async function readNamed(name: string, written: string, read: Read): Promise<Uint8Array> {
  const path = /^~[/\\]/.test(written) ? join(homedir(), written.slice(2)) : written;
  const shown = plainText(written);
  if (!isAbsolute(path)) {
    throw refuse(`The file "${shown}" of tls.${name} must be a whole path, or start with ~/.`);
  }
  try {
    return await read(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string') throw error;
    const why = UNREADABLE.get(code) ?? `it is not readable (${code})`;
    throw refuse(
      `The file "${shown}" of tls.${name} cannot be read: ${why}; name a PEM file that is there and readable.`,
    );
  }
}
