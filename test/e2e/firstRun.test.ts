/** From nothing to a list that is understood: no settings, the demo cluster, the query of the README. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { accessibilityFaults } from './support/axe';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import type { Theme } from './support/workbench';

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
    await workbench().palette('View: Close Primary Side Bar');
    const panel = await ListPanel.find(workbench());
    await panel.run({ labels: 'app=nginx', limit: '100' });
    expect(await panel.totalsText()).toMatch(
      /^12,700 fetched → 9,901 evaluated → 100 returned ×127 read amplification 7 round trips · [\d.]+ MB · [\d.]+ m?s · revision [\d,]+ naive paging: 100 round trips$/,
    );
    expect(await panel.askedText()).toBe('pods -l app=nginx limit 100 · demo');
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

  it('goes on from the token with the next page, and follows it to the end', async () => {
    const panel = await ListPanel.find(workbench());
    await panel.follow('Next page');
    expect(await panel.totalsText()).toMatch(/ → 200 returned .*naive paging: 200 round trips$/);
    const trips = await panel.roundTrips();
    expect(trips.map(([n]) => n)).toEqual(trips.map((_, index) => String(index + 1)));
    // A page of the client's begins small again.
    expect(trips.slice(7).map(([, , asked]) => asked)[0]).toBe('100');
    expect(await panel.footer.innerText()).toMatch(/^200 rows · (all|more follow)/);
    await panel.run({ limit: '50' });
    await panel.follow('Run to the end');
    expect(await panel.footer.innerText()).toMatch(/^200 rows · all/);
    expect(await panel.totalsText()).toContain(' → 200 returned ');
  });

  it('offers resources while typing, and lists the one that is chosen', async () => {
    const panel = await ListPanel.find(workbench());
    await panel.field('resource').fill('deplo');
    await panel.frame.getByRole('option', { name: /^deployments\.apps/ }).click();
    expect(await panel.field('resource').inputValue()).toBe('deployments.apps');
    await panel.run({ labels: '', limit: '5' });
    expect(await panel.footer.innerText()).toMatch(/^5 rows · [\d,]+ more follow/);
    await panel.ask({ resource: 'pods' });
  });

  it('marks what is wrong with a selector while it is typed, and does not run it', async () => {
    const panel = await ListPanel.find(workbench());
    await panel.ask({ labels: 'app in (web' });
    const problem = panel.frame.getByText(/unable to parse requirement/);
    await problem.waitFor();
    await panel.button('Run').click();
    await problem.waitFor();
    expect(await panel.footer.innerText()).toMatch(/^5 rows/);
    await workbench().screenshot('problem');
    await panel.ask({ labels: '' });
    await problem.waitFor({ state: 'hidden' });
  });

  it('stops in the middle, and lists again', async () => {
    const panel = await ListPanel.find(workbench());
    await panel.run({ limit: '1' });
    await panel.button('Run to the end').click();
    await panel.footerSays(/^\d{2,} rows · following to the end/);
    await workbench().screenshot('running');
    const pressed = performance.now();
    await panel.button('Stop').click();
    await panel.footerSays(/^[\d,]+ rows · not complete/);
    console.log(
      `stopped ${Math.round(performance.now() - pressed)} ms after the press of the button`,
    );
    const kept = Number(/^[\d,]+/.exec(await panel.footer.innerText())?.[0].replaceAll(',', ''));
    expect(kept).toBeGreaterThan(10);
    expect(kept).toBeLessThan(20_000);
    await workbench().screenshot('stopped');
    await panel.run({ limit: '100', labels: 'app=nginx' });
    expect(await panel.totalsText()).toMatch(/^12,700 fetched → 9,901 evaluated → 100 returned/);
  });

  it('opens a row as a read-only document with its labels', async () => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    const name = await panel.row('app=nginx').getByRole('gridcell').nth(1).innerText();
    await panel.row('app=nginx').getByRole('gridcell').nth(1).click();
    const editor = code.page.locator('.editor-instance .view-lines');
    await editor.filter({ hasText: 'kind: Pod' }).waitFor({ timeout: 60_000 });
    await code.page.locator(`.tab.active[data-resource-name="${name}.yaml"]`).waitFor();
    expect((await editor.innerText()).replaceAll('\u00a0', ' ')).toMatch(/labels:\s+app: nginx\n/);
    await code.screenshot('object');
    await code.palette('View: Close Editor');
  });

  it('has nothing that axe-core finds wrong, in any theme', async () => {
    const code = workbench();
    const kinds: Readonly<Record<Theme, string>> = {
      light: 'vscode-light',
      dark: 'vscode-dark',
      'high contrast': 'vscode-high-contrast',
      'high contrast light': 'vscode-high-contrast-light',
    };
    for (const theme of Object.keys(kinds) as Theme[]) {
      await code.theme(theme);
      const { frame } = await ListPanel.find(code);
      await frame.locator(`body[data-vscode-theme-kind="${kinds[theme]}"]`).waitFor();
      expect(await accessibilityFaults(frame)).toEqual([]);
      await code.screenshot(`list in ${theme}`);
    }
  });

  it('breaks no rule of its content policy, and throws nothing', async () => {
    const code = workbench();
    expect(code.panelErrors).toEqual([]);
    const { frame } = await ListPanel.find(code);
    // So that the line above is known to be able to fail.
    await frame.evaluate(() => {
      setTimeout(() => {
        throw new Error('thrown by the test');
      });
      document.body.append(
        Object.assign(document.createElement('img'), { src: 'http://127.0.0.1:9/not-allowed.png' }),
      );
    });
    await waitFor(() =>
      [/thrown by the test/, /Content Security Policy/].every((expected) =>
        code.panelErrors.some((text) => expected.test(text)),
      ),
    );
  });
});
