// `npm run test:corpus`: finds no error in what others wrote that is none. Downloads the modules that
// `go.mod` names into Go's module cache, looks at each of their YAML files as `etcd-list lint` does,
// and prints a table. It fails when a report is not explained in `explained.json`, and when one that
// is explained there did not come; and when the definition of a kind in the table of kinds has a selector
// that the table lacks. A module that cannot be had is named and skipped; with
// REQUIRE_ALL=1 that is an error.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from '../../setup.mjs';
import { getModules } from './modules.mjs';

ensureInstalled();
// Only now is it certain that the package is there.
const { build } = await import('esbuild');

/** Built as what ships is built. */
async function bundle() {
  const outfile = join(root, 'build', 'corpus', 'main.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
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

const modules = getModules();
const missing = modules.filter(({ folder }) => folder === undefined);
for (const { path, version, why } of missing) console.log(`${path} ${version}: skipped: ${why}`);
if (missing.length > 0 && process.env.REQUIRE_ALL === '1') {
  console.error(
    `REQUIRE_ALL=1, and these modules are missing: ${missing.map(({ path }) => path).join(', ')}`,
  );
  process.exit(1);
}
if (missing.length === modules.length) console.log('No module is there, so nothing was looked at.');
else {
  const { runCorpus } = (await import(pathToFileURL(await bundle()).href)).default;
  if (!runCorpus(modules)) process.exitCode = 1;
}
