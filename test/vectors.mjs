// Bundles the vector runner and runs it. `VECTORS_DIR` names another folder of vectors.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dir = resolve(process.env.VECTORS_DIR ?? resolve(root, 'test/vectors'));
const outfile = resolve(root, 'build/vectors/main.cjs');

await build({
  absWorkingDir: root,
  entryPoints: ['test/vectors/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const run = spawnSync(process.execPath, ['--enable-source-maps', outfile], {
  cwd: root,
  env: { ...process.env, VECTORS_DIR: dir },
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
