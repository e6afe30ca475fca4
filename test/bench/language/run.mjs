// `npm run bench:language`: what the language side takes beside the `yaml` package and beside npm's
// yaml-language-server. Prints tables, whatever was measured. `--help` lists the options.
import { cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from '../../../setup.mjs';
import { findYamlServer, kubernetes, nodeVersion } from '../../yamlServer/find.mjs';
import { makeYamlServer, yamlServerName } from '../../yamlServer/make.mjs';

ensureInstalled();
// Only now is it certain that the package is there.
const { build } = await import('esbuild');

const out = join(root, 'build', 'bench-language');

/** Built as what ships is built, so that what is measured is what ships. */
async function bundle(entry, to) {
  const outfile = join(out, 'dist', to);
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: true,
    logLevel: 'warning',
  });
  return outfile;
}

async function bundles() {
  const own = 'test/bench/language';
  mkdirSync(join(out, 'dist'), { recursive: true });
  cpSync(join(root, 'node_modules/etcd3/proto'), join(out, 'dist/proto'), { recursive: true });
  cpSync(join(root, 'package.json'), join(out, 'package.json'));
  const [bench, side, main] = await Promise.all([
    bundle(`${own}/main.ts`, 'bench/main.cjs'),
    bundle(`${own}/side.ts`, 'bench/side.cjs'),
    bundle('server/main.ts', 'server/main.js'),
    bundle('server/analyst/main.ts', 'server/analyst.js'),
    bundle('server/demo/main.ts', 'demo/main.js'),
  ]);
  return { bench, side, main };
}

/** Undefined, and said, where it cannot be had. */
function theirServer() {
  try {
    if (!findYamlServer()) {
      console.error(`bench: getting ${yamlServerName}`);
      makeYamlServer();
    }
    return findYamlServer();
  } catch (error) {
    console.error(`bench: ${yamlServerName} is missing: ${error.message}`);
    return undefined;
  }
}

async function main() {
  const { bench, side, main: server } = await bundles();
  const { runLanguageBench, parseOptions } = (await import(pathToFileURL(bench).href)).default;
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) return;
  const theirs = theirServer();
  const { version } = createRequire(import.meta.url)('yaml/package.json');
  const versions = [`yaml ${version}`];
  if (theirs) {
    const schema = `the schema of Kubernetes ${kubernetes.version}`;
    versions.push(`${yamlServerName} with ${schema}`, `both servers on Node.js ${nodeVersion}`);
  }
  const servers = theirs && { main: server, theirs };
  process.exitCode = await runLanguageBench(options, { side, servers, versions });
}

try {
  await main();
} catch (error) {
  console.error(`bench: failed: ${error.message}`);
  process.exitCode = 1;
}
