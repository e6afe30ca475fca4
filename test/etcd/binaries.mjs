// Where the etcd servers of the tests lie. `get.mjs` puts them there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export const etcdVersions = ['3.4', '3.6', '3.7'];

const exe = process.platform === 'win32' ? 'etcd.exe' : 'etcd';

/** The cache of built servers, outside the clone; `ETCD_LIST_CACHE` moves it. */
export function cacheDir() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return process.env.ETCD_LIST_CACHE || join(base, 'etcd-list-explorer');
}

/** The folder of our Go module that builds this version; undefined for 3.4, which Debian builds. */
export function moduleDir(version) {
  const dir = join(import.meta.dirname, `v${version}`);
  return existsSync(join(dir, 'go.mod')) ? dir : undefined;
}

/** The release that the module of this version pins, such as `3.7.3`. */
export function pinnedRelease(version) {
  const dir = moduleDir(version);
  const mod = dir && readFileSync(join(dir, 'go.mod'), 'utf8');
  return mod && /go\.etcd\.io\/etcd\/server\/v3 v(\S+)/.exec(mod)?.[1];
}

/** Where the cached binary of this version lies, or would lie once made. */
export function cachedBinary(version) {
  const dir = moduleDir(version);
  if (!dir) return join(cacheDir(), 'etcd', `${version}-debian`, exe);
  const hash = createHash('sha256');
  for (const file of ['main.go', 'go.sum']) hash.update(readFileSync(join(dir, file)));
  const name = `${pinnedRelease(version)}-${hash.digest('hex').slice(0, 12)}`;
  return join(cacheDir(), 'etcd', name, exe);
}

/** What `BINARY --version` says, such as `3.6.16`; undefined when it does not run, or does not end. */
export function releaseOf(binary) {
  const options = { encoding: 'utf8', timeout: 10_000, killSignal: 'SIGKILL' };
  const { stdout, error } = spawnSync(binary, ['--version'], options);
  if (error?.code === 'ETIMEDOUT') console.error(`${binary} did not say its version within 10 s`);
  return /etcd Version: (\S+)/.exec(stdout ?? '')?.[1];
}

/**
 * The server of this version (`3.4`, `3.6`, `3.7`): the binary that `ETCD_BIN` names, the cached
 * one, or an `etcd` on PATH. A binary that was not made here counts only when it reports the version.
 */
export function findEtcd(version) {
  const reports = (binary) => releaseOf(binary)?.startsWith(`${version}.`) ?? false;
  const named = process.env.ETCD_BIN;
  if (named && reports(named)) return named;
  const cached = cachedBinary(version);
  if (existsSync(cached)) return cached;
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((dir) => join(dir, exe))
    .find((binary) => existsSync(binary) && reports(binary));
}
