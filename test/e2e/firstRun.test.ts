/** From nothing to a list that is understood: no settings, the demo cluster, the query of the README. */
import { expect, it } from 'vitest';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';

describeVSCode([newestVSCode], { name: 'a first run without settings' }, (workbench) => {
  it('offers the demo cluster, and connects to it with one click', async () => {
    const code = workbench();
    const panel = await ListPanel.open(code);
    await code.statusBarItem(/^etcd: not connected$/).waitFor();
    await panel.frame.getByText('See what a LIST costs').waitFor();
    await code.screenshot('empty');
    await panel.button('Use the demo cluster').click();
    await panel.connectedTo('demo');
    await code.statusBarItem(/^etcd demo · RangeStream ✓$/).waitFor();
    await panel.button('List pods').waitFor();
    await code.screenshot('connected');
  });

  it('shows pages of 100 to 6,400 keys and the exact totals of a list with 1 % matches', async () => {
    const panel = await ListPanel.find(workbench());
    await panel.run({ labels: 'app=nginx', limit: '100' });
    expect(await panel.totalsText()).toMatch(
      /^12,700 fetched → 9,901 evaluated → 100 returned ×127 read amplification 7 round trips · [\d.]+ MB · [\d.]+ m?s · revision [\d,]+ naive paging: 100 round trips$/,
    );
    expect(await panel.footer.innerText()).toContain('100 rows · more follow');
    const trips = await panel.roundTrips();
    expect(trips.map(([, , asked]) => asked)).toEqual(
      ['100', '200', '400', '800', '1,600', '3,200', '6,400'], // prettier-ignore
    );
    expect(trips.map(([, , , keys]) => keys)).toEqual(trips.map(([, , asked]) => asked));
    const matched = trips.map(([, , , , text = '']) => Number(text));
    // The last page holds more matches than the list takes.
    expect(matched.slice(0, -1)).toEqual([1, 2, 4, 8, 16, 32]);
    const chart = panel.frame.getByRole('img', { name: /^Chart of 7 round trips: 12,700 keys/ });
    await chart.waitFor();
    await panel.row('app=nginx').waitFor();
    await workbench().screenshot('one percent');
  });
});
