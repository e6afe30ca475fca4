import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launch, noBrowser, openPanel, type OpenOptions, type Panel } from '../support/browser';
import * as data from '../support/data';

const many = 5000;

describe.skipIf(noBrowser)('round trips', () => {
  let browser: Browser;
  let panel: Panel;
  const open = async (options: OpenOptions): Promise<void> => {
    panel = await openPanel(browser, options);
  };
  const table = () => panel.page.getByRole('table', { name: 'Round trips to etcd' });
  /** The rows in the document, by their place in the table. */
  const drawn = async (): Promise<ReadonlyMap<number, readonly string[]>> =>
    new Map(
      await table()
        .locator('.grid-body')
        .evaluate((body) =>
          Array.from(body.querySelectorAll('[role="row"]'), (row) => {
            const cells = Array.from(row.children, ({ textContent }) => textContent);
            return [Number(row.getAttribute('aria-rowindex')), cells] as const;
          }),
        ),
    );
  const toEnd = () =>
    panel.page.locator('.trips-scroller').evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });

  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    expect(panel.faults).toEqual([]);
    await panel.close();
  });
  afterAll(() => browser.close());

  it('are all in the table, the newest of a list that runs too', async () => {
    let next: (from: number, to: number) => void = () => undefined;
    await open({
      prepare: (host) => {
        host.list = async (_, emit, stopped) => {
          next = (from, to) => {
            for (let n = from; n <= to; n++) {
              emit({ kind: 'request', request: data.request(n, { matched: n % 7 }), done: true });
            }
          };
          next(1, many);
          await stopped;
          return data.done();
        };
      },
    });
    await panel.run();
    await panel.tab('Round trips').click();
    await expect.poll(() => table().getAttribute('aria-rowcount')).toBe(String(many + 1));
    expect((await drawn()).get(2)?.slice(0, 5)).toEqual(['1', 'list', '100', '100', '1']);
    expect((await drawn()).size).toBeLessThan(100);
    await toEnd();
    await expect.poll(async () => (await drawn()).get(many + 1)?.[0]).toBe('5,000');
    next(many + 1, many + 1);
    await toEnd();
    await expect.poll(() => table().getAttribute('aria-rowcount')).toBe(String(many + 2));
    await toEnd();
    await expect.poll(async () => (await drawn()).get(many + 2)?.[0]).toBe('5,001');
    expect(await panel.page.locator('.chart').getAttribute('aria-label')).toMatch(
      /^Chart of 5,001 round trips: 500,100 keys read, .* sums \d+ round trips\. .* the numbers of each\.$/,
    );
  });

  it('of the history are said to be a part where they are', async () => {
    const [entry] = data.history;
    const total = data.total({ requests: 1000 });
    await open({
      prepare: (host) => {
        host.start = {
          ...data.start(),
          history: [
            { ...entry!, total },
            { ...entry!, at: entry!.at - 1, total, requests: [] },
          ],
        };
      },
    });
    const choose = async (index: number): Promise<void> => {
      await panel.button('History').click();
      await panel.page.getByRole('menuitem').nth(index).click();
    };
    await choose(0);
    await panel.page
      .getByText('The history kept the first and last of this run: 2 of 1,000 round trips.')
      .waitFor();
    expect(await panel.page.locator('.chart').getAttribute('aria-label')).toMatch(
      /^Chart of 2 of 1,000 round trips:/,
    );
    expect((await drawn()).size).toBe(2);
    await choose(1);
    await panel.page.getByText('The history did not keep the round trips of this run.').waitFor();
  });
});
