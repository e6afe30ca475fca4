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
      expect(await isWider(header.locator('.head-title')), title).toBe(false);
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
      const limit = panel.page.locator('vscode-text-field.limit input');
      await limit.fill('100000');
      expect(await isWider(limit)).toBe(false);
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

  it.each([1001, 1100, 1181, 1281])(
    'has it in one row at %d also with a long name and with fields in use that are folded away',
    async (width) => {
      const name = 'production-europe-west-1-primary';
      panel = await openPanel(browser, {
        width,
        prepare: (host) => {
          host.start = { ...data.start(data.connected(name)) };
        },
      });
      await panel.button('More').click();
      await panel.textbox('resourceVersion').fill('7');
      await panel.textbox('continue token').fill('x');
      await panel.button('More').click();
      await panel.page.getByText('(2 set)').waitFor();
      const resource = await box(panel.page.locator('#resource'));
      for (const control of [panel.button('Run'), panel.button('Stop'), panel.button('History')]) {
        const { y, height, right } = await box(control);
        expect(Math.abs(y + height / 2 - (resource.y + resource.height / 2))).toBeLessThan(3);
        expect(right).toBeLessThanOrEqual(width);
      }
    },
  );

  it('has one gap between the word of More and its arrow while nothing is set', async () => {
    panel = await openPanel(browser, { width: 1280 });
    const gap = (name: string | RegExp) =>
      panel.page.getByRole('button', { name }).evaluate((button) => {
        const word = document.createRange();
        word.selectNodeContents(button.querySelector('.menu-text') ?? button.firstChild ?? button);
        const chevron = button.querySelector('.chevron')?.getBoundingClientRect();
        return Math.round((chevron?.left ?? 0) - word.getBoundingClientRect().right);
      });
    expect(await gap('More')).toBe(await gap('History'));
  });

  it('shows by which column it sorts also where the column is narrow', async () => {
    await show(463);
    for (const title of ['Namespace', 'Labels', 'Version', 'Size']) {
      const header = panel.page.getByRole('columnheader', { name: title, exact: true });
      await header.getByRole('button').click();
      await expect.poll(() => header.getAttribute('aria-sort')).not.toBe('none');
      const mark = await box(header.locator('.sort-mark'));
      expect(mark.width, title).toBeGreaterThan(5);
      expect(mark.right, title).toBeLessThanOrEqual((await box(header)).right);
    }
  });

  it('keeps every tab and button in reach where there is next to no width', async () => {
    await show(200);
    const inSight = [
      panel.button('History'),
      ...['Rows', 'Round trips', 'Token', 'Explain'].map(panel.tab),
    ];
    for (const each of inSight) {
      const { right, height } = await box(each);
      expect(right).toBeLessThanOrEqual(200);
      expect(height).toBeLessThan(32);
    }
    expect((await box(panel.page.locator('.legend'))).height).toBeLessThan(20);
    expect(
      await panel.page.locator('.legend').evaluate(({ scrollHeight }) => scrollHeight),
    ).toBeLessThan(24);
  });

  it('gives code the background of the text that it stands in', async () => {
    panel = await openPanel(browser);
    // As VS Code styles what a page holds; in high contrast the page's own text would be white on it.
    await panel.page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('@layer vscode-default { code { background: #fff; padding: 1px 3px } }');
      document.adoptedStyleSheets = [sheet];
    });
    await panel.textbox('labels').fill('app=nginx,tier in (web');
    const code = panel.page.locator('.problems code').first();
    await code.waitFor();
    const style = await code.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(style).toBe('rgba(0, 0, 0, 0)');
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
