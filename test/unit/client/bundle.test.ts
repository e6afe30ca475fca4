import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

/** What goes into a bundle, as `esbuild.mjs` makes it. */
async function inputsOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}

const transport = (path: string): boolean =>
  /^node_modules\/(?:@grpc|etcd3)\/|^server\/(?!protocol\/)/.test(path);

it('the extension host loads neither gRPC nor anything of the engine', async () => {
  const inputs = await inputsOf('client/extension.ts');
  expect(inputs).toContain('client/lsp/languageServer.ts');
  expect(inputs.filter(transport)).toEqual([]);
  expect((await inputsOf('server/main.ts')).some(transport)).toBe(true);
});
