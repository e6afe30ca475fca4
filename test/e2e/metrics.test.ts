/** Metrics: scrapes of API servers read, hovered over and set against each other; the own ones shown and served. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePorts } from '../support/etcdServer';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { clearNotifications, pageSays, saidOnce } from './support/parts';
import type { Workbench } from './support/workbench';

const scrapes = join(import.meta.dirname, '../cli/scrapes');
const scrape = (name: string) => readFileSync(join(scrapes, name));
const files = {
  'old.prom': scrape('1.33.txt'),
  'older.prom': scrape('1.37-older.txt'),
  'newer.prom': scrape('1.37.txt'),
  'cut.prom': scrape('1.37.txt').subarray(0, 2000),
  'other.prom': 'go_goroutines 12\n',
};
const slow = { timeout: 60_000 };
const settings = { 'etcdList.demoPods': 2000 };

async function read(code: Workbench, choice: RegExp): Promise<ListPanel> {
  await code.palette('etcd LIST: Read metrics…');
  await code.choose(choice);
  return await ListPanel.find(code);
}

/** A file for VS Code's own box of names. */
async function giveFile(code: Workbench, title: string, name: string): Promise<void> {
  await code.quickInput.getByText(title, { exact: true }).waitFor(slow);
  // The box begins with the folder a moment after it is there, over what was typed meanwhile.
  await waitFor(
    async () => {
      await code.quickBox.fill(join(code.server.folder, name));
      await code.quickBox.press('Enter');
      const box = code.quickInput.getByText(title, { exact: true });
      await box.waitFor({ timeout: 5000, state: 'hidden' });
      return true;
    },
    { timeoutMs: 60_000, what: `${title}: ${name}` },
  );
}

async function lines(panel: ListPanel, table: RegExp): Promise<string[]> {
  const rows = panel.frame.getByRole('table', { name: table }).getByRole('row');
  await rows.nth(1).waitFor(slow);
  return await rows.evaluateAll((elements) =>
    elements.map((row) => Array.from(row.children, ({ textContent }) => textContent).join(' | ')),
  );
}

async function tells(panel: ListPanel, text: string | RegExp): Promise<void> {
  await panel.tab('Metrics').and(panel.frame.locator('[aria-selected=true]')).waitFor(slow);
  await panel.region('Metrics').getByText(text).first().waitFor(slow);
}

describeVSCode([newestVSCode], { name: 'metrics', files, settings }, (workbench) => {
  it('say what a number means on its line', async () => {
    const code = workbench();
    await code.openFile('newer.prom');
    const hover = await code.hoverOver(
      'apiserver_storage_list_evaluated_objects_total{group="",resource="pods",storage="etcd"}',
      /decoded/,
    );
    expect(await hover.innerText()).toMatch(/594,?060/);
    await code.screenshot('hover');
  });

  it('of the active editor are read into the tab Metrics, without a connection', async () => {
    const code = workbench();
    await code.openFile('old.prom');
    const panel = await read(code, /old\.prom/);
    await tells(panel, '1 API server: old.prom (v1.33.1)');
    const etcd = await lines(panel, /^Lists from etcd/);
    expect(etcd[0]).toMatch(
      /^Resource \| Lists \| Fetched \| Tested \| Returned \| Fetched:returned \| /,
    );
    expect(etcd).toContainEqual(
      expect.stringMatching(/^pods \| 240 \| 3,048,000 \| .* \| selector death spiral$/),
    );
    expect(await lines(panel, /^Lists from the watch cache/)).toContainEqual(
      expect.stringMatching(/^\/pods \| 5,000 \| .* \| passes lists on to etcd$/),
    );
    await code.screenshot('1.33');
    await code.theme('light');
    await code.screenshot('1.33 light');
    await code.theme('dark');
    await panel.frame.getByRole('table', { name: /watch cache/ }).scrollIntoViewIfNeeded();
    await code.screenshot('1.33 watch cache');
    await panel.button('Open as text').click();
    await pageSays(code, 'lists.txt', /selector death spiral/);
    await code.screenshot('as text');
  });

  it('of two scrapes tell what came in between', async () => {
    const code = workbench();
    const panel = await read(code, /Two scrapes/);
    await giveFile(code, 'etcd LIST: Older scrape', 'older.prom');
    await giveFile(code, 'etcd LIST: Newer scrape', 'newer.prom');
    await tells(panel, 'Counted in 60.0 s between the two scrapes');
    expect(await lines(panel, /^Lists from etcd/)).toContainEqual(
      expect.stringMatching(/^pods \| 40 \| 0\.667 \| 508,000 \| .* \| selector death spiral$/),
    );
    await code.screenshot('two scrapes');
  });

  it('that are cut are read as far as they go, and those of another program are none', async () => {
    const code = workbench();
    await code.openFile('cut.prom');
    const panel = await read(code, /cut\.prom/);
    await tells(panel, /cut\.prom/);
    await tells(
      panel,
      /this line is left out: it ends within its labels: the text ends in the middle of it/,
    );
    await code.screenshot('cut');
    await code.openFile('other.prom');
    await code.palette('etcd LIST: Read metrics…');
    await code.choose(/other\.prom/);
    await code.notification(/holds metrics, and none of lists of an API server/);
    await code.screenshot('other');
  });

  it('of its own are none before a list', async () => {
    const code = workbench();
    await code.palette('etcd LIST: Show metrics');
    await pageSays(code, 'metrics.txt', /^# No list has been run since the language server/m);
    await code.screenshot('own none');
  });

  it('of its own are shown as a document, and served on a port of the loopback', async () => {
    const code = workbench();
    const panel = await ListPanel.open(code);
    await panel.connect('Demo cluster');
    await panel.run({ labels: 'app=nginx', limit: '10' });
    await code.palette('etcd LIST: Show metrics');
    const line = 'resource="pods",';
    const own = await pageSays(code, 'metrics.txt', /^apiserver_storage_list_total\{/m);
    expect(own).toContain(line);
    await code.screenshot('own');
    const [port = 0] = await freePorts(1);
    code.server.changeSettings({ 'etcdList.metrics.port': port });
    const served = await waitFor(
      async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      { timeoutMs: 60_000, what: 'metrics on the port' },
    );
    expect(served).toContain('apiserver_storage_list_total{');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address() as { port: number };
    await clearNotifications(code);
    code.server.changeSettings({ 'etcdList.metrics.port': address.port });
    await saidOnce(code, /^Metrics are not served on port/);
    await code.screenshot('port taken');
    other.close();
    code.server.changeSettings({ 'etcdList.metrics.port': undefined });
    expect(code.panelErrors).toEqual([]);
  });
});
