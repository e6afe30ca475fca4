// Where npm's yaml-language-server, its Node.js and its Kubernetes schema lie. `make.mjs` puts them there.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedModules } from '../corpus/modules.mjs';
import { cacheDir } from '../etcd/binaries.mjs';

const source = import.meta.dirname;

const hashOf = (...files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(source, file)));
  return hash.digest('hex').slice(0, 12);
};

const lock = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8'));
export const nodePackage = `node-${process.platform}-${process.arch}`;
const versionOf = (name) => lock.packages[`node_modules/${name}`]?.version;

export const kubernetes = pinnedModules().find(({ path }) => path === 'k8s.io/kubernetes');
export const yamlServerVersion = versionOf('yaml-language-server');
/** Undefined where no Node.js is pinned for this machine. */
export const nodeVersion = versionOf(nodePackage);

/** The folder that holds what package-lock.json pins. */
export const yamlServerDir = () =>
  join(cacheDir(), 'yaml-language-server', `${yamlServerVersion}-${hashOf('package-lock.json')}`);

/** The folder of the schema that `schema.mjs` makes. */
export const schemasDir = () =>
  join(cacheDir(), 'kubernetes-schema', `${kubernetes.version}-${hashOf('schema.mjs')}`);

/** Undefined when some of it is not there. */
export function findYamlServer() {
  const modules = join(yamlServerDir(), 'node_modules');
  const found = {
    node: join(modules, nodePackage, 'bin', 'node'),
    entry: join(modules, 'yaml-language-server', 'bin', 'yaml-language-server'),
    schemas: schemasDir(),
  };
  return Object.values(found).every((path) => existsSync(path)) ? found : undefined;
}
