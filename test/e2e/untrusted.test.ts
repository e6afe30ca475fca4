/** A folder that is not trusted: the network stays off, what needs none works, and trust is enough. */
import { afterAll, describe, expect, it } from 'vitest';
import { startFaultProxy } from '../support/faultProxy';
import type { FaultProxy } from '../support/faultProxy';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import type { RunningEtcd } from '../support/etcdServer';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { clearNotifications, saidOnce, statusTooltip } from './support/parts';
import { pods } from './support/pods';
import { token, wellFormed } from './support/tokens';

const podToken = token({ rv: 42, start: 'web/pod-1\u0000' });
const offSentence =
  'This workspace is not trusted, so the network stays off: trust it to connect to an etcd.';

describe.skipIf(etcdMissing('3.7'))('with a real etcd that nothing may reach', () => {
  let etcd: RunningEtcd | undefined;
  /** Counts the connections: `door` is named by the user's settings, `trap` by the folder's. */
  let door: FaultProxy | undefined;
  let trap: FaultProxy | undefined;
  const accepted = () => ({ door: door?.accepted, trap: trap?.accepted });

  const prepare = async () => {
    etcd = await startEtcd('3.7');
    await etcd.writer.bulkLoad(pods(250));
    door = await startFaultProxy(etcd.endpoint);
    trap = await startFaultProxy(etcd.endpoint);
    const connection = (name: string, { endpoint }: FaultProxy) => ({
      name,
      endpoints: [endpoint],
    });
    const real = connection('real', door);
    const folderSettings = { 'etcdList.connections': [real, connection('trap', trap)] };
    return {
      settings: { 'etcdList.connections': [real] },
      files: {
        '.vscode/settings.json': JSON.stringify(folderSettings),
        'list.yaml': `metadata:\n  continue: ${podToken}\n`,
      },
    };
  };
  afterAll(async () => {
    await door?.close();
    await trap?.close();
    await etcd?.stop();
  });

  const suite = { name: 'an untrusted folder', trusted: false, prepare };
  describeVSCode([newestVSCode], suite, (workbench) => {
    it('says in the panel and the status bar that the network is off', async () => {
      const code = workbench();
      await code.statusBarItem(/Restricted Mode/).waitFor();
      const panel = await ListPanel.open(code);
      await panel.frame.getByText('The network is off', { exact: true }).waitFor();
      await code.statusBarItem(/^etcd: not connected$/).waitFor();
      await code.screenshot('panel');
      expect(await panel.button('Run').isDisabled()).toBe(true);
      expect(await statusTooltip(code, /^etcd: not connected$/, /not trusted/)).toEqual([
        'This workspace is not trusted, so the network stays off. Token hovers work.',
        'Click for the menu.',
      ]);
    });

    it('refuses every way to connect with one sentence, and offers to manage trust', async () => {
      const code = workbench();
      await code.palette('etcd LIST: Connect…');
      await code.quickInput.getByRole('option', { name: /Add connection…/ }).waitFor();
      const offered = await code.quickRows.locator('.label-name').allInnerTexts();
      // What the folder's own settings name does not count yet.
      expect(offered.join(' ')).toContain('real');
      expect(offered.join(' ')).not.toContain('trap');
      await code.choose(/(?:^|\s)real/);
      const refusal = await saidOnce(code, offSentence);
      await refusal.getByRole('button', { name: 'Manage workspace trust' }).waitFor();
      await code.screenshot('refused');
      await clearNotifications(code);
      await code.palette('etcd LIST: Connect to the demo cluster');
      await saidOnce(code, offSentence);
      await clearNotifications(code);
    });

    it('explains a continue token in a YAML file', async () => {
      const code = workbench();
      await code.openFile('list.yaml');
      const hover = await code.hoverOver(podToken.slice(0, 20), /web\/pod-1/);
      await code.screenshot('hover');
      expect(await hover.innerText()).toContain('42');
      await hover.getByText('Inspect continue token').click();
      const panel = await ListPanel.find(code);
      await panel.frame.getByText(wellFormed).waitFor();
      expect(await panel.field('Continue token').inputValue()).toBe(podToken);
      await code.screenshot('inspector');
    });

    it('has reached out to nothing so far', () => {
      expect(accepted()).toEqual({ door: 0, trap: 0 });
    });

    it('connects and lists once the folder is trusted, without a restart', async () => {
      const code = workbench();
      const panel = await ListPanel.find(code);
      await panel.tab('Rows').click();
      await panel.button('Manage workspace trust').click();
      const trust = code.page.getByRole('button', { name: 'Trust', exact: true });
      await trust.click({ timeout: 60_000 });
      await code.statusBarItem(/Restricted Mode/).waitFor({ state: 'hidden' });
      await code.screenshot('trusted');
      await code.palette('etcd LIST: List resources');
      expect(accepted()).toEqual({ door: 0, trap: 0 });
      await panel.frame.getByText('See what a LIST costs').waitFor();
      await panel.connect('real');
      expect(door?.accepted).toBeGreaterThan(0);
      await panel.run({ limit: '100' });
      expect(await panel.totalsText()).toMatch(/^100 fetched → 100 evaluated → 100 returned/);
      expect(await panel.footer.innerText()).toMatch(/^100 rows · 150 more follow/);
      await code.screenshot('listed');
      expect(trap?.accepted).toBe(0);
      expect(code.panelErrors).toEqual([]);
    });
  });
});
