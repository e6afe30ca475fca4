// Runs the vector runner, compiled on the fly. `VECTORS_DIR` names another folder of vectors.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.env.VECTORS_DIR = resolve(process.env.VECTORS_DIR ?? resolve(root, 'test/vectors'));
process.chdir(root);

const loader = await createServer({
  root,
  configFile: false,
  appType: 'custom',
  logLevel: 'warn',
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
});
const { main } = await loader.ssrLoadModule('/test/vectors/main.ts');
const failed = await main();
await loader.close();
// What a failed case left open must not keep the process alive.
process.stdout.write('', () => process.exit(failed > 0 ? 1 : 0));
