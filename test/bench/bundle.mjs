// Bundles of the benches, built as what ships is built, so that what is measured is what ships.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../setup.mjs';

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

/** The path of the bundle, in a folder laid out as the package is. */
export async function bundle(entry, folder) {
  const out = join(root, 'build', folder);
  mkdirSync(out, { recursive: true });
  cpSync(join(root, 'node_modules/etcd3/proto'), join(out, 'proto'), { recursive: true });
  const name = entry.replace(/^.*\/|\.ts$/g, '');
  const outfile = join(out, 'dist', `${name}.cjs`);
  await build({
    entryPoints: [join(root, entry)],
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
