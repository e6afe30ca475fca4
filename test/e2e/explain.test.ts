/** The tab Explain: the decision, its cost by hand and measured, what a run made of it, other versions; in query files. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { allSaid, clearNotifications } from './support/parts';
import type { Workbench } from './support/workbench';

const files = {
  'nginx.etcdlist': 'list pods -l app=nginx --limit=100\n',
  'pods.yaml': [
    'apiVersion: v1',
    'kind: Service',
    'metadata: { name: nginx }',
    'spec:',
    '  selector: { app: nginx }',
    '',
  ].join('\n'),
};
const slow = { timeout: 60_000 };

/** What the tab says, on one line. */
async function said(panel: ListPanel): Promise<string> {
  const text = await panel.frame.getByRole('tabpanel', { name: 'Explain' }).innerText();
  return text.replaceAll(/\s+/g, ' ');
}

async function says(panel: ListPanel, text: RegExp): Promise<string> {
  return await waitFor(
    async () => {
      const found = await said(panel);
      return text.test(found) ? found : undefined;
    },
    { timeoutMs: 60_000, what: `an explanation with ${String(text)}` },
  );
}

/** The lines of a table of the tab, each from its head on; cells between bars. */
async function lines(panel: ListPanel, region: string): Promise<string[]> {
  const rows = panel.region(region).getByRole('row');
  await rows.nth(1).waitFor(slow);
  const cells = await rows.evaluateAll((elements) =>
    elements.map((row) =>
      Array.from(row.children, (cell) => (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' ')),
    ),
  );
  return cells.map((line) => line.join(' | '));
}

const given = (panel: ListPanel, name: 'keys' | 'match rate' | 'object size') =>
  panel.frame
    .getByRole('group', { name: 'What it is reckoned from' })
    .getByRole('textbox', { name, exact: true });

const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

const opened = async (code: Workbench): Promise<ListPanel> => {
  const panel = await ListPanel.open(code);
  await panel.tab('Explain').click();
  return panel;
};

/** Other settings than those that a test is about, so that its second try changes them too. */
async function asIfOf(code: Workbench, panel: ListPanel, version: string): Promise<void> {
  code.server.changeSettings({
    'etcdList.kubernetesVersion': version,
    'etcdList.featureGates': undefined,
  });
  await says(panel, new RegExp(`Steps of Kubernetes ${version.replace('.', '\\.')} `));
  await clearNotifications(code);
}

