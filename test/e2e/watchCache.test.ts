/** Lists that are served from a watch cache: asked about, filled, bounded, followed, and given up again. */
import { afterAll, describe, expect, it } from 'vitest';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import type { RunningEtcd } from '../support/etcdServer';
import { startFaultProxy } from '../support/faultProxy';
import type { FaultProxy } from '../support/faultProxy';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { dialog } from './support/parts';
import { pod, pods } from './support/pods';
import type { Workbench } from './support/workbench';

const podCount = 3000;
const slow = { timeout: 60_000 };
const full = /^Watch cache of pods · ready · 3,0\d\d objects · /;

interface Servers {
  readonly etcd: RunningEtcd;
  readonly proxy: FaultProxy;
}

/** The line of the cache of pods. */
const lineOf = (panel: ListPanel) => panel.region('Watch caches').getByText(/^Watch cache of pods/);

async function lineSays(panel: ListPanel, text: RegExp): Promise<string> {
  const line = lineOf(panel).filter({ hasText: text });
  await line.waitFor(slow);
  return await line.innerText();
}

/** As it is before anything was tried, also when this test has its second try. */
async function withoutCache(panel: ListPanel): Promise<void> {
  await panel.more();
  const stop = panel.button(/^(Stop|Dismiss) cache of pods$/);
  if (await stop.isVisible()) await stop.click();
  await panel.region('Watch caches').waitFor({ state: 'hidden' });
}

const yes = (code: Workbench) =>
  dialog(code).getByRole('button', { name: 'Fill the watch cache', exact: true });

/** A cache that is full, filled here when none runs. */
async function withCache(code: Workbench, panel: ListPanel): Promise<void> {
  await panel.more();
  await panel.choose('serve from', 'watch cache');
  await panel.ask({ labels: '', limit: '10', resourceVersion: '' });
  if (await lineOf(panel).isVisible()) return;
  await panel.button('Run').click();
  await panel.untilEnded(() => yes(code).click(slow));
}

