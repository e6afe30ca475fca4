/** The status bar item over an etcd with RangeStream, one without, and one that comes and goes. */
import { afterAll, describe, expect, it } from 'vitest';
import { startFaultProxy } from '../support/faultProxy';
import type { FaultProxy } from '../support/faultProxy';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import type { RunningEtcd } from '../support/etcdServer';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import {
  connectByPalette,
  dialog,
  runAgainUntil,
  statusMenu,
  statusTooltip,
} from './support/parts';
import { pods } from './support/pods';

interface Servers {
  readonly old: RunningEtcd;
  readonly new: RunningEtcd;
  readonly proxy: FaultProxy;
}

/** More than are read without a question. */
const podCount = 600;

async function start(): Promise<Servers> {
  const [old, newest] = await Promise.all([startEtcd('3.4'), startEtcd('3.7')]);
  for (const { writer } of [old, newest]) await writer.bulkLoad(pods(podCount));
  return { old, new: newest, proxy: await startFaultProxy(newest.endpoint) };
}

describe.skipIf(etcdMissing('3.4') || etcdMissing('3.7'))('on real etcds', () => {
  let servers: Servers | undefined;
  const running = (): Servers => {
    if (!servers) throw new Error('the etcds do not run yet');
    return servers;
  };
  const prepare = async () => {
    servers = await start();
    const connections = [
      { name: 'new', endpoints: [servers.proxy.endpoint] },
      { name: 'old', endpoints: [servers.old.endpoint] },
    ];
    return { settings: { 'etcdList.connections': connections } };
  };
  afterAll(async () => {
    await servers?.proxy.close();
    await servers?.old.stop();
    await servers?.new.stop();
  });

  describeVSCode([newestVSCode], { name: 'the status bar item', prepare }, (workbench) => {
    it('says at first that no etcd is connected, and has a menu without etcd', async () => {
      const code = workbench();
      await ListPanel.open(code);
      await code.statusBarItem(/^etcd: not connected$/).waitFor();
      expect(await statusTooltip(code, /^etcd: not connected$/, /not connected to/)).toEqual([
        'etcd LIST is not connected to an etcd.',
        'Click for the menu.',
      ]);
      await code.statusBarItem(/^etcd: not connected$/).click();
      await code.quickRows.first().waitFor();
      await code.screenshot('menu not connected');
      const entries = await code.quickRows.locator('.label-name').allInnerTexts();
      expect(entries.map((entry) => entry.trim())).toEqual([
        'List resources',
        'Turn RangeStream off',
        'The gate EtcdRangeStream is on',
        'Connection…',
        'Show log',
      ]);
      await code.page.keyboard.press('Escape');
    });

    it('says that it connects and probes while etcd does not answer, then what etcd can', async () => {
      const code = workbench();
      const { proxy } = running();
      proxy.stall();
      await connectByPalette(code, /^plug new|^new/);
      await code.statusBarItem(/etcd new · connecting$/).waitFor();
      await code.screenshot('connecting');
      await proxy.heal();
      await code.statusBarItem(/^etcd new · RangeStream ✓$/).waitFor();
      await code.statusBarItem(/^etcd new: RangeStream is supported$/).waitFor();
      await code.screenshot('supported');
    });

    it('names endpoint, version and last probe in its tooltip', async () => {
      const code = workbench();
      const { proxy } = running();
      const lines = await statusTooltip(code, /^etcd new ·/, /RangeStream is supported/);
      await code.screenshot('tooltip');
      expect(lines).toEqual([
        'new, root /registry',
        expect.stringMatching(new RegExp(String.raw`^${proxy.endpoint}: etcd 3\.7\.\d+$`)),
        'RangeStream is supported.',
        expect.stringMatching(/^Last probe: \d\d:\d\d\.$/),
        'Click for the menu.',
      ]);
    });

    it('says “probing” while a probe runs, and why its answer is not known', async () => {
      const code = workbench();
      const { proxy } = running();
      proxy.stall();
      await statusMenu(code, /^etcd new ·/, /Probe again/);
      await code.statusBarItem(/etcd new · probing$/).waitFor();
      await code.screenshot('probing');
      await proxy.refuse();
      proxy.cut();
      await code.statusBarItem(/^etcd new · RangeStream \?$/).waitFor();
      const lines = await statusTooltip(code, /RangeStream \?/, /is unknown/);
      await code.screenshot('unknown');
      expect(lines).toEqual([
        'new, root /registry',
        expect.stringMatching(
          new RegExp(
            `^${proxy.endpoint}: etcd at ${proxy.endpoint} cannot be reached or cannot serve now \\(.*\\): check the address and the member's health\\.$`,
          ),
        ),
        // The reason is left out where it is the member's own, said above.
        expect.stringMatching(
          /^Whether RangeStream is supported is unknown(: etcd at .* cannot be reached .*)?\.$/,
        ),
        expect.stringMatching(/^Last probe: /),
        'Click for the menu.',
      ]);
      await proxy.heal();
      await statusMenu(code, /^etcd new ·/, /Probe again/);
      await code.statusBarItem(/^etcd new · RangeStream ✓$/).waitFor();
    });

    it('reads all Pods by one stream, after a question', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.ask({ limit: '' });
      await panel.button('Run').click();
      await dialog(code)
        .getByText(/^This reads all 600 pods as a stream of about \d+ kB, without a limit\.$/)
        .waitFor();
      await panel.untilEnded(() =>
        dialog(code).getByRole('button', { name: 'Read everything' }).click(),
      );
      expect(await panel.totalsText()).toMatch(
        /^600 fetched → 600 evaluated → 600 returned ×1 read amplification 2 round trips · .* · streamed/,
      );
      const trips = await panel.roundTrips();
      expect(trips.map(([n, operation, asked, keys]) => [n, operation, asked, keys])).toEqual([
        // What the question was asked by.
        ['1', 'list', '100', '100'],
        ['2', expect.stringMatching(/^listStream \(\d+ chunks\)$/), 'all', '600'],
      ]);
      await code.screenshot('streamed');
    });

    it('is turned off and on by its menu, and a list without a limit is then asked about as one reply', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await statusMenu(code, /^etcd new ·/, /Turn RangeStream off/);
      await code.statusBarItem(/^etcd new · RangeStream off$/).waitFor();
      expect(await statusTooltip(code, /RangeStream off/, /The gate/)).toContain(
        'The gate EtcdRangeStream is off: lists are read in pages.',
      );
      await panel.button('Run').click();
      await dialog(code)
        .getByText(/^This reads all 600 pods in one reply of about \d+ kB, without a limit\.$/)
        .waitFor();
      await code.screenshot('unlimited');
      await panel.untilEnded(() =>
        dialog(code).getByRole('button', { name: 'Read everything' }).click(),
      );
      const trips = await panel.roundTrips();
      expect(trips.map(([, operation, asked, keys]) => [operation, asked, keys])).toEqual([
        // What the question was asked by.
        ['list', '100', '100'],
        ['list', 'all', '600'],
      ]);
      await statusMenu(code, /^etcd new ·/, /Turn RangeStream on/);
      await code.statusBarItem(/^etcd new · RangeStream ✓$/).waitFor();
      await panel.button('Run').click();
      await panel.untilEnded(() =>
        dialog(code).getByRole('button', { name: 'Read everything' }).click(),
      );
      expect((await panel.roundTrips())[1]?.[1]).toMatch(/^listStream/);
    });

    it('says “pages” of an etcd without RangeStream, and counts down once a list was refused', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await connectByPalette(code, /^plug old|^old/);
      await code.statusBarItem(/^etcd old · pages$/).waitFor();
      expect(await statusTooltip(code, /^etcd old ·/, /in pages\./)).toContain(
        'RangeStream is not there: lists are read in pages.',
      );
      await panel.button('Run').click();
      await panel.untilEnded(() =>
        dialog(code).getByRole('button', { name: 'Read everything' }).click(),
      );
      const trips = await panel.roundTrips();
      expect(trips.map(([, operation, asked, keys]) => [operation, asked, keys])).toEqual([
        ['list', '100', '100'],
        ['listStream (refused, pages instead)', 'all', '0'],
        ['list', 'all', '600'],
      ]);
      await panel.totals.getByText(/falling back to paginated list/).waitFor();
      await code.screenshot('fallback');
    });

    it('counts the time down until the stream is tried again, second by second', async () => {
      const code = workbench();
      const item = code.statusBarItem(/^etcd old · pages \(retry \d+:\d\d\)$/);
      const seconds = async (): Promise<number> => {
        const [, minutes, rest] = /(\d+):(\d\d)\)/.exec(await item.innerText()) ?? [];
        return Number(minutes) * 60 + Number(rest);
      };
      const first = await seconds();
      expect(first).toBeLessThanOrEqual(600);
      expect(first).toBeGreaterThan(480);
      const seen = new Set<number>();
      await waitFor(async () => seen.add(await seconds()).size >= 4, {
        timeoutMs: 30_000,
        what: 'four numbers',
      });
      const numbers = [...seen];
      expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
      expect(await statusTooltip(code, /^etcd old ·/, /next try/)).toContainEqual(
        expect.stringMatching(
          /^RangeStream is not there: lists are read in pages; next try at \d\d:\d\d\.$/,
        ),
      );
      // What a screen reader hears does not change every second.
      await code
        .statusBarItem(/^etcd old: RangeStream is not there: .*; next try at [^()]*$/)
        .waitFor();
    });

    it('follows a switch of the server back', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.connect('new');
      await code.statusBarItem(/^etcd new · RangeStream ✓$/).waitFor();
      await panel.button('Run').click();
      await panel.untilEnded(() =>
        dialog(code).getByRole('button', { name: 'Read everything' }).click(),
      );
      await panel.totals.getByText(/ · streamed/).waitFor();
    });

    it('opens the log', async () => {
      const code = workbench();
      await statusMenu(code, /^etcd new ·/, /Show log/);
      const output = code.page.locator('.part.panel');
      await output
        .getByRole('tab', { name: /^Output/ })
        .and(output.locator('.checked'))
        .waitFor();
      const { endpoint } = running().proxy;
      const lines = output.locator('.view-lines');
      const said = `Connected to "new" (${endpoint}: etcd 3.7.`;
      await lines.filter({ hasText: said.replaceAll(' ', '\u00a0') }).waitFor();
      await code.screenshot('log');
      await output.getByRole('button', { name: /^(Hide|Close) Panel/ }).click();
    });

    it('says “?” of an etcd that a list did not reach, and is right again once one does', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      const { proxy, new: etcd } = running();
      await etcd.kill();
      await panel.run({ limit: '10' });
      await panel.totalsSay(new RegExp(`^etcd at ${proxy.endpoint} cannot be reached or cannot`));
      await code.statusBarItem(/^etcd new · RangeStream \?$/).waitFor();
      await code.screenshot('etcd gone');
      await statusMenu(code, /^etcd new ·/, /Probe again/);
      await code.statusBarItem(/^etcd new · RangeStream \?$/).waitFor();
      expect(await statusTooltip(code, /RangeStream \?/, /is unknown/)).toContainEqual(
        expect.stringContaining(
          `${proxy.endpoint}: etcd at ${proxy.endpoint} cannot be reached or cannot serve now (`,
        ),
      );
      await etcd.restart();
      await runAgainUntil(panel, /^10 fetched → 10 evaluated → 10 returned/);
      await code.statusBarItem(/^etcd new · RangeStream ✓$/).waitFor();
    });

    it('says that it is not connected any more after “Disconnect”', async () => {
      const code = workbench();
      await statusMenu(code, /^etcd new ·/, /Disconnect/);
      await code.statusBarItem(/^etcd: not connected$/).waitFor();
      const panel = await ListPanel.find(code);
      await panel.frame.getByRole('button', { name: 'Connection: not connected' }).waitFor();
      await code.screenshot('disconnected');
      expect(code.panelErrors).toEqual([]);
      expect(await code.notifications()).toEqual([]);
    });
  });
});
