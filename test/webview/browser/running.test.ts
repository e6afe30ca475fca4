/** Lists that are counted first, break off, fail or are gone on with; and where the focus is then. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../../server/protocol/errors';
import type { ConnectionStatus, ListParams, Measure } from '../../../server/protocol/model';
import { RpcError } from '../../../server/protocol/rpc';
import { waitFor } from '../../support/waitFor';
import {
  launch,
  noBrowser,
  openPanel,
  patienceMs,
  type OpenOptions,
  type Panel,
} from '../support/browser';
import * as data from '../support/data';
import type { ListScript } from '../support/host';

const until = <T>(condition: () => T | Promise<T>) => waitFor(condition, { timeoutMs: patienceMs });

const gone: Failure = { code: 'etcd', sentence: 'Etcd does not answer any more.' };

/** Two whole pages of ten rows, then five rows of a third, and the end that is given. */
const breaking =
  (failure: Failure): ListScript =>
  async (_, emit, stopped) => {
    for (let page = 1; page <= 2; page++) {
      emit({ kind: 'request', request: data.request(page), done: true });
      emit({ kind: 'rows', rows: data.rows(page * 10 - 10, 10) });
      const returned = page * 10;
      const so = { requests: page, returned, continue: `token-${page}`, fetched: page * 100 };
      emit({ kind: 'totals', total: data.total(so) });
    }
    emit({ kind: 'rows', rows: data.rows(20, 5) });
    if (failure.code === 'cancelled') await stopped;
    const total = data.total({ requests: 3, returned: 25, fetched: 250, continue: '' });
    return data.done({ total, failure });
  };

const rest: ListScript = (_, emit) => {
  emit({ kind: 'rows', rows: data.rows(20, 10) });
  return Promise.resolve(data.done({ total: data.total({ continue: '', returned: 10 }) }));
};

