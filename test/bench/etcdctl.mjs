// Where etcdctl lies, and how it is made: etcd's own client, from its own Go module.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir } from '../etcd/binaries.mjs';

const source = join(import.meta.dirname, 'etcdctl');

function cachedPath() {
  const hash = createHash('sha256');
  for (const file of ['main.go', 'go.sum']) hash.update(readFileSync(join(source, file)));
  return join(cacheDir(), 'etcdctl', hash.digest('hex').slice(0, 12), 'etcdctl');
}

function build(target) {
  mkdirSync(dirname(target), { recursive: true });
  const scratch = mkdtempSync(join(dirname(target), 'making-'));
  try {
    const binary = join(scratch, 'etcdctl');
    const args = ['build', '-mod=readonly', '-trimpath', '-ldflags=-s -w', '-o', binary, '.'];
    const result = spawnSync('go', args, {
      cwd: source,
      encoding: 'utf8',
      env: { HOME: homedir(), ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
    });
    if (result.error?.code === 'ENOENT') throw new Error('go is not installed');
    if (result.error) throw result.error;
    if (result.status !== 0) throw new Error(result.stderr.trim().split('\n').slice(-3).join(' '));
    renameSync(binary, target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Makes etcdctl where it is missing; undefined, the reason having been named, where it cannot be;
 * under REQUIRE_ALL=1 that is an error.
 */
export function getEtcdctl() {
  const target = cachedPath();
  if (existsSync(target)) return target;
  try {
    console.error('etcdctl: building it with Go, minutes the first time');
    build(target);
    return target;
  } catch (error) {
    const text = `etcdctl: missing, its column stays empty: ${error.message}`;
    if (process.env.REQUIRE_ALL === '1')
      throw new Error(`REQUIRE_ALL=1: ${text}`, { cause: error });
    console.error(text);
    return undefined;
  }
}
