// Where the oracle lies, and how it is made: our Go program on Kubernetes' own modules.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../etcd/binaries.mjs';
import { buildGo, goMissing } from './build.mjs';

export { goMissing };

const source = import.meta.dirname;

function sourceHash() {
  const hash = createHash('sha256');
  const files = readdirSync(source).filter((name) => /\.(go|mod|sum)$/.test(name));
  for (const name of files.sort()) hash.update(name).update(readFileSync(join(source, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Where the binary of these very sources lies, or would lie once made. */
export function oraclePath() {
  const exe = process.platform === 'win32' ? 'oracle.exe' : 'oracle';
  return join(cacheDir(), 'oracle', sourceHash(), exe);
}

/** The release of a module that the sources pin, such as `v0.37.2`. */
export function pinnedModule(path) {
  const mod = readFileSync(join(source, 'go.mod'), 'utf8');
  return new RegExp(`^\\s*${path.replaceAll('.', '\\.')} (v\\S+)$`, 'm').exec(mod)?.[1];
}

const modules = [
  'k8s.io/apiserver',
  'k8s.io/apimachinery',
  'k8s.io/api',
  'go.etcd.io/etcd/client/v3',
];

/** Throws unless an oracle that names these `path version` was built with what the sources pin. */
export function requirePinned(versions) {
  for (const path of modules) {
    const wanted = `${path} ${String(pinnedModule(path))}`;
    if (!versions.includes(wanted)) {
      throw new Error(`the oracle is not on ${wanted}: ${versions.join(', ') || 'it names none'}`);
    }
  }
}

/** The binary, or undefined when it was never made. */
export function findOracle() {
  const path = oraclePath();
  return existsSync(path) ? path : undefined;
}

/**
 * Makes the oracle where it is missing and says so. Returns undefined, having named the reason,
 * where it cannot be made; under REQUIRE_ALL=1 that is an error.
 */
export function getOracle() {
  const found = findOracle();
  if (found !== undefined) return found;
  try {
    if (goMissing()) throw new Error('go is not installed');
    console.error('oracle: building it with Go, minutes the first time');
    buildGo(source, oraclePath());
    return oraclePath();
  } catch (error) {
    const text = `oracle: there is none, and what needs it is left out: ${error.message}`;
    if (process.env.REQUIRE_ALL === '1')
      throw new Error(`there is no oracle: ${error.message}`, { cause: error });
    console.log(text);
    return undefined;
  }
}