describe.skipIf(noBrowser)('lists of the panel', () => {
  let browser: Browser;
  let panel: Panel;
  const open = async (list?: ListScript, options: OpenOptions = {}): Promise<Panel> => {
    panel = await openPanel(browser, {
      ...options,
      prepare: (host) => {
        if (list) host.list = list;
        options.prepare?.(host);
      },
    });
    return panel;
  };
  const says = (text: string | RegExp) => panel.page.getByText(text).first().waitFor();
  const lists = () => panel.host.called('list') as ListParams[];
  const focused = () => panel.page.evaluate(() => document.activeElement?.textContent.trim());
  const focusOn = (text: string) => expect.poll(focused).toBe(text);
  const names = () => panel.page.locator('.grid-body .cell.name').allTextContents();

  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    expect(panel.faults).toEqual([]);
    await panel.close();
  });
  afterAll(() => browser.close());

  describe('without a limit', () => {
    const unlimited = async (measure: Omit<Measure, 'streams'>, streams = false) => {
      await open();
      panel.host.handlers.measure = () => Promise.resolve({ ...measure, streams });
      await panel.textbox('limit').fill('');
      await panel.run();
    };

    it('are counted, and asked about with what they would bring', async () => {
      await unlimited({ keys: '20000', bytes: 52_340_000, budget: 512e6 });
      await until(() => lists().length === 1);
      expect(panel.host.called('confirmUnlimited')).toEqual([
        {
          text: 'This reads all 20,000 pods in one reply of about 52 MB, without a limit.',
          fillsCache: false,
        },
      ]);
      expect(lists()[0]?.confirmed).toBe(true);
    });

    it.each([
      ['of few keys', { keys: '500', bytes: 1e6, budget: 512e6 }, true],
      [
        'over the budget, which the engine refuses',
        { keys: '20000', bytes: 600e6, budget: 512e6 },
        false,
      ],
    ])('are not asked about: %s', async (_, measure, confirmed) => {
      await unlimited(measure);
      await until(() => lists().length === 1);
      expect(panel.host.called('confirmUnlimited')).toEqual([]);
      expect(lists()[0]?.confirmed).toBe(confirmed);
    });

    it('are asked about without a budget', async () => {
      await unlimited({ keys: '501', bytes: 600e6, budget: -1 });
      await until(() => lists().length === 1);
      expect(panel.host.called('confirmUnlimited')).toHaveLength(1);
    });

    it('are asked about as streams too', async () => {
      await unlimited({ keys: '20000', bytes: 52_340_000, budget: -1 }, true);
      await until(() => lists().length === 1);
      expect(panel.host.called('confirmUnlimited')).toEqual([
        {
          text: 'This reads all 20,000 pods as a stream of about 52 MB, without a limit.',
          fillsCache: false,
        },
      ]);
    });

    it('fail as a list does when they cannot be counted', async () => {
      await open();
      panel.host.handlers.measure = () => Promise.reject(new RpcError(gone));
      await panel.textbox('limit').fill('');
      await panel.run();
      await panel.page.locator('.failure', { hasText: gone.sentence }).waitFor();
      await panel.button('Run again').waitFor();
      expect(lists()).toEqual([]);
    });

    it('are stopped while they are counted', async () => {
      await open();
      let answer: () => void = () => undefined;
      panel.host.handlers.measure = () =>
        new Promise((resolve) => {
          answer = () => {
            resolve({ keys: '20000', bytes: 1, budget: -1, streams: true });
          };
        });
      await panel.textbox('limit').fill('');
      await panel.run();
      await until(() => panel.host.called('measure').length === 1);
      await says('counting…');
      const status = panel.page.locator('.heard[role=status]');
      expect(await status.textContent()).toBe('Counting what a read without a limit brings.');
      await panel.button('Stop').click();
      await panel.page.getByText('counting…').first().waitFor({ state: 'hidden' });
      await expect.poll(() => panel.button('Stop').isDisabled()).toBe(true);
      await until(() => panel.host.called('stopMeasure').length === 1);
      answer();
      await panel.settled();
      expect(panel.host.called('confirmUnlimited')).toEqual([]);
      expect(lists()).toEqual([]);
    });
  });

  describe('that break off', () => {
    it('go on behind their last whole page', async () => {
      await open(breaking(gone), { height: 1600 });
      await panel.run();
      await says(gone.sentence);
      expect(await names()).toHaveLength(25);
      panel.host.list = rest;
      await panel.button('Continue from here').click();
      await says('30 rows · all');
      expect(await names()).toEqual(data.rows(0, 30).map(({ name }) => name));
      expect(lists()[1]?.query.continueToken).toBe('token-2');
    });

    it('go on after Stop', async () => {
      await open(breaking({ code: 'cancelled', sentence: 'Stopped.' }));
      await panel.run();
      await says('25 rows so far');
      await panel.button('Stop').click();
      await says('25 rows · not complete');
      panel.host.list = rest;
      await panel.button('Continue from here').click();
      await says('30 rows · all');
      expect(await panel.button('Continue from here').count()).toBe(0);
    });

    it('say nothing of a cost when nothing was read', async () => {
      await open((_, emit) => {
        const none = { keys: 0, matched: 0, bytes: 0 };
        emit({ kind: 'request', request: data.request(1, none), done: true });
        const total = data.total({ requests: 1, fetched: 0, returned: 0, continue: '' });
        return Promise.resolve(data.done({ total, failure: gone }));
      });
      await panel.run();
      await says(gone.sentence);
      expect(await panel.page.getByText('Until then').count()).toBe(0);
      expect(await panel.page.locator('.chart').isVisible()).toBe(false);
    });
  });

  it('that leave out what is unreadable do so for that run only', async () => {
    await open(
      data.failing({ code: 'unreadable', sentence: 'The object at /x cannot be read.', key: '/x' }),
    );
    await panel.run();
    await says('The object at /x cannot be read.');
    panel.host.list = data.onePercent;
    await panel.button('Run again leaving it out').click();
    await says('100 rows · more follow');
    await panel.run();
    await until(() => lists().length === 3);
    expect(lists().map(({ query }) => query.skipUnreadable)).toEqual([false, true, false]);
  });

  it('can be run again once a server that was given up runs', async () => {
    await open();
    const failure = { code: 'internal', sentence: 'It ended six times and was given up.' } as const;
    panel.host.notify('status', { state: 'disconnected' });
    panel.host.notify('serverGone', { recovered: false, failure });
    await says(failure.sentence);
    expect(await panel.page.getByText('being started again').count()).toBe(0);
    expect(await panel.button('Run').isDisabled()).toBe(true);
    panel.host.notify('status', data.connected());
    await expect.poll(() => panel.button('Run').isDisabled()).toBe(false);
  });

  it('a failure to connect is said once', async () => {
    await open(undefined, {
      prepare: (host) => {
        host.start = data.start({ state: 'disconnected' });
        host.handlers.connectDemo = () => {
          host.notify('status', { state: 'disconnected', failure: gone });
          return Promise.reject(new RpcError(gone));
        };
      },
    });
    await panel.button('Use the demo cluster').click();
    await says('Not connected');
    await panel.settled();
    const shown = panel.page.locator('main :not([role=status])').getByText(gone.sentence);
    expect(await shown.count()).toBe(1);
  });

  it('an etcd that does not answer has its own sign and text', async () => {
    await open();
    const button = panel.page.getByRole('button', { name: /^Connection/ });
    expect(await button.getAttribute('aria-label')).toBe('Connection: prod');
    const status: ConnectionStatus = data.connected();
    panel.host.notify('status', {
      ...(status as Extract<ConnectionStatus, { state: 'connected' }>),
      rangeStream: { answer: 'unknown', reason: gone.sentence },
      unreachable: true,
    });
    await panel.page.locator('.dot.warning').waitFor();
    expect(await button.getAttribute('aria-label')).toBe('Connection: prod, etcd does not answer');
    panel.host.notify('status', data.connected());
    await panel.page.locator('.dot.connected').waitFor();
    expect(await button.getAttribute('aria-label')).toBe('Connection: prod');
  });

  describe('started by keys', () => {
    it.each(['Next page', 'Run to the end'])('keep the focus: %s', async (name) => {
      await open();
      await panel.run();
      await says('100 rows · more follow');
      panel.host.list = data.untilStopped;
      await panel.button(name).focus();
      await panel.page.keyboard.press('Enter');
      await focusOn('Stop');
      let end: () => void = () => undefined;
      panel.host.list = (_, emit) =>
        new Promise((resolve) => {
          end = () => {
            emit({ kind: 'rows', rows: data.rows(900, 7) });
            resolve(data.done());
          };
        });
      await panel.page.keyboard.press('Enter');
      await focusOn('Run');
      await panel.page.keyboard.press('Enter');
      await until(() => lists().length === 3);
      end();
      await says('7 rows · more follow');
      await panel.button(name).focus();
      await panel.page.keyboard.press('Enter');
      await focusOn('Stop');
      end();
      await focusOn(name);
    });

    it('keep the focus when the button itself goes', async () => {
      await open(data.failing(gone));
      await panel.run();
      await says(gone.sentence);
      panel.host.list = data.untilStopped;
      await panel.button('Run again').focus();
      await panel.page.keyboard.press('Enter');
      await focusOn('Stop');
      await panel.page.keyboard.press('Enter');
      await focusOn('Run');
    });

    it('keep the focus from the banner and from the empty state', async () => {
      await open(data.untilStopped);
      await panel.button('List pods').focus();
      await panel.page.keyboard.press('Enter');
      await focusOn('Stop');
      await panel.page.keyboard.press('Enter');
      await focusOn('Run');
      panel.host.notify('serverGone', { recovered: false });
      panel.host.notify('serverGone', { recovered: true });
      await panel.button('Rerun').focus();
      await panel.page.keyboard.press('Enter');
      await focusOn('Stop');
    });
  });
});
