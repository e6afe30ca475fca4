/** One whole run without a pointer: only keys are pressed, and what has the focus is looked at. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { editorShows } from './support/parts';
import type { Workbench } from './support/workbench';

const mostTabs = 60;

/** Whether the focus is on it, also when that is inside the element of a component. */
const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    let active = document.activeElement;
    while (active && active !== element && active.shadowRoot)
      active = active.shadowRoot.activeElement;
    return active === element || (active !== null && element.contains(active));
  });

async function tabTo(code: Workbench, target: Locator, key = 'Tab'): Promise<void> {
  for (let i = 0; i < mostTabs; i++) {
    if (await hasFocus(target)) return;
    await code.page.keyboard.press(key);
  }
  throw new Error(`${mostTabs} presses of ${key} did not lead to ${String(target)}`);
}

async function paletteByKeys(code: Workbench, title: string): Promise<void> {
  const { keyboard } = code.page;
  await waitFor(
    async () => {
      if (await code.quickInput.isVisible()) await keyboard.press('Escape');
      await keyboard.press('F1');
      await code.quickBox.waitFor({ timeout: 3000 });
      await keyboard.type(title);
      const first = code.quickRows.first();
      await first.filter({ hasText: title }).waitFor({ timeout: 5000 });
      await keyboard.press('Enter');
      return true;
    },
    { timeoutMs: 60_000, what: `“${title}” in the palette` },
  );
}

describeVSCode([newestVSCode], { name: 'by keys alone' }, (workbench) => {
  it('connects, lists, stops, pages, opens a row and inspects a token', async () => {
    const code = workbench();
    const { keyboard } = code.page;
    await paletteByKeys(code, 'etcd LIST: List resources');
    const panel = await ListPanel.find(code);

    await tabTo(code, panel.button('Use the demo cluster'));
    await keyboard.press('Enter');
    await panel.connectedTo('demo');

    await tabTo(code, panel.field('labels'), 'Shift+Tab');
    await keyboard.type('app=nginx');
    await panel.untilEnded(() => keyboard.press('Enter'));
    expect(await panel.totalsText()).toMatch(/^12,700 fetched → 9,901 evaluated → 100 returned/);

    await tabTo(code, panel.button('Next page'));
    await panel.untilEnded(() => keyboard.press('Space'));
    await panel.footerSays(/^200 rows/);

    await tabTo(code, panel.field('labels'), 'Shift+Tab');
    // VS Code takes Ctrl+A itself and selects a moment later, over what was typed meanwhile.
    await keyboard.press('Home');
    await keyboard.press('Shift+End');
    await keyboard.press('Delete');
    await tabTo(code, panel.field('limit'), 'Shift+Tab');
    await keyboard.press('Home');
    await keyboard.press('Shift+End');
    await keyboard.type('1');
    await panel.untilEnded(() => keyboard.press('Enter'));
    await tabTo(code, panel.button('Run to the end'));
    await keyboard.press('Enter');
    await panel.footerSays(/^\d{2,} rows · following to the end/);
    await tabTo(code, panel.button('Stop'), 'Shift+Tab');
    await panel.untilEnded(() => keyboard.press('Enter'));
    await panel.footerSays(/ rows · not complete/);

    await tabTo(code, panel.grid);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await keyboard.press(key);
    await code.screenshot('row with the focus');
    const row = panel.grid.locator('[role=row][aria-selected=true]');
    const name = await row.getByRole('gridcell').nth(1).innerText();
    await keyboard.press('Enter');
    expect(await editorShows(code, 'kind: Pod')).toContain('generateName: ');
    await code.page.locator(`.tab.active[data-resource-name="${name}.yaml"]`).waitFor();

    await paletteByKeys(code, 'etcd LIST: List resources');
    await tabTo(code, panel.tab('Rows'), 'Shift+Tab');
    await tabTo(code, panel.tab('Token'), 'ArrowRight');
    await tabTo(code, panel.field('Continue token'));
    const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: '../x' });
    await keyboard.type(Buffer.from(json).toString('base64url'));
    await panel.frame.getByText('Refused: the start key would leave its prefix').waitFor();
    await code.screenshot('token by keys');
    expect(code.panelErrors).toEqual([]);
  });
});