describe.skipIf(etcdMissing('3.7'))('on a real etcd', () => {
  let servers: Servers | undefined;
  const running = (): Servers => {
    if (!servers) throw new Error('the etcd does not run yet');
    return servers;
  };
  /** Watches that are open at the etcd. */
  const watches = async (): Promise<number> => {
    const text = await (await fetch(`${running().etcd.metricsUrl}/metrics`)).text();
    return Number(/^etcd_debugging_mvcc_watcher_total (\d+)$/m.exec(text)?.[1]);
  };
  const noWatch = () =>
    waitFor(async () => (await watches()) === 0, {
      timeoutMs: 60_000,
      what: 'the end of the watch',
    });

  const prepare = async () => {
    const etcd = await startEtcd('3.7');
    await etcd.writer.bulkLoad(pods(podCount));
    servers = { etcd, proxy: await startFaultProxy(etcd.endpoint) };
    const connections = [{ name: 'real', endpoints: [servers.proxy.endpoint] }];
    return { settings: { 'etcdList.connections': connections } };
  };
  afterAll(async () => {
    await servers?.proxy.close();
    await servers?.etcd.stop();
  });

  describeVSCode([newestVSCode], { name: 'the watch cache', prepare }, (workbench) => {
    it('is asked about with its numbers, and not filled without a yes', async () => {
      const code = workbench();
      const panel = await ListPanel.open(code);
      await panel.connect('real');
      await withoutCache(panel);
      await panel.choose('serve from', 'watch cache');
      await panel.ask({ limit: '10' });
      await panel.button('Run').click();
      const question = dialog(code).getByText(/^A watch cache of pods reads all 3,0\d\d objects, /);
      await question.waitFor(slow);
      expect(await question.innerText()).toMatch(
        /, about [\d.]+ MiB of at most 256 MiB, and keeps watching them until you stop it\.$/,
      );
      await code.screenshot('question');
      await dialog(code).getByRole('button', { name: 'Cancel' }).click();
      await dialog(code).waitFor({ state: 'hidden' });
      await panel.button('Run').and(panel.frame.locator(':not([disabled])')).waitFor();
      expect(await panel.region('Watch caches').isVisible()).toBe(false);
      expect(await watches()).toBe(0);
    });

    it('says that it is being filled, then what it holds of its limit', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      const { proxy } = running();
      await withoutCache(panel);
      await panel.button('Run').click();
      await yes(code).waitFor(slow);
      // Held back altogether, the connection would be given up while a slow machine takes a picture.
      proxy.slow(50_000);
      await panel.untilEnded(async () => {
        await yes(code).click();
        await lineSays(panel, / · being filled · /);
        await code.screenshot('being filled');
        await proxy.heal();
      });
      expect(await lineSays(panel, full)).toMatch(
        / objects · [\d.]+ MiB of at most 256 MiB · revision \d+ · \d+ snapshots?$/,
      );
      await panel.totalsSay(/ served from the watch cache /);
      await code.screenshot('ready');
      await code.theme('light');
      await code.screenshot('ready light');
      await code.theme('dark');
      expect(await watches()).toBe(1);
    });

    it('follows what is written, without a list', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await withCache(code, panel);
      const { writer } = running().etcd;
      await writer.put(...pod({ name: 'written-later', labels: { app: 'later' } }));
      await lineSays(panel, / · 3,001 objects · /);
      const revision = (await writer.revision()).toLocaleString('en-US');
      await lineSays(panel, new RegExp(` · revision ${revision} · `));
    });

    it('serves a consistent read of what was written just before', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await withCache(code, panel);
      await panel.ask({ labels: 'app=fresh' });
      const { writer } = running().etcd;
      await writer.put(...pod({ name: 'fresh', labels: { app: 'fresh' } }));
      await panel.follow('Run');
      await panel.totalsSay(/ → 1 returned .*served from the watch cache/);
      await panel.row('fresh').waitFor();
      await code.screenshot('consistent read');
      await writer.delete('/registry/pods/web/fresh');
    });

    it('ignores the limit with resourceVersion 0, and says so', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await withCache(code, panel);
      await panel.run({ resourceVersion: '0', limit: '10' });
      await panel.totalsSay(
        /→ 3,00\d returned .*With resourceVersion=0 the watch cache ignores the limit of 10/,
      );
      await panel.footerSays(/^3,00\d rows · all/);
      await code.screenshot('limit ignored');
    });

    it('stays when lists are read from etcd again, and is stopped by its button', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await withCache(code, panel);
      await panel.choose('serve from', 'etcd');
      await panel.run({ resourceVersion: '', limit: '10' });
      const totals = await panel.totalsText();
      expect(totals).toMatch(/^10 fetched → 10 evaluated → 10 returned/);
      expect(totals).not.toContain('watch cache');
      await lineSays(panel, full);
      await code.screenshot('etcd again');
      await panel.button('Stop cache of pods').click();
      await panel.region('Watch caches').waitFor({ state: 'hidden' });
      await noWatch();
    });

    it('is refused with the numbers when it would be larger than its limit', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await withoutCache(panel);
      await panel.choose('serve from', 'watch cache');
      code.server.changeSettings({ 'etcdList.watchCache.memoryLimitMiB': 1 });
      await panel.ask({ resourceVersion: '', limit: '10' });
      // VS Code reads its settings in its own time: until then the cache is asked about.
      await waitFor(
        async () => {
          await panel.button('Run').click();
          const refused = panel.totals.getByText(/^Too large/);
          await waitFor(async () => (await refused.isVisible()) || (await yes(code).isVisible()));
          if (await refused.isVisible()) return true;
          await dialog(code).getByRole('button', { name: 'Cancel' }).click();
          return false;
        },
        { timeoutMs: 60_000, what: 'the refusal' },
      );
      await panel.totalsSay(
        /^Too large for its limit: a watch cache of 3,00\d objects would take about [\d.]+ MiB, more than its limit of 1 MiB\./,
      );
      await code.screenshot('too large');
      expect(await panel.region('Watch caches').isVisible()).toBe(false);
      expect(await watches()).toBe(0);
      code.server.changeSettings({ 'etcdList.watchCache.memoryLimitMiB': undefined });
      await panel.follow('Serve from etcd');
      await panel.totalsSay(/^10 fetched → 10 evaluated → 10 returned/);
      const source = panel.choice('serve from');
      expect(await source.evaluate((element: HTMLSelectElement) => element.value)).toBe('etcd');
    });

    it('ends with its connection', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.connect('real');
      await withCache(code, panel);
      await lineSays(panel, full);
      expect(await watches()).toBe(1);
      await panel.menu(/^Connection/, 'Disconnect');
      await code.statusBarItem(/^etcd: not connected$/).waitFor();
      await panel.region('Watch caches').waitFor({ state: 'hidden' });
      await noWatch();
      await code.screenshot('disconnected');
      expect(code.panelErrors).toEqual([]);
    });
  });
});
