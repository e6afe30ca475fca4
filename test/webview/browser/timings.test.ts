import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, noBrowser, openPanel, origin, type Panel } from '../support/browser';

const repeats = 10;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
};

interface Load {
  /** From the arrival of script and style until the script has run. */
  readonly scriptMs: number;
  /** From the same moment until the first paint, with the host's answer to `ready` between them. */
  readonly firstPaintMs: number;
}

const loadOf = ({ page }: Panel): Promise<Load> =>
  page.evaluate((from) => {
    const arrived = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name === `${from}/main.js` || name === `${from}/style.css`)
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
    if (arrived.length !== 2) throw new Error('The page did not load its two files.');
    const start = Math.max(...arrived);
    // The script is the last thing in the document, and the parser waits for it.
    const [navigation] = performance.getEntriesByType('navigation');
    const end = (navigation as PerformanceNavigationTiming).domInteractive;
    const [paint] = performance.getEntriesByName('first-paint');
    return { scriptMs: end - start, firstPaintMs: (paint?.startTime ?? NaN) - start };
  }, origin);

/** Milliseconds from the arrival of the first round trip's receipt until a row is in the document. */
async function firstRow(panel: Panel): Promise<number> {
  const seen = await panel.page.evaluateHandle(() => {
    interface Message {
      readonly method?: string;
      readonly params?: readonly { readonly body: { readonly kind: string } }[];
    }
    let receivedAt = NaN;
    const isReceipt = ({ method, params }: Message): boolean =>
      method === 'listEvents' && (params ?? []).some(({ body }) => body.kind === 'request');
    // Before the page's own listener, which was added first, could do anything with it.
    window.addEventListener(
      'message',
      ({ data }: MessageEvent<Message | null>) => {
        if (Number.isNaN(receivedAt) && data && isReceipt(data)) receivedAt = performance.now();
      },
      { capture: true },
    );
    const took = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('.grid-body .row')) return;
        observer.disconnect();
        resolve(performance.now() - receivedAt);
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    return { took };
  });
  await panel.run();
  return seen.evaluate(({ took }) => took);
}

describe.skipIf(noBrowser)('times that are printed and not judged', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  it('to the first paint, and to the first row', async () => {
    const loads: Load[] = [];
    const rows: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat++) {
      const panel = await openPanel(browser, { realClock: true });
      loads.push(await loadOf(panel));
      rows.push(await firstRow(panel));
      expect(panel.faults).toEqual([]);
      await panel.close();
    }
    const script = median(loads.map(({ scriptMs }) => scriptMs));
    const paint = median(loads.map(({ firstPaintMs }) => firstPaintMs));
    const row = median(rows);
    for (const figure of [script, paint, row]) expect(figure).toBeGreaterThan(0);
    console.log(
      `medians of ${repeats}: page script ${script.toFixed(0)} ms, first paint ` +
        `${paint.toFixed(0)} ms after script and style arrived; first row ` +
        `${row.toFixed(0)} ms after the first page's receipt`,
    );
  });
});
