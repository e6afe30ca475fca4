// Puts npm's yaml-language-server, the Node.js it needs, and a Kubernetes schema into the cache.
// Nothing of them is committed.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getModules } from '../corpus/modules.mjs';
import { npm } from '../support/npm.mjs';
import {
  findYamlServer,
  kubernetes,
  nodePackage,
  nodeVersion,
  schemasDir,
  yamlServerDir,
  yamlServerVersion,
} from './find.mjs';
import { schemaFiles } from './schema.mjs';

export const yamlServerName = `yaml-language-server ${yamlServerVersion}`;

/** What `fill` puts into a folder beside it appears there whole, or not at all; what is there stays. */
function makeFolder(target, fill) {
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  const scratch = mkdtempSync(join(dirname(target), 'making-'));
  try {
    fill(scratch);
    renameSync(scratch, target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function install(dir) {
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(import.meta.dirname, file), join(dir, file));
  }
  const log = `${yamlServerDir()}.log`;
  writeFileSync(log, '');
  npm(['ci', '--ignore-scripts'], { dir, log });
}

function writeSchema(dir) {
  const [{ folder, why }] = getModules([kubernetes]);
  if (folder === undefined) throw new Error(`${kubernetes.path} ${kubernetes.version}: ${why}`);
  const swagger = readFileSync(join(folder, 'api', 'openapi-spec', 'swagger.json'), 'utf8');
  for (const [name, schema] of Object.entries(schemaFiles(JSON.parse(swagger)))) {
    writeFileSync(join(dir, name), JSON.stringify(schema));
  }
}

/** Throws with what is missing. */
export function makeYamlServer() {
  if (nodeVersion === undefined) throw new Error(`no ${nodePackage} is pinned`);
  makeFolder(schemasDir(), writeSchema);
  makeFolder(yamlServerDir(), install);
  if (!findYamlServer()) throw new Error(`${yamlServerDir()} is not complete`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!findYamlServer()) makeYamlServer();
  console.log(`${yamlServerName}: ${findYamlServer().entry}`);
}
