/** What survives: a language server that is killed, a panel that is hidden, a window loaded anew. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';

const files = { 'notes.txt': 'nothing to see\n' };
const languageServer = '/dist/server/main.js';
const demo = '/dist/demo/main.js';

describeVSCode([newestVSCode], { name: 'recovery', files }, (workbench) => {
  it('starts a killed language server again; rows stand, and the list is run again', async () => {
    const code = workbench();
    const panel = await ListPanel.open(code);
    await panel.button('Use the demo cluster').click();
    await panel.connectedTo('demo');
    await panel.run({ labels: 'app=nginx', limit: '100' });
    const killed = await code.killServer(languageServer);
    await panel.frame.getByText('Rows already shown stand').waitFor({ timeout: 60_000 });
    await panel.connectedTo('demo');
    await panel.row('app=nginx').waitFor();
    await code.screenshot('server recovered');
    await panel.follow('Rerun');
    expect(await panel.totalsText()).toMatch(/^12,700 fetched → 9,901 evaluated → 100 returned/);
    const now = code.server.processes(languageServer).map(({ pid }) => pid);
    expect(now).toHaveLength(1);
    expect(now).not.toContain(killed);
  });

  it('says so when the server is killed in the middle of a list', async () => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    await panel.run({ labels: '', limit: '1' });
    await panel.button('Run to the end').click();
    await panel.footerSays(/^\d{2,} rows · following to the end/);
    await code.killServer(languageServer);
    await panel.footerSays(/^[\d,]+ rows · not complete/);
    await panel.frame.getByText('Rows already shown stand').waitFor({ timeout: 60_000 });
    await panel.connectedTo('demo');
    await panel.run({ labels: 'app=nginx', limit: '100' });
    expect(await panel.totalsText()).toMatch(/^12,700 fetched/);
  });

  it('keeps the panel as it is while another editor hides it', async () => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    await code.openFile('notes.txt');
    await code.palette('View: Close Editor');
    const again = await ListPanel.find(code);
    expect(await again.totalsText()).toBe(await panel.totalsText());
    expect(await again.field('labels').inputValue()).toBe('app=nginx');
    await again.row('app=nginx').waitFor();
  });

  it('keeps the query and the history over a reload, and reads nothing by itself', async () => {
    const code = workbench();
    await code.reload();
    // Which editor is in front afterwards depends on when VS Code last put that down.
    await code.page.getByRole('tab', { name: 'etcd LIST' }).click();
    const panel = await ListPanel.find(code);
    await waitFor(async () => (await panel.field('labels').inputValue()) === 'app=nginx');
    expect(await panel.totals.isVisible()).toBe(false);
    await code.statusBarItem(/^etcd: not connected$/).waitFor();
    expect(code.server.processes(demo)).toEqual([]);
    await code.screenshot('after a reload');
    await panel.button('History').click();
    const past = panel.frame.getByRole('menuitem', { name: /pods -l app=nginx limit 100/ });
    await past.first().click();
    await panel.totalsSay(/^12,700 fetched → 9,901 evaluated → 100 returned/);
    expect(await panel.footer.innerText()).toContain('from the history');
  });

  it('leaves no process of its own when the window is closed', async () => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    await panel.connect('Demo cluster');
    const programs = [languageServer, demo];
    const running = () => programs.map((program) => code.server.processes(program).length);
    expect(running()).toEqual([1, 1]);
    await code.page.goto('about:blank');
    await waitFor(() => running().every((count) => count === 0), {
      timeoutMs: 60_000,
      what: 'the end of the language server and of the demo etcd',
    });
  });
});
