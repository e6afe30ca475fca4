/** A list out of a watch cache: agreed to, all rows with resourceVersion=0, and stopped. */
import { expect, it } from 'vitest';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';

describeVSCode([newestVSCode], { name: 'a list from the watch cache' }, (workbench) => {
  it('asks in numbers, then returns all rows though the limit is 5', async () => {
    const code = workbench();
    const panel = await ListPanel.open(code);
    await panel.button('Use the demo cluster').click();
    await panel.connectedTo('demo');
    await panel.button('More').click();
    await panel.ask({ limit: '5', resourceVersion: '0' });
    await panel.frame.getByRole('combobox', { name: 'serve from' }).click();
    await panel.frame.getByRole('option', { name: 'watch cache' }).click();
    await panel.untilEnded(async () => {
      await panel.button('Run').click();
      const dialog = code.page.locator('.monaco-dialog-box');
      await dialog.getByText(/^A watch cache of pods reads all 20,000 objects, about/).waitFor();
      await code.screenshot('asked');
      await dialog.getByRole('button', { name: 'Fill the watch cache' }).click();
    });
    expect(await panel.totalsText()).toMatch(/20,000 returned .*served from the watch cache/);
    expect(await panel.totalsText()).toContain('the watch cache ignores the limit of 5');
    expect(await panel.footer.innerText()).toMatch(/^20,000 rows · all/);
    await panel.frame
      .getByText(/^Watch cache of pods · ready · 20,000 objects · \d+ MiB/)
      .waitFor();
    await code.screenshot('served');
  });

  it('goes on to serve pages by their limit, and ends when it is stopped', async () => {
    const panel = await ListPanel.find(workbench());
    await panel.run({ resourceVersion: '' });
    expect(await panel.totalsText()).toMatch(/5 returned .*served from the watch cache/);
    await panel.button('Stop cache of pods').click();
    await panel.frame.getByText(/^Watch cache of pods/).waitFor({ state: 'detached' });
    await workbench().screenshot('stopped');
  });
});
