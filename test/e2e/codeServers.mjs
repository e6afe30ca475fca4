// Which VS Code the tests run in, and where it and the browser lie. `get.mjs` puts them there.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir } from '../etcd/binaries.mjs';

/**
 * code-server is VS Code that a browser can drive. Each release runs on one Node.js only, which is
 * installed beside it, so that the Node.js of the tests does not matter. `ripgrep` is for a release
 * whose own would be downloaded from outside the package registry: the one that takes its place.
 */
const releases = {
  1.139: { codeServer: '4.139.1', node: '24.21.0' },
  // The oldest that package.json supports.
  1.93: { codeServer: '4.93.1', node: '20.20.2', ripgrep: '1.18.0' },
};

export const vscodeVersions = ['1.139', '1.93'];

export function releaseOf(version) {
  return releases[version];
}

export const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The folder that `get.mjs` fills for this version. */
export function codeServerDir(version) {
  const { codeServer, node } = releaseOf(version);
  return join(cacheDir(), 'code-server', `${codeServer}-node${node}`);
}

/** What starts this VS Code; undefined when it is not built. */
export function findCodeServer(version) {
  const modules = join(codeServerDir(version), 'node_modules');
  const found = {
    node: join(modules, nodePackage, 'bin', 'node'),
    entry: join(modules, 'code-server', 'out', 'node', 'entry.js'),
  };
  return existsSync(found.node) && existsSync(found.entry) ? found : undefined;
}

export function onPath(...names) {
  const dirs = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => dirs.map((dir) => join(dir, name)))
    .find((file) => existsSync(file));
}

/** The browser: the one that `CHROMIUM_BIN` names, or one on PATH. */
export function findChromium() {
  const named = process.env.CHROMIUM_BIN;
  if (named) return existsSync(named) ? named : undefined;
  return onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
}
