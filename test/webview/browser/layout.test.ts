import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queryText } from '../../../server/protocol/queryText';
import { launch, noBrowser, openPanel, type Panel } from '../support/browser';
import * as data from '../support/data';

/** As long as a pod's name commonly is. */
const longName = 'checkout-service-frontend-7db6d8ff4d-x2kqz';

const [aRun] = data.history;
const longRun = {
  ...aRun!,
  query: { ...aRun!.query, labelSelector: 'app.kubernetes.io/name in (checkout,cart),tier!=cache' },
};

const isWider = (locator: Locator): Promise<boolean> =>
  locator.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

describe.skipIf(noBrowser)('the layout', () => {
  let browser: Browser;
  let panel: Panel;
  const show = async (width: number, height = 800): Promise<void> => {
    panel = await openPanel(browser, {
      width,
      height,
      prepare: (host) => {
        host.list = (_, emit) => {
          for (const body of data.pageEvents()) {
            if (body.kind !== 'rows') emit(body);
          }
          const labels = data.row(0).labels;
          const more = [...labels, ['app.kubernetes.io/managed-by', 'helm'] as const];
          const rows = data.rows(0, 100).map((row) => ({ ...row, name: longName, labels: more }));
          emit({ kind: 'rows', rows });
          return Promise.resolve(data.done());
        };
      },
    });
    await panel.run();
    await panel.page.getByText('100 rows · more follow').waitFor();
    await panel.settled();
  };
  const box = async (locator: Locator) => {
    const { x, y, width, height } = (await locator.first().boundingBox())!;
    return { x, y, width, height, right: x + width, bottom: y + height };
  };
  const isCut = (column: string): Promise<boolean> =>
    panel.page
      .locator(`.grid-body .cell.${column}`)
      .first()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    expect(panel.faults).toEqual([]);
    await panel.close();
  });
  afterAll(() => browser.close());

  it.each([
    [463, 800, 'dark'],
    [463, 800, 'high-contrast'],
    [320, 600, 'dark'],
    [700, 480, 'light'],
    [550, 360, 'dark'],
  ] as const)(
    'keeps the footer in sight and the rows in reach at %d × %d (%s)',
    async (width, height, theme) => {
      await show(width, height);
      await panel.setTheme(theme);
      await panel.button('More').click();
      await panel.textbox('continue token').waitFor();
      await panel.settled();
      expect((await box(panel.page.locator('.footer'))).bottom).toBeLessThanOrEqual(height);
      expect((await box(panel.button('Run to the end'))).bottom).toBeLessThanOrEqual(height);
      expect((await box(panel.page.getByRole('grid'))).height).toBeGreaterThanOrEqual(100);
      const sideways = await panel.page.evaluate(() =>
        [document.documentElement, document.querySelector('main')!].map(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        ),
      );
      expect(sideways).toEqual([0, 0]);
      // What is above scrolls away, so that the rows come into sight whole.
      await panel.page.locator('main').evaluate((main) => {
        main.scrollTop = main.scrollHeight;
      });
      const footer = await box(panel.page.locator('.footer'));
      expect((await box(panel.page.getByRole('grid'))).bottom).toBeLessThanOrEqual(footer.y + 1);
    },
  );

  it('shows in a split all of a row', async () => {
    await show(463);
    for (const title of ['Namespace', 'Name', 'Labels', 'Age', 'Version', 'Size']) {
      const header = panel.page.getByRole('columnheader', { name: title, exact: true });
      expect((await box(header)).right, title).toBeLessThanOrEqual(463);
    }
    expect(await isCut('age')).toBe(false);
    expect(await isCut('version')).toBe(false);
    expect(await isCut('size')).toBe(false);
  });

  it.each([860, 922, 1280])(
    'cuts no way to read, no place holder and no run at %d',
    async (width) => {
      panel = await openPanel(browser, {
        width,
        prepare: (host) => {
          host.start = { ...data.start({ state: 'disconnected' }), history: [longRun] };
        },
      });
      const ways = panel.page.locator('vscode-dropdown').first();
      for (const way of ['auto', 'pages', 'stream']) {
        const cut = await ways.evaluate((element, value) => {
          (element as HTMLSelectElement).value = value;
          const text = element.shadowRoot!.querySelector('.selected-value')!;
          return new Promise<number>((resolve) => {
            requestAnimationFrame(() => {
              resolve(text.scrollWidth - text.clientWidth);
            });
          });
        }, way);
        expect(cut, way).toBeLessThanOrEqual(0);
      }
      await panel.page.locator('#namespace').fill('all namespaces');
      expect(await isWider(panel.page.locator('#namespace'))).toBe(false);
      await panel.button('History').click();
      const asked = panel.page.locator('.history .menu-item-text');
      expect(await asked.innerText()).toBe(queryText(longRun.query));
      expect(await isWider(asked)).toBe(false);
    },
  );

  it('has no line run through the labels of the chart', async () => {
    await show(1280);
    const label = await panel.page
      .locator('.chart .bar-label')
      .last()
      .evaluate((element) => {
        const { paintOrder, stroke, strokeWidth } = getComputedStyle(element);
        return {
          paintOrder,
          stroke,
          strokeWidth,
          page: getComputedStyle(document.body).backgroundColor,
        };
      });
    expect(label.paintOrder).toMatch(/^stroke/);
    expect(label.stroke).toBe(label.page);
    expect(Number.parseFloat(label.strokeWidth)).toBeGreaterThanOrEqual(4);
  });

  it.each([860, 920, 1280])('has the first row of the query in one row at %d', async (width) => {
    await show(width);
    const resource = await box(panel.page.locator('#resource'));
    for (const control of [panel.button('Run'), panel.button('Stop'), panel.button('History')]) {
      const { y, height, right } = await box(control);
      expect(Math.abs(y + height / 2 - (resource.y + resource.height / 2))).toBeLessThan(3);
      expect(right).toBeLessThanOrEqual(width);
    }
    const namespace = panel.page.locator('#namespace');
    expect((await box(namespace)).width).toBeGreaterThanOrEqual(100);
  });

  it.each([900, 1500])('cuts labels before it cuts a name at %d', async (width) => {
    await show(width);
    expect(await isCut('name')).toBe(false);
    expect(await isCut('labels')).toBe(width === 900);
  });

  it('ends the axis of the chart where the bars end', async () => {
    await show(1280);
    const axis = await box(panel.page.locator('.chart .base'));
    const bar = await box(panel.page.locator('.chart .fetched').last());
    expect(Math.abs(axis.right - bar.right)).toBeLessThan(3);
  });

  it('gives secondary buttons the border that the theme has for them', async () => {
    await show(1100);
    const border = (name: string) =>
      panel
        .button(name)
        .first()
        .evaluate((element) => {
          const control = element.shadowRoot?.querySelector('.control') ?? element;
          return getComputedStyle(control).borderTopColor;
        });
    const set = (variable: string, value: string) =>
      panel.page.evaluate(
        ([name, text]) => {
          document.documentElement.style.setProperty(name!, text!);
          document.body.className = `${document.body.className} again`;
        },
        [variable, value],
      );
    await set('--vscode-button-secondaryBorder', '');
    await set('--vscode-button-border', 'rgb(0, 105, 204)');
    for (const name of ['Run', 'Next page']) {
      await expect.poll(() => border(name)).toBe('rgb(0, 105, 204)');
    }
    await set('--vscode-button-secondaryBorder', 'rgb(216, 216, 216)');
    await expect.poll(() => border('Next page')).toBe('rgb(216, 216, 216)');
    expect(await border('Run')).toBe('rgb(0, 105, 204)');
  });
});
