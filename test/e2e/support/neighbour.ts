/** The extension of tests that stands for the YAML extension of Red Hat, packaged. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { findYamlServer } from '../../yamlServer/find.mjs';

const root = resolve(import.meta.dirname, '../../..');
const source = join(root, 'test/e2e/neighbour');

/** Resolves with the file that VS Code can install. */
export async function packNeighbour(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'etcd-list-neighbour-'));
  try {
    await build({
      entryPoints: [join(source, 'extension.ts')],
      outfile: join(dir, 'extension.js'),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      external: ['vscode'],
      logLevel: 'warning',
    });
    copyFileSync(join(source, 'package.json'), join(dir, 'package.json'));
    writeFileSync(join(dir, 'server.json'), JSON.stringify(findYamlServer()));
    writeFileSync(join(dir, 'README.md'), 'For tests only.\n');
    return packed(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function packed(dir: string): string {
  const out = join(root, 'build/e2e');
  mkdirSync(out, { recursive: true });
  const file = join(out, 'neighbour.vsix');
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  const plain = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  const args = [vsce, 'package', ...plain, '--out', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: dir,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the neighbour was not packaged: ${stdout}${stderr}`);
  return file;
}
