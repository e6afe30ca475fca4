// Makes the real etcd servers that the tests run on and names those it cannot make.
// With REQUIRE_ALL=1 a missing one is an error.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  cachedBinary,
  etcdVersions,
  findEtcd,
  moduleDir,
  pinnedRelease,
  releaseOf,
} from './binaries.mjs';

/** Runs a program to its end; throws with its last line of error text when it fails. */
function run(program, args, options = {}) {
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  if (result.error?.code === 'ENOENT') throw new Error(`${program} is not installed`);
  if (result.error) throw result.error;
  if (result.status === 0) return;
  const lines = result.stderr.trim().split('\n');
  throw new Error(`${program} ${args[0]}: ${lines.at(-1) || `exit status ${result.status}`}`);
}

/** Lets `make` fill a scratch folder and moves the result in place in one step. */
function intoCache(version, make) {
  const target = cachedBinary(version);
  mkdirSync(dirname(target), { recursive: true });
  const scratch = mkdtempSync(join(dirname(target), 'making-'));
  try {
    renameSync(make(scratch), target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return target;
}

function buildWithGo(version) {
  run('go', ['version']);
  console.log(
    `etcd ${version}: building ${pinnedRelease(version)} with Go, minutes the first time`,
  );
  return intoCache(version, (scratch) => {
    const binary = join(scratch, 'etcd');
    run('go', ['build', '-mod=readonly', '-trimpath', '-ldflags=-s -w', '-o', binary, '.'], {
      cwd: moduleDir(version),
      env: { CGO_ENABLED: '0', HOME: homedir(), ...process.env, GOWORK: 'off' },
    });
    return binary;
  });
}

/** Debian still carries the old server; its package is unpacked, not installed. */
function unpackFromDebian(version) {
  return intoCache(version, (scratch) => {
    const download = () =>
      run('apt-get', ['download', `etcd-server=${version}.*`], { cwd: scratch });
    try {
      download();
    } catch (error) {
      if (process.getuid?.() !== 0) throw error;
      run('apt-get', ['update']);
      download();
    }
    const archive = readdirSync(scratch).find((name) => name.endsWith('.deb'));
    run('dpkg-deb', ['-x', archive, '.'], { cwd: scratch });
    return join(scratch, 'usr', 'bin', 'etcd');
  });
}

/** Makes what is missing, prints one line per server, and returns the versions still missing. */
export function getEtcds() {
  return etcdVersions.filter((version) => {
    try {
      const make = moduleDir(version) ? buildWithGo : unpackFromDebian;
      const binary = findEtcd(version) ?? make(version);
      console.log(`etcd ${version}: ${binary} (${releaseOf(binary)})`);
      return false;
    } catch (error) {
      console.log(`etcd ${version}: missing, its tests are skipped: ${error.message}`);
      return true;
    }
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const missing = getEtcds();
  if (missing.length > 0 && process.env.REQUIRE_ALL === '1') {
    console.error(`REQUIRE_ALL=1, and these etcd servers are missing: ${missing.join(', ')}`);
    process.exitCode = 1;
  }
}
