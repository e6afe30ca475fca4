// Builds one of our Go programs into the cache of the tests.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Whether Go does not run here. */
export function goMissing() {
  return spawnSync('go', ['version'], { timeout: 30_000 }).error !== undefined;
}

/** Runs Go in a folder. Throws with the end of what it said. */
export function runGo(source, ...words) {
  const result = spawnSync('go', words, {
    cwd: source,
    encoding: 'utf8',
    env: { HOME: homedir(), ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(result.stderr.trim().split('\n').slice(-3).join(' '));
}

/** Builds what lies in a folder; the binary is there whole or not at all. */
export function buildGo(source, target, modules = 'readonly') {
  mkdirSync(dirname(target), { recursive: true });
  const scratch = mkdtempSync(join(dirname(target), 'making-'));
  try {
    const binary = join(scratch, 'binary');
    runGo(source, 'build', `-mod=${modules}`, '-trimpath', '-ldflags=-s -w', '-o', binary, '.');
    renameSync(binary, target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
