/** Query files: colours and lenses, runs in the panel and beside, all in order, explained, copies. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode, vscodeVersions } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { pageSays, pageText } from './support/parts';
import type { Workbench } from './support/workbench';

const queries = `# @name first
list pods -l app=nginx --limit=3

### The next three
list pods -l app=nginx --limit=3 --continue {{first.continue}}

### Nodes
kubectl get nodes
`;

const failing = `list pods --limit=3
###
list widgets.example.org --limit=3
###
list nodes
`;

const yaml = `resource: nodes
limit: 2
---
resource: pods
limit: 4
`;

const files = {
  'pods.etcdlist': queries,
  'fails.etcdlist': failing,
  'pods.etcdlist.yaml': yaml,
};
const settings = { 'etcdList.demoPods': 2000 };
const slow = { timeout: 60_000 };
const receipt =
  /^[\d,]+ fetched → [\d,]+ evaluated → 3 returned · \d+ round trips? · [\d.]+ m?s · \d\d:\d\d$/;

/** Lenses of the file that is in front, one text a line above a query. */
async function lensLines(code: Workbench): Promise<string[]> {
  const lines = await code.page.locator('.codelens-decoration').allInnerTexts();
  return lines.map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

/** Clicks a lens of the first query that has it. */
async function lens(code: Workbench, title: string): Promise<void> {
  const link = code.page
    .locator('.codelens-decoration a')
    .filter({ hasText: new RegExp(`^${title}$`) })
    .first();
  await link.click(slow);
}

async function cursorAt(code: Workbench, line: number): Promise<void> {
  await code.palette('View: Focus First Editor Group');
  await code.page.keyboard.press('Control+G');
  await code.answer(`:${line}`);
}

const explanationSays = (code: Workbench, text: RegExp): Promise<string> =>
  pageSays(code, 'explained.txt', text);

const resultsSay = (code: Workbench, text: RegExp): Promise<string> =>
  pageSays(code, 'results.txt', text);

describeVSCode(vscodeVersions, { name: 'query files', files, settings }, (workbench) => {
  it('have lenses above their queries, and offer to connect before one runs', async () => {
    const code = workbench();
    await code.openFile('pods.etcdlist');
    const first =
      'Run | Run beside | Run to the end | Explain | Compare ways | Copy as kubectl | Copy as etcdctl | Run all 3';
    await waitFor(async () => (await lensLines(code))[0] === first, {
      timeoutMs: 60_000,
      what: 'the lenses',
    });
    await code.screenshot('lenses');
    await lens(code, 'Run');
    const offer = await code.notification(/Not connected, so nothing was listed/);
    await code.statusBarItem(/^etcd: not connected$/).waitFor();
    await offer.getByRole('button', { name: 'Connect…' }).click();
    await code.choose(/Demo cluster/);
    const panel = await ListPanel.find(code);
    await panel.totalsSay(/ → 3 returned /);
    expect(await panel.askedText()).toBe('pods -l app=nginx limit 3 · demo');
  });

  it('have the last receipt below the query, from which the next one goes on', async () => {
    const code = workbench();
    await waitFor(async () => (await lensLines(code)).some((line) => receipt.test(line)), {
      timeoutMs: 60_000,
      what: 'the receipt',
    });
    await cursorAt(code, 5);
    const panel = await ListPanel.find(code);
    await panel.untilEnded(async () => {
      await code.page.keyboard.press('Control+Enter');
    });
    expect(await panel.askedText()).toBe('pods -l app=nginx limit 3 from a token · demo');
    await panel.footerSays(/^3 rows/);
    await code.screenshot('continued');
  });

  it('run all in order, with results beside', async () => {
    const code = workbench();
    await cursorAt(code, 1);
    await code.palette('etcd LIST: Run all queries of the file');
    const found = await resultsSay(code, /^### Nodes · nodes limit 500 to the end/m);
    expect(found).toMatch(/^### first · pods -l app=nginx limit 3 · demo$/m);
    expect(found).toMatch(/^### The next three · pods -l app=nginx limit 3 · demo$/m);
    expect(found).toMatch(/^3 rows · more follow$/m);
    await code.screenshot('results');
  });

  it('stop at the first that fails, and say why at it', async () => {
    const code = workbench();
    await code.palette('View: Focus First Editor Group');
    await code.openFile('fails.etcdlist');
    await code.palette('etcd LIST: Run all queries of the file');
    const marked = code.page.locator('.editor-instance .squiggly-error').first();
    await marked.waitFor(slow);
    await waitFor(async () => (await lensLines(code)).some((line) => line.includes('Failed: ')), {
      timeoutMs: 60_000,
      what: 'the failure below the query',
    });
    const found = await pageText(code, 'results.txt');
    expect(found).not.toContain('### Query 3');
    await code.screenshot('failed');
  });

  it('are run as YAML documents too', async () => {
    const code = workbench();
    await code.palette('View: Focus First Editor Group');
    await code.openFile('pods.etcdlist.yaml');
    await waitFor(async () => (await lensLines(code)).some((line) => line.startsWith('Run | ')), {
      timeoutMs: 60_000,
      what: 'the lenses',
    });
    await cursorAt(code, 5);
    await code.palette('etcd LIST: Run query with results beside');
    const found = await resultsSay(code, /^4 rows · [\d,]+ more follow$/m);
    expect(found).toMatch(/^### Query 2 · pods limit 4 · demo$/m);
  });

  it('are copied for other tools', async () => {
    const code = workbench();
    await code.palette('View: Focus First Editor Group');
    await code.openFile('pods.etcdlist');
    await lens(code, 'Copy as etcdctl');
    const copied = () => code.page.evaluate(() => navigator.clipboard.readText());
    await waitFor(async () => (await copied()).startsWith('etcdctl get --prefix'), {
      what: 'the copy',
    });
    await cursorAt(code, 8);
    await code.palette('etcd LIST: Copy query as…');
    await code.quickInput.getByText('etcd LIST: Copy query as', { exact: true }).waitFor();
    await code.choose(/^kubectl/);
    await waitFor(async () => (await copied()).startsWith('kubectl get nodes'), {
      what: 'the other copy',
    });
    expect(code.panelErrors).toEqual([]);
  });
});

describeVSCode([newestVSCode], { name: 'Explain', files }, (workbench) => {
  it('tells beside the query which way it would be served, without a connection', async () => {
    const code = workbench();
    await code.openFile('pods.etcdlist');
    await lens(code, 'Explain');
    const found = await explanationSays(
      code,
      /^LIST\s+pods\s+in\s+all\s+namespaces,\s+labels\s+app=nginx,\s/m,
    );
    expect(found).toMatch(/^\s*C4\s+No\s+resourceVersion/m);
    // The editor wraps its lines.
    const words = found.replaceAll(/\s+/g, ' ');
    expect(words).toContain('Most likely: From the watch cache, at most 3 objects');
    expect(words).toContain('No resourceVersion: a consistent read');
    await code.statusBarItem(/^etcd: not connected$/).waitFor();
    await code.screenshot('explained');
    // The document has the focus: it scrolls by the keyboard alone.
    await code.page.keyboard.press('Control+End');
    await explanationSays(code, /limit\s+and\s+token\s+mean\s+nothing/);
  });

  it('of the query at the cursor, by the palette', async () => {
    const code = workbench();
    await cursorAt(code, 8);
    await code.palette('etcd LIST: Explain query at cursor');
    await explanationSays(code, /^LIST nodes, limit 500$/m);
    expect(code.panelErrors).toEqual([]);
  });
});

const untrusted = { name: 'query files in an untrusted folder', trusted: false, files };
describeVSCode([newestVSCode], untrusted, (workbench) => {
  it('say why nothing runs', async () => {
    const code = workbench();
    await code.openFile('pods.etcdlist');
    await lens(code, 'Run');
    await code.notification(/This workspace is not trusted, so the network stays off/);
    expect(code.server.processes('/dist/demo/main.js')).toEqual([]);
    await lens(code, 'Explain');
    await explanationSays(code, /^Steps of Kubernetes /m);
  });
});
