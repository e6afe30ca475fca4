/** The package itself: what it holds, how large it is, and that its programs run from it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClient } from '../lsp/client';
import { requireOrSkip } from '../support/requireOrSkip';
import { onPath } from './codeServers.mjs';
import { vsixFile } from './support/codeServer';

const mostBytes = 2_000_000;

const shipped = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/ARCHITECTURE.md',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/client/assets/etcdlist.language-configuration.json',
  'extension/client/assets/etcdlist.query.schema.json',
  'extension/client/assets/etcdlist.snippets.json',
  'extension/client/assets/etcdlist.tmLanguage.json',
  'extension/client/assets/icon.png',
  'extension/dist/cli/main.js',
  'extension/dist/client/extension.js',
  'extension/dist/demo/main.js',
  'extension/dist/proto/auth.proto',
  'extension/dist/proto/kv.proto',
  'extension/dist/proto/rpc.proto',
  'extension/dist/server/analyst.js',
  'extension/dist/server/main.js',
  'extension/dist/webview/main.js',
  'extension/dist/webview/style.css',
  'extension/docs/bench-language.md',
  'extension/docs/bench-paging.md',
  'extension/docs/bench.md',
  'extension/docs/cli.md',
  'extension/docs/explain.md',
  'extension/docs/images/etcd-list.png',
  'extension/docs/images/growth-keys.svg',
  'extension/docs/images/growth-match-rate.svg',
  'extension/docs/images/manifest.png',
  'extension/docs/images/paging-over-fetched-100.svg',
  'extension/docs/images/paging-over-fetched-500.svg',
  'extension/docs/images/paging-requests-100.svg',
  'extension/docs/images/paging-requests-500.svg',
  'extension/docs/images/paging-time-100.svg',
  'extension/docs/images/paging-time-500.svg',
  'extension/docs/images/panel.png',
  'extension/docs/images/query-file.png',
  'extension/docs/images/token.png',
  'extension/docs/receipt.md',
  'extension/docs/rules.md',
  'extension/docs/versions.md',
  'extension/docs/vscode.md',
  'extension/package.json',
  'extension/readme.md',
];
const noUnzip = requireOrSkip('unzip', onPath('unzip'), 'the package is a zip file');

describe.skipIf(noUnzip)('the package', () => {
  let dir: string;
  const unzip = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('unzip', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'etcd-list-package-'));
    unzip('-q', vsixFile(), '-d', dir);
  });
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('holds what it needs and its documents, nothing else, in at most 2 MB', () => {
    const files = unzip('-Z1', vsixFile()).split('\n').filter(Boolean);
    expect(files.toSorted()).toEqual(shipped);
    const { size } = statSync(vsixFile());
    console.log(`the package has ${files.length} files and ${size.toLocaleString('en')} bytes`);
    expect(size).toBeLessThanOrEqual(mostBytes);
  });

  it('has documents whose links lead to what it holds, in the very letters', () => {
    const held = new Set(unzip('-Z1', vsixFile()).split('\n'));
    const documents = [...held].filter((name) => name.endsWith('.md'));
    const links = documents.flatMap((name) => {
      const text = readFileSync(join(dir, name), 'utf8');
      const targets = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => target ?? '');
      const own = targets.filter((target) => !/^[a-z]+:/.test(target));
      return own.map((target) => posix.join(posix.dirname(name), target));
    });
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !held.has(link))).toEqual([]);
  });

  it('runs its language server and its demo etcd', async () => {
    const client = await startClient(join(dir, 'extension/dist/server/main.js'));
    try {
      const status = await client.request('etcdList/connectDemo', { pods: 2000 });
      expect(status).toMatchObject({ state: 'connected', isDemo: true });
      const query = {
        resource: 'pods',
        namespace: '',
        labelSelector: '',
        fieldSelector: '',
        limit: '100',
        resourceVersion: '',
        resourceVersionMatch: '',
        continueToken: '',
        readMode: 'pages',
        skipUnreadable: false,
      } as const;
      const params = { listId: 'one', query, follow: true, confirmed: false };
      const { total, failure } = await client.request('etcdList/list', params);
      expect(failure).toBeUndefined();
      expect(total).toMatchObject({ returned: 2000, requests: 20, streamed: false });
    } finally {
      await client.stop();
    }
  });

  it('runs its command line', () => {
    const main = join(dir, 'extension/dist/cli/main.js');
    const args = ['demo', '--pods', '500', '--', 'get', 'pods', '--limit=5', '-o', 'name'];
    const { status, stdout } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(5);
  });
});
