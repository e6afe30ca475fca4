/** Compare ways: what it would read is asked about, all ways give the same, and Stop shows how far it came. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { dialog, pageSays } from './support/parts';
import type { Workbench } from './support/workbench';

const files = {
  'ways.etcdlist': 'list pods -l app=nginx --limit=100\n',
  'end.etcdlist': 'kubectl get pods -A -l app=nginx --chunk-size=1\n',
};
const settings = { 'etcdList.demoPods': 20_000 };
const slow = { timeout: 60_000 };

async function lens(code: Workbench): Promise<void> {
  const link = code.page.locator('.codelens-decoration a').filter({ hasText: /^Compare ways$/ });
  await link.first().click(slow);
}

const compared = (code: Workbench, file: string) =>
  code.page.locator(`.tab.active[data-resource-name="${file} compared.txt"]`);

describeVSCode([newestVSCode], { name: 'Compare ways', files, settings }, (workbench) => {
  it('counts and asks before it reads, and reads nothing without a yes', async () => {
    const code = workbench();
    await code.palette('etcd LIST: Connect to the demo cluster');
    await code.statusBarItem(/^etcd demo · RangeStream ✓$/).waitFor(slow);
    await code.openFile('ways.etcdlist');
    await lens(code);
    const question = dialog(code).getByText(/^This reads the list 4 times, of 20,000 pods: /);
    await question.waitFor(slow);
    expect((await question.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /: in doubling pages about [\d,]+ keys by \d+ requests?, as a stream about .* in pages of the limit about .* in adaptive pages about .*; altogether about [\d.]+ [kMG]B\.$/,
    );
    await code.screenshot('question');
    await dialog(code).getByRole('button', { name: 'Cancel' }).click();
    await dialog(code).waitFor({ state: 'hidden' });
    expect(await compared(code, 'ways.etcdlist').isVisible()).toBe(false);
  });

  it('shows what each way took, side by side, and that all gave the same', async () => {
    const code = workbench();
    await code.openFile('ways.etcdlist');
    await lens(code);
    await dialog(code).getByRole('button', { name: 'Compare', exact: true }).click(slow);
    await compared(code, 'ways.etcdlist').waitFor(slow);
    const text = await pageSays(code, 'compared.txt', /gave the same/);
    expect(text).toMatch(/^WAY +REQUESTS +FETCHED +OVER-FETCHED +EVALUATED +RETURNED +BYTES +/m);
    expect(text).toMatch(/^pages +7 +12,700 +2,799 +9,901 +100 +/m);
    for (const way of ['stream', 'naive', 'adaptive'])
      expect(text).toMatch(new RegExp(`^${way} +[\\d,]+ .* 100 +[\\d.]+ [kM]B +`, 'm'));
    expect(text).toContain('all 4 runs gave the same 100 objects at revision ');
    await code.screenshot('compared');
    await code.page.keyboard.press('Control+W');
  });

  it('is there in the panel too, of the query as it stands', async () => {
    const code = workbench();
    const panel = await ListPanel.open(code);
    await panel.more();
    await panel.ask({ labels: 'tier=rare', limit: '20' });
    await panel.button('Compare ways…').click();
    await dialog(code).getByRole('button', { name: 'Compare', exact: true }).click(slow);
    const text = await pageSays(code, 'compared.txt', /gave the same/);
    expect(text).toContain('all 4 runs gave the same 20 objects at revision ');
    expect(text).toContain('pods -l tier=rare limit 20');
    await code.screenshot('compared in the panel');
    await code.page.keyboard.press('Control+W');
  });

  it('shows as far as it came when it is stopped', async () => {
    const code = workbench();
    await code.openFile('end.etcdlist');
    await lens(code);
    await dialog(code).waitFor(slow);
    await dialog(code).getByRole('button', { name: 'Compare', exact: true }).click(slow);
    await code.statusBarItem(/naive, 3 of 4/).waitFor(slow);
    const running = await code.notification(/Comparing ways to read a list/);
    await code.screenshot('running');
    await running.hover();
    await running.getByRole('button', { name: 'Cancel' }).click();
    await compared(code, 'end.etcdlist').waitFor(slow);
    const text = await pageSays(code, 'compared.txt', /OVER-FETCHED:/);
    expect(text).toMatch(/^pages .* ms$/m);
    expect(text).toMatch(/^naive .* broken off$/m);
    expect(text).toMatch(/^adaptive +not run$/m);
    await code.screenshot('stopped');
    await waitFor(
      async () => !(await code.notifications()).some((said) => said.includes('Comparing ways')),
      {
        what: 'the end of the progress',
      },
    );
    expect(code.panelErrors).toEqual([]);
  });
});
