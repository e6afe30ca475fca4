// `npm start`: installs and builds what is missing, then runs etcd-list: with the arguments given,
// or, without any, one LIST against the demo etcd.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from './setup.mjs';

const cli = join(root, 'dist', 'cli', 'main.js');
const demo = ['demo', '--pods', '20000', '--', 'get', 'pods', '-l', 'app=nginx', '--limit=100'];

const next = `
What to try next
  another selector      npm start -- demo -- get pods -l 'tier in (batch,cache),app!=nginx' --limit=100
  the next pages        npm start -- demo -- get pods -l app=nginx --limit=100 --follow
  your own etcd         npm start -- get pods --endpoints 127.0.0.1:2379 --limit=100
  every option          npm start -- --help
  inside VS Code        npm run package, then code --install-extension etcd-list-explorer-*.vsix
`;

const changedAt = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isBuilt() {
  const built = statSync(cli, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['client', 'server', 'webview'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
  );
  return ['esbuild.mjs', 'package-lock.json', ...sources].every((file) => changedAt(file) < built);
}

ensureInstalled();
if (!isBuilt()) {
  console.log('Building (node esbuild.mjs)');
  const code = await runNode('esbuild.mjs', '--quiet');
  if (code !== 0) process.exit(code);
}
const args = process.argv.slice(2);
process.exitCode = await runNode(cli, ...(args.length > 0 ? args : demo));
if (args.length === 0 && process.exitCode === 0) console.log(next);