describeVSCode([newestVSCode], { name: 'the tab Explain', files }, (workbench) => {
  it('tells without a connection which way a list would be served, and reads nothing', async () => {
    const code = workbench();
    const panel = await opened(code);
    await panel.ask({ labels: 'app=nginx', limit: '100' });
    const found = await says(panel, /LIST pods in all namespaces, labels app=nginx, limit 100/);
    expect(found).toContain('Most likely: From the watch cache, at most 100 objects');
    expect(found).toContain('Write how many keys there are; to measure, connect to an etcd.');
    expect(found).toContain('Steps of Kubernetes 1.37 (');
    expect(found).toContain('(etcd is not known here; ');
    expect(await panel.button('Measure').isDisabled()).toBe(true);
    await code.screenshot('decision');
    await panel.region('Alternatives').scrollIntoViewIfNeeded();
    expect(words(await panel.region('Alternatives').innerText())).toContain(
      'With resourceVersion=0: served by the watch cache, most likely',
    );
    await code.screenshot('alternatives');
    await code.statusBarItem(/^etcd: not connected$/).waitFor();
  });

  it('reckons the cost from figures given by hand, beside that of other ways', async () => {
    const code = workbench();
    const panel = await opened(code);
    await given(panel, 'keys').fill('50000');
    await given(panel, 'match rate').fill('1%');
    await given(panel, 'object size').fill('2KiB');
    await says(panel, /50,000 keys of about 2\.0 kB, of which 1 % match/);
    const cost = await lines(panel, 'What it costs');
    expect(cost.slice(0, 4)).toEqual([
      'way | served by | requests | keys | objects | bytes | largest reply | held in memory',
      'As it is asked | watch cache | 1 | 0 | 100 | 0 B | 0 B | 204.8 kB',
      'The same from etcd | etcd, pages | 7 | 12,700 | 100 | 26.0 MB | 13.1 MB | 13.3 MB',
      'Naive pages of 100 | etcd, pages | 100 | 10,000 | 100 | 20.5 MB | 204.8 kB | 409.6 kB',
    ]);
    expect(cost).toContain(
      'With resourceVersion=0 | watch cache | 0 | 0 | 500 | 0 B | 0 B | 1.0 MB',
    );
    const picture = { name: /^Picture of doubling: 7 round trips, 12,700 keys\./ };
    await panel.frame.getByRole('img', picture).waitFor();
    await code.theme('light');
    await code.screenshot('by hand light');
    await code.theme('dark');
    await code.screenshot('by hand dark');
    await given(panel, 'keys').fill('many');
    await panel.frame.getByText('"many" is no number of keys: write digits.').waitFor(slow);
    await code.screenshot('refused figure');
  });

  it('measures when it is told to, and holds the estimate against the receipt of a run', async () => {
    const code = workbench();
    const panel = await opened(code);
    await panel.connect('Demo cluster');
    for (const name of ['keys', 'match rate', 'object size'] as const)
      await given(panel, name).fill('');
    await says(panel, /Write how many keys there are, or measure: at most 500 objects/);
    await panel.button('Measure').click(slow);
    const found = await says(panel, /500 of 20,000 keys, at 9 places, were read for this: /);
    // Its etcd is known now.
    expect(found).not.toContain('(etcd is not known here; ');
    const cost = await lines(panel, 'What it costs');
    expect(cost[2]).toMatch(
      /^The same from etcd \| etcd, pages \| [\d ]+\d+ to \d+ \| [\d,]+ [\d,]+ to/,
    );
    await code.screenshot('measured');
    await panel.run({ labels: 'app=nginx', limit: '100' });
    const held = await lines(panel, 'Estimate against receipt');
    expect(held.map((line) => line.split(' | ').at(-1))).toEqual([
      'how it held',
      ...['as estimated', 'as estimated', 'as estimated', 'exact', 'as estimated', 'as estimated'],
    ]);
    expect(held[1]).toMatch(/^requests \| \d+ to \d+ \| 7 /);
    expect(held[2]).toMatch(/^keys \| [\d,]+ to [\d,]+ \| 12,700 /);
    await panel.region('Estimate against receipt').scrollIntoViewIfNeeded();
    await code.screenshot('held');
  });

  it('has the cost in the hover and the explanation of a query whose labels were read', async () => {
    const code = workbench();
    await code.openFile('pods.yaml');
    const counts = code.page.locator('.codelens-decoration', { hasText: /matches/ });
    await counts.first().waitFor(slow);
    await code.openFile('nginx.etcdlist');
    const hover = await code.hoverOver('list', /From etcd it takes/);
    expect(words(await hover.innerText())).toMatch(
      /^Served by the watch cache, most likely.*From etcd it takes .* by labels that were read before/,
    );
    await code.screenshot('hover');
    // It lies over the lenses.
    await code.page.keyboard.press('Escape');
    await hover.waitFor({ ...slow, state: 'hidden' });
    await code.page.locator('.codelens-decoration a', { hasText: /^Explain$/ }).click(slow);
    await code.page
      .locator('.tab.active[data-resource-name="nginx.etcdlist explained.txt"]')
      .waitFor(slow);
    await code.page.keyboard.press('Control+End');
    // The last words, whichever way the editor wraps them.
    const shown = code.page.locator('.editor-group-container.active .view-lines');
    await shown.filter({ hasText: /were\s+read\s+before/ }).waitFor(slow);
    await code.screenshot('explained with its cost');
    await code.page.keyboard.press('Control+W');
  });

  it('follows the settings of version and gates while it is looked at', async () => {
    const code = workbench();
    const panel = await opened(code);
    await panel.ask({ labels: 'app=nginx', limit: '100' });
    await asIfOf(code, panel, '1.33');
    expect(await said(panel)).toMatch(/^Most likely: From the watch cache, at most 100 objects/);
    code.server.changeSettings({ 'etcdList.featureGates': { ConsistentListFromCache: false } });
    await says(panel, /^From etcd, in pages that begin with 100 keys\./);
    await code.screenshot('1.33 without consistent reads from the cache');
    code.server.changeSettings({ 'etcdList.kubernetesVersion': '1.37' });
    const newest = await says(panel, /Steps of Kubernetes 1\.37 /);
    expect(newest).toMatch(
      /Note: etcdList\.featureGates: ConsistentListFromCache is left out, since /,
    );
    await code.screenshot('a gate that is gone');
  });

  it('says in one sentence that there is no such version, and no such gate', async () => {
    const code = workbench();
    const panel = await opened(code);
    await asIfOf(code, panel, '1.31');
    code.server.changeSettings({ 'etcdList.kubernetesVersion': '1.29' });
    await allSaid(
      code,
      'The setting etcdList.kubernetesVersion must be one of 1.30, 1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37, as a text; 1.37 is used.',
    );
    await says(panel, /Steps of Kubernetes 1\.37 /);
    await code.screenshot('no such version');
    await asIfOf(code, panel, '1.31');
    code.server.changeSettings({ 'etcdList.featureGates': { ListFromCache: true } });
    await allSaid(
      code,
      'etcdList.featureGates: ListFromCache is left out: lists hang on no such gate.',
    );
    await code.screenshot('no such gate');
    expect(code.panelErrors).toEqual([]);
  });
});
