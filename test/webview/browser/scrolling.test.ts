import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, noBrowser, openPanel, type Panel } from '../support/browser';
import * as data from '../support/data';

const framesPerRun = 60;
/** The median of so many runs counts: what most of them need, whatever else a machine did in some. */
const repeats = 7;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

interface Seen {
  /** Most row elements at once. */
  readonly mostRows: number;
  readonly longestScriptMs: number;
}

/**
 * Scrolls one step a frame, and from the start again at the end. The same gesture whatever the
 * number of rows: a screen a frame, so that every row is another; or `step` as a part of the whole.
 * With a step of 0 nothing moves: what is left is the test's own script.
 */
async function scroll(panel: Panel, step: 'screen' | number): Promise<Seen> {
  return panel.page.evaluate(
    async ({ frames, step }) => {
      const grid = document.querySelector('.grid')!;
      // Without these entries no script would ever count as long.
      if (!PerformanceObserver.supportedEntryTypes.includes('long-animation-frame'))
        throw new Error('This browser does not tell of long frames.');
      let longestScriptMs = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { scripts } = entry as PerformanceEntry & {
            scripts: (PerformanceEntry & { sourceURL: string })[];
          };
          for (const { sourceURL, duration } of scripts) {
            // The test's own script, which reads the layout, is not the panel's.
            if (sourceURL.endsWith('/main.js'))
              longestScriptMs = Math.max(longestScriptMs, duration);
          }
        }
      });
      observer.observe({ type: 'long-animation-frame' });
      let mostRows = 0;
      const { clientHeight, scrollHeight } = grid;
      const distance = step === 'screen' ? clientHeight : step * scrollHeight;
      // Behind the frame's layout: to scroll then makes no layout of its own, which would be counted.
      const channel = new MessageChannel();
      const frame = () =>
        new Promise<void>((resolve) => {
          channel.port1.onmessage = () => {
            resolve();
          };
          requestAnimationFrame(() => {
            channel.port2.postMessage(null);
          });
        });
      grid.scrollTop = 0;
      await frame();
      for (let at = 0; at < frames; at++) {
        grid.scrollTop = (at * distance) % (scrollHeight - clientHeight);
        await frame();
        mostRows = Math.max(mostRows, document.querySelectorAll('.grid-body .row').length);
      }
      await frame();
      channel.port1.close();
      observer.disconnect();
      return { mostRows, longestScriptMs };
    },
    { frames: framesPerRun, step },
  );
}

/** Time of the page's thread in scripts, not of the clock: it stands while another process has the core. */
async function scriptSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN;
}

interface Subject {
  readonly panel: Panel;
  readonly session: CDPSession;
  readonly msPerFrame: number[];
  readonly mostRows: number[];
  readonly longestScriptMs: number[];
}

describe.skipIf(noBrowser)('scrolling', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function subject(rows: number): Promise<Subject> {
    const panel = await openPanel(browser, {
      realClock: true,
      prepare: (host) => {
        host.list = data.manyRows(rows);
      },
    });
    await panel.run();
    await panel.page.getByText(/rows · all/).waitFor();
    const session = await panel.page.context().newCDPSession(panel.page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return { panel, session, msPerFrame: [], mostRows: [], longestScriptMs: [] };
  }

  async function measure({ panel, session, ...figures }: Subject): Promise<void> {
    const before = await scriptSeconds(session);
    await scroll(panel, 0);
    const between = await scriptSeconds(session);
    const seen = await scroll(panel, 'screen');
    const after = await scriptSeconds(session);
    figures.msPerFrame.push(((after - between - (between - before)) * 1000) / framesPerRun);
    figures.mostRows.push(seen.mostRows);
    figures.longestScriptMs.push(seen.longestScriptMs);
  }

  it('costs with 100,000 rows what it costs with 1,000', async () => {
    const few = await subject(1000);
    const many = await subject(100_000);
    for (let repeat = 0; repeat < repeats; repeat++) {
      await measure(few);
      await measure(many);
    }
    const [one, two] = [median(few.msPerFrame), median(many.msPerFrame)];
    // As a dragged scroll bar jumps: 37 % of all rows a frame.
    const jumps: Seen[] = [];
    for (let repeat = 0; repeat < repeats; repeat++) jumps.push(await scroll(many.panel, 0.37));
    const longest = Math.max(
      median(many.longestScriptMs),
      median(jumps.map(({ longestScriptMs }) => longestScriptMs)),
    );
    const mostRows = Math.max(
      ...many.mostRows,
      ...few.mostRows,
      ...jumps.map(({ mostRows }) => mostRows),
    );
    const screen = await many.panel.page.evaluate(() => {
      const grid = document.querySelector('.grid')!;
      const row = document.querySelector('.grid-body .row')!;
      return Math.ceil(grid.clientHeight / row.getBoundingClientRect().height);
    });
    console.log(
      `scroll script per frame: ${one.toFixed(2)} ms at 1,000 rows, ${two.toFixed(2)} ms at 100,000 ` +
        `(×${(two / one).toFixed(2)}); longest script ${longest.toFixed(0)} ms; ` +
        `${mostRows} row elements, ${screen} rows to a screen`,
    );
    // Else the panel did nothing, or what it did was not seen.
    expect(one).toBeGreaterThan(0.05);
    expect(two / one).toBeLessThanOrEqual(1.5);
    expect(longest).toBeLessThanOrEqual(50);
    expect(mostRows).toBeLessThanOrEqual(3 * screen);
    expect(mostRows).toBeGreaterThan(screen / 2);
    expect(many.panel.faults).toEqual([]);
    await few.panel.close();
    await many.panel.close();
  });
});
