import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../../server/protocol/model';
import { launch, noBrowser, openPanel, type Panel } from '../support/browser';
import * as data from '../support/data';

describe.skipIf(noBrowser)('the grid', () => {
  let browser: Browser;
  let panel: Panel;
  const show = async (rows: readonly Row[]): Promise<void> => {
    panel = await openPanel(browser, {
      prepare: (host) => {
        host.list = (_, emit) => {
          emit({ kind: 'rows', rows });
          return Promise.resolve(data.done({ total: data.total({ continue: '' }) }));
        };
      },
    });
    await panel.run();
    await panel.page.getByText(/rows? · all/).waitFor();
  };
  const cell = (column: string) => panel.page.locator(`.grid-body .cell.${column}`).first();
  const copied = (): string[] =>
    (panel.host.called('copy') as { text: string }[]).map(({ text }) => text);

  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    expect(panel.faults).toEqual([]);
    await panel.close();
  });
  afterAll(() => browser.close());

  it('copies the cell that is active, whatever stands in those before it', async () => {
    await show([data.row(1, { name: 'one\ttwo', labels: [['a', 'b\nc']] })]);
    await panel.page.getByRole('grid').focus();
    const { keyboard } = panel.page;
    for (const key of ['ArrowRight', 'ArrowRight', 'Control+c']) await keyboard.press(key);
    for (const key of ['ArrowRight', 'Control+c']) await keyboard.press(key);
    await panel.settled();
    expect(copied()).toEqual(['one\ttwo', 'a=b\nc']);
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Control+c'])
      await keyboard.press(key);
    await panel.settled();
    expect(copied()[2]?.split('\t').slice(1, 3)).toEqual(['one\\x09two', 'a=b\\x0ac']);
  });

  it('shows what would hide or turn a name', async () => {
    const names = { namespace: 'w\u200beb', name: 'nginx-\u202efdp.exe' };
    await show([data.row(1, { ...names, labels: [['a\u2066', 'b\u0007']] })]);
    expect(await cell('namespace').textContent()).toBe('w\\u200beb');
    expect(await cell('name').textContent()).toBe('nginx-\\u202efdp.exe');
    expect(await cell('labels').textContent()).toBe('a\\u2066=b\\x07');
  });

  it('has its rows in their order in the document, wherever it was scrolled', async () => {
    await show(data.rows(0, 500));
    const grid = panel.page.getByRole('grid');
    const indexes = () =>
      panel.page
        .locator('.grid-body .row')
        .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-rowindex'))));
    await grid.focus();
    for (const top of [150, 400, 300, 9000, 8700, 100]) {
      await grid.evaluate((element, to) => {
        element.scrollTop = to;
      }, top);
      const first = Math.floor(top / 22) + 2;
      await expect.poll(indexes).toContain(first + 3);
      const seen = await indexes();
      // The active row stands before those in view.
      expect(seen[0]).toBeLessThanOrEqual(first);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    }
  });

  it('leaves nothing of the rows of the list before', async () => {
    await show(data.rows(0, 500));
    panel.host.list = (_, emit) => {
      emit({ kind: 'rows', rows: data.rows(900, 2) });
      return Promise.resolve(data.done({ total: data.total({ continue: '', returned: 2 }) }));
    };
    await panel.run();
    await panel.page.getByText('2 rows · all').waitFor();
    const names = panel.page.locator('.grid-body .cell.name');
    expect(await names.allTextContents()).toEqual(['nginx-000900', 'nginx-000901']);
  });

  it('has higher rows once the font is larger', async () => {
    await show(data.rows(0, 500));
    const heights = () =>
      panel.page.evaluate(() => {
        const [first, second] = document.querySelectorAll('.grid-body .row');
        const top = (row?: Element) => row?.getBoundingClientRect().top ?? NaN;
        return [
          top(second) - top(first),
          first?.getBoundingClientRect().height,
          document.querySelector('.grid-body')?.getBoundingClientRect().height,
        ];
      });
    expect(await heights()).toEqual([22, 22, 11_000]);
    await panel.page.evaluate(() => {
      document.documentElement.style.setProperty('--vscode-font-size', '20px');
    });
    await expect.poll(heights).toEqual([34, 34, 17_000]);
  });

  it('opens an object once: by a click on its name, or a double click anywhere', async () => {
    await show(data.rows(0, 20));
    const opened = () => panel.host.called('openObject').length;
    await cell('name').dblclick();
    await panel.settled();
    expect(opened()).toBe(1);
    await cell('labels').dblclick();
    await panel.settled();
    expect(opened()).toBe(2);
    await cell('age').click();
    await panel.button('Name').dblclick();
    await panel.settled();
    expect(opened()).toBe(2);
  });
});
