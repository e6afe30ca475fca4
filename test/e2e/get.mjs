// Makes the VS Codes that the end-to-end tests run in, and what runs beside the extension there, and names
// what it cannot make.
// With REQUIRE_ALL=1 a missing one is an error.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm } from '../support/npm.mjs';
import { findYamlServer } from '../yamlServer/find.mjs';
import { makeYamlServer, yamlServerName } from '../yamlServer/make.mjs';
import {
  codeServerDir,
  findChromium,
  findCodeServer,
  nodePackage,
  onPath,
  releaseOf,
  vscodeVersions,
} from './codeServers.mjs';

const hasLibrary = (name) =>
  spawnSync('pkg-config', ['--exists', name], { stdio: 'ignore' }).status === 0;

/** What native modules of VS Code are compiled with, by Debian's names. */
const buildNeeds = [
  ['g++', () => onPath('g++', 'c++')],
  ['make', () => onPath('make')],
  ['python3', () => onPath('python3')],
  ['pkg-config', () => onPath('pkg-config')],
  ['libkrb5-dev', () => hasLibrary('krb5-gssapi')],
  ['libsecret-1-dev', () => hasLibrary('libsecret-1')],
];
const browserNeeds = [['chromium', findChromium]];

const absent = (needs) => needs.filter(([, found]) => !found()).map(([name]) => name);

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: 'ignore', env }).status === 0;
}

/** Installs what is absent where that is possible, and throws with the names of what stays absent. */
function ensure(needs) {
  const wanted = absent(needs);
  if (wanted.length === 0) return;
  if (process.getuid?.() === 0 && onPath('apt-get')) {
    console.log(`installing ${wanted.join(', ')}`);
    const install = () => apt('install', '-y', '--no-install-recommends', ...wanted);
    if (!install() && apt('update')) install();
  }
  const left = absent(needs);
  if (left.length > 0) throw new Error(`not installed: ${left.join(', ')} (Debian's names)`);
}

const install = ['install', '--save-exact'];

/** The native parts are compiled only when ripgrep is in its place, which would be fetched then. */
function installAround(ripgrep, spec, where) {
  const vscode = join(where.dir, 'node_modules', 'code-server', 'lib', 'vscode');
  const without = { ...where, env: { ...where.env, npm_config_ignore_scripts: 'true' } };
  npm([...install, spec, `@vscode/ripgrep-universal@${ripgrep}`], without);
  npm(['install', '--omit=dev', '--legacy-peer-deps'], { ...without, dir: vscode });
  const binaries = join(where.dir, 'node_modules', '@vscode', 'ripgrep-universal', 'bin');
  const target = join(vscode, 'node_modules', '@vscode', 'ripgrep', 'bin');
  cpSync(join(binaries, `${process.platform}-${process.arch}`), target, { recursive: true });
  npm(['rebuild'], { ...where, dir: vscode });
  npm(['rebuild'], where);
}

function build(version) {
  if (process.platform !== 'linux') throw new Error('these tests run on Linux only');
  ensure(buildNeeds);
  const { codeServer, node, ripgrep } = releaseOf(version);
  console.log(`VS Code ${version}: building code-server ${codeServer}, minutes the first time`);
  const target = codeServerDir(version);
  mkdirSync(dirname(target), { recursive: true });
  const scratch = mkdtempSync(join(dirname(target), 'making-'));
  const log = `${target}.log`;
  writeFileSync(log, '');
  try {
    writeFileSync(join(scratch, 'package.json'), '{ "private": true }\n');
    npm([...install, `${nodePackage}@${node}`], { dir: scratch, log });
    const ownNode = join(scratch, 'node_modules', nodePackage);
    const env = {
      PATH: [join(ownNode, 'bin'), process.env.PATH].join(delimiter),
      npm_config_nodedir: ownNode,
    };
    const where = { dir: scratch, log, env };
    if (ripgrep) installAround(ripgrep, `code-server@${codeServer}`, where);
    else npm([...install, `code-server@${codeServer}`], where);
    rmSync(target, { recursive: true, force: true });
    renameSync(scratch, target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (!findCodeServer(version)) throw new Error(`${target} is not complete, see ${log}`);
}

function attempt(name, action) {
  const start = performance.now();
  try {
    console.log(`${name}: ${action()}`);
    return true;
  } catch (error) {
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${name}: missing after ${seconds} s, its tests are skipped: ${error.message}`);
    return false;
  }
}

/** Makes what is missing, prints one line each, and returns the names of what is still missing. */
export function getCodeServers() {
  const browser = attempt('Chromium', () => {
    ensure(browserNeeds);
    return findChromium();
  });
  const missing = vscodeVersions.filter(
    (version) =>
      !attempt(`VS Code ${version}`, () => {
        if (!findCodeServer(version)) build(version);
        return codeServerDir(version);
      }),
  );
  const neighbour = attempt(yamlServerName, () => {
    if (!findYamlServer()) makeYamlServer();
    return findYamlServer().entry;
  });
  return [
    ...(browser ? [] : ['Chromium']),
    ...missing.map((version) => `VS Code ${version}`),
    ...(neighbour ? [] : [yamlServerName]),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const missing = getCodeServers();
  if (missing.length > 0 && process.env.REQUIRE_ALL === '1') {
    console.error(`REQUIRE_ALL=1, and these are missing: ${missing.join(', ')}`);
    process.exitCode = 1;
  }
}
