// `npm run bench`: measures the engine beside upstream's store, etcdctl, etcd3 and the floor that
// network and etcd set. Prints tables, whatever was measured; fails when sides disagree. `--help` lists the options.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ensureInstalled, root } from '../../setup.mjs';
import { findEtcd } from '../etcd/binaries.mjs';
import { getEtcds } from '../etcd/get.mjs';
import { getOracle } from '../oracle/binary.mjs';
import { getEtcdctl } from './etcdctl.mjs';

const out = join(root, 'build', 'bench');

/** A bundle is one file: what asks where its module lies is told where it lay. */
const dirnames = {
  name: 'dirnames',
  setup({ onLoad }) {
    onLoad({ filter: /(etcdServer\.ts|binaries\.mjs|binary\.mjs)$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.dirname',
        JSON.stringify(dirname(path)),
      ),
      loader: path.endsWith('.ts') ? 'ts' : 'js',
    }));
  },
};

/** Built as what ships is built, so that what is measured is what ships. */
async function bundle(name) {
  const outfile = join(out, 'dist', `${name}.cjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [dirnames],
  });
  return outfile;
}

async function main() {
  ensureInstalled();
  mkdirSync(out, { recursive: true });
  cpSync(join(root, 'node_modules/etcd3/proto'), join(out, 'proto'), { recursive: true });
  const [bench, side] = await Promise.all([bundle('main'), bundle('side')]);
  const { runBench, parseOptions } = (await import(pathToFileURL(bench).href)).default;
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) return;
  if (findEtcd('3.7') === undefined) getEtcds();
  process.exitCode = await runBench(options, {
    side,
    root,
    oracle: process.env.BENCH_ORACLE || getOracle(),
    etcdctl: getEtcdctl(),
  });
}

try {
  await main();
} catch (error) {
  console.error(`bench: failed: ${error.message}`);
  process.exitCode = 1;
}
