import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, noBrowser, openPanel, root, type Panel } from '../support/browser';
import { states } from '../support/states';
import { themes } from '../support/themes';

const pictures = join(root, 'build/webview');
const golden = join(import.meta.dirname, '../golden');
const reset = process.env['RESET_GOLDEN'] === '1';
const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What axe-core finds, one line a finding. */
async function findings(panel: Panel): Promise<string[]> {
  const { violations } = await panel.page.evaluate<AxeResult>(
    "axe.run(document, { preload: false, resultTypes: ['violations'] })",
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
  );
}

async function compareTree(panel: Panel, name: string): Promise<void> {
  const tree = `${await panel.page.locator('body').ariaSnapshot()}\n`;
  const file = join(golden, `${name}.aria.txt`);
  if (reset) writeFileSync(file, tree);
  if (!existsSync(file)) throw new Error(`${file} is missing; RESET_GOLDEN=1 writes it`);
  expect(tree).toBe(readFileSync(file, 'utf8'));
}

describe.skipIf(noBrowser)('each state of the panel', () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await launch();
  });
  afterAll(() => browser.close());

  it.each(states)('$name', async (state) => {
    const panel = await openPanel(browser, state);
    await state.reach(panel);
    await panel.settled();
    await compareTree(panel, state.name);
    await panel.page.evaluate(axe);
    const found: string[] = [];
    for (const theme of themes) {
      await panel.setTheme(theme);
      await panel.page.screenshot({ path: join(pictures, `${state.name}.${theme}.png`) });
      found.push(...(await findings(panel)).map((finding) => `${theme}: ${finding}`));
    }
    expect(found).toEqual([]);
    expect(panel.faults).toEqual([]);
    await panel.close();
  });
});
