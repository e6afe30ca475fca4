// `npm run bench`: measures the engine beside upstream's store, etcdctl, etcd3 and the floor that
// network and etcd set. Prints tables, whatever was measured; fails when sides disagree. `--help` lists the options.
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from '../../setup.mjs';
import { findEtcd } from '../etcd/binaries.mjs';
import { getEtcds } from '../etcd/get.mjs';
import { getOracle } from '../oracle/binary.mjs';
import { bundle } from './bundle.mjs';
import { getEtcdctl } from './etcdctl.mjs';

async function main() {
  ensureInstalled();
  const [bench, side] = await Promise.all([
    bundle('test/bench/main.ts', 'bench'),
    bundle('test/bench/side.ts', 'bench'),
  ]);
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
