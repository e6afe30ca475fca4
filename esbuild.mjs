// Bundles what ships. `etcd3` reads its proto files from `../proto/` beside its code, hence
// every bundle that holds it lies one level below `dist/`.
import { cp, rm } from 'node:fs/promises';
import { context } from 'esbuild';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');
const quiet = process.argv.includes('--quiet');

/** VS Code 1.93, the oldest supported, runs Node 20.15. */
const node = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: !production,
  minify: production,
  logLevel: quiet ? 'warning' : 'info',
};

const bundles = [
  {
    ...node,
    entryPoints: ['client/extension.ts'],
    outfile: 'dist/client/extension.js',
    external: ['vscode'],
  },
  { ...node, entryPoints: ['server/main.ts'], outfile: 'dist/server/main.js' },
  { ...node, entryPoints: ['server/analyst/main.ts'], outfile: 'dist/server/analyst.js' },
  { ...node, entryPoints: ['server/demo/main.ts'], outfile: 'dist/demo/main.js' },
  {
    ...node,
    entryPoints: ['server/cli/main.ts'],
    outfile: 'dist/cli/main.js',
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    bundle: true,
    entryPoints: ['webview/main.ts', 'webview/style.css'],
    outdir: 'dist/webview',
    platform: 'browser',
    // VS Code 1.93's own browser.
    target: 'chrome124',
    format: 'iife',
    sourcemap: !production,
    minify: production,
    logLevel: quiet ? 'warning' : 'info',
  },
];

// What is packaged holds nothing of an earlier build.
if (production) await rm('dist', { recursive: true, force: true });
await cp('node_modules/etcd3/proto', 'dist/proto', { recursive: true });
for (const options of bundles) {
  const build = await context(options);
  if (watch) await build.watch();
  else {
    await build.rebuild();
    await build.dispose();
  }
}
