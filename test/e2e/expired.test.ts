/** Pages of one list whose revision etcd compacts between them. */
import { afterAll, describe, expect, it } from 'vitest';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import type { RunningEtcd } from '../support/etcdServer';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { pod, pods } from './support/pods';

describe.skipIf(etcdMissing('3.7'))('on a real etcd 3.7', () => {
  let etcd: RunningEtcd | undefined;
  afterAll(async () => {
    await etcd?.stop();
  });
  const prepare = async () => {
    etcd = await startEtcd('3.7');
    await etcd.writer.bulkLoad(pods(2000), { concurrency: 1 });
    const connections = [{ name: 'real', endpoints: [etcd.endpoint] }];
    return { settings: { 'etcdList.connections': connections } };
  };
  /** Writes one Pod and drops all history before it. */
  const compact = async (): Promise<void> => {
    if (!etcd) throw new Error('etcd does not run yet');
    await etcd.writer.compact(await etcd.writer.put(...pod({ name: 'late' })));
  };

  describeVSCode([newestVSCode], { name: 'a compaction between pages', prepare }, (workbench) => {
    it('shows 410 in place of the totals, with what kube-apiserver says', async () => {
      const panel = await ListPanel.open(workbench());
      await panel.button('Connect to real').click();
      await panel.connectedTo('real');
      await panel.run({ limit: '100' });
      expect(await panel.totalsText()).toMatch(/^100 fetched → 100 evaluated → 100 returned/);
      expect(await panel.footer.innerText()).toMatch(/^100 rows · 1,900 more follow/);
      await compact();
      await panel.follow('Next page');
      expect(await panel.totalsText()).toMatch(/^410 The revision of this list is compacted away/);
      expect(await panel.totalsText()).toContain(
        'The provided continue parameter is too old to display a consistent list result.',
      );
      expect(await panel.footer.innerText()).toMatch(/^100 rows · not complete/);
      await workbench().screenshot('expired');
    });

    it('goes on at the latest revision when told to, and marks where', async () => {
      const panel = await ListPanel.find(workbench());
      await panel.follow('Continue at the latest revision (inconsistent)');
      expect(await panel.footer.innerText()).toMatch(/^200 rows · 1,800 more follow/);
      await panel.grid.focus();
      await panel.grid.press('End');
      await panel.row('pod-000199').waitFor();
      for (let i = 0; i < 100; i++) await panel.grid.press('ArrowUp');
      await panel.row(/^Rows below are of a later snapshot \(revision [\d,]+\)/).waitFor();
      await workbench().screenshot('later snapshot');
    });

    it('starts again with a consistent list', async () => {
      const panel = await ListPanel.find(workbench());
      await panel.run({ limit: '500' });
      await compact();
      await panel.follow('Next page');
      await panel.follow('Start again');
      expect(await panel.footer.innerText()).toMatch(/^500 rows · 1,501 more follow/);
      await panel.follow('Run to the end');
      expect(await panel.footer.innerText()).toMatch(/^2,001 rows · all/);
      expect(await panel.totalsText()).toMatch(/^2,001 fetched → 2,001 evaluated → 2,001 returned/);
    });
  });
});
