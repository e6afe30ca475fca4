// `npm run bench:paging`: what sizes of pages take, over match rates and layouts, on a real etcd 3.7.
// Prints tables, whatever was measured; fails when two ways did not give the same. `--help` lists the options.
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from '../../../setup.mjs';
import { findEtcd } from '../../etcd/binaries.mjs';
import { getEtcds } from '../../etcd/get.mjs';

ensureInstalled();
// Only now is it certain that the packages are there.
const { bundle } = await import('../bundle.mjs');

async function main() {
  const bench = await bundle('test/bench/paging/main.ts', 'bench-paging');
  const { runPagingBench, parseOptions } = (await import(pathToFileURL(bench).href)).default;
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) return;
  if (findEtcd('3.7') === undefined) getEtcds();
  process.exitCode = await runPagingBench(options);
}

try {
  await main();
} catch (error) {
  console.error(`bench: failed: ${error.message}`);
  process.exitCode = 1;
}
