// What every entry point needs first: the right Node.js, and the packages of the lock file.
// It must itself run on any Node.js, to say that another one is needed.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(fileURLToPath(import.meta.url));

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`etcd LIST Explorer needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether node_modules holds the versions of package-lock.json, by npm's own record of it. */
function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json');
  if (!installed) return false;
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' || optional || devOptional || installed[path]?.version === version,
  );
}

/** Leaves the process with a sentence when this fails. */
export function ensureInstalled() {
  checkNode();
  if (isInstalled()) return;
  console.log('Installing the packages of package-lock.json (npm ci)');
  const cli = process.env.npm_execpath;
  const args = ['ci', '--include=dev'];
  const own = cli?.endsWith('npm-cli.js');
  const { status } = own
    ? spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status === 0) return;
  console.error('npm ci failed; its message stands above.');
  process.exit(1);
}

/** Runs a Node.js program in the foreground; resolves with its exit code. */
export function runNode(...args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  // A terminal sends Ctrl-C to the child as well: passed on, it would arrive twice.
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  process.on('SIGINT', () => terminal || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) ensureInstalled();
