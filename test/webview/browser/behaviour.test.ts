import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DecodeTokenParams, ListParams, Row } from '../../../server/protocol/model';
import { waitFor, type WaitOptions } from '../../support/waitFor';
import {
  launch,
  noBrowser,
  openPanel,
  patienceMs,
  type OpenOptions,
  type Panel,
} from '../support/browser';
import * as data from '../support/data';
import { states } from '../support/states';
import { emptyQuery } from '../../../webview/query';

const until = <T>(condition: () => T | Promise<T>, options?: WaitOptions) =>
  waitFor(condition, { timeoutMs: patienceMs, ...options });

describe.skipIf(noBrowser)('the panel', () => {
  let browser: Browser;
  let panel: Panel;
  const open = async (options?: OpenOptions): Promise<Panel> => {
    panel = await openPanel(browser, options);
    return panel;
  };
  const says = (text: string | RegExp) => panel.page.getByText(text).first().waitFor();
  const cells = (column: string) =>
    panel.page.locator(`.grid-body .cell.${column}`).allTextContents();
  const lists = (): ListParams[] => panel.host.called('list') as ListParams[];

  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    expect(panel.faults).toEqual([]);
    await panel.close();
  });
  afterAll(() => browser.close());

  it('shows the totals of a selector that matches one in a hundred', async () => {
    await open();
    await panel.textbox('labels').fill('app=nginx');
    await says('1 requirement');
    await panel.run();
    await says('100 rows · more follow');
    const totals = await panel.page.locator('.totals').innerText();
    expect(totals.replace(/\s+/g, ' ')).toContain(
      '12,700 fetched → 9,901 evaluated → 100 returned',
    );
    expect(totals).toContain('×127');
    expect(totals).toContain('naive paging: 100 round trips');
    expect(await panel.page.locator('.bar-label').allTextContents()).toEqual([
      '100',
      '200',
      '400',
      '800',
      '1.6k',
      '3.2k',
      '6.4k',
    ]);
    expect(lists()[0]?.query).toMatchObject({
      resource: 'pods',
      labelSelector: 'app=nginx',
      limit: '100',
    });
  });

  it('keeps markup in names as text', async () => {
    const evil = '<img src=x onerror="window.hacked=1">';
    await open({
      prepare: (host) => {
        host.list = (_, emit) => {
          emit({ kind: 'rows', rows: [data.row(1, { name: evil, labels: [['a', evil]] })] });
          return Promise.resolve(data.done({ total: data.total({ returned: 1 }) }));
        };
      },
    });
    await panel.run();
    await says('1 row ·');
    expect(await cells('name')).toEqual([evil]);
    expect(await panel.page.locator('img').count()).toBe(0);
  });

  it('takes no event of a list that was replaced by the next', async () => {
    let finishFirst: () => void = () => undefined;
    await open({
      prepare: (host) => {
        host.list = (params, emit) => {
          if (params.query.labelSelector === 'second') {
            emit({ kind: 'rows', rows: [data.row(2, { name: 'of-the-second' })] });
            return Promise.resolve(data.done());
          }
          return new Promise((resolve) => {
            finishFirst = () => {
              emit({ kind: 'rows', rows: [data.row(1, { name: 'of-the-first' })] });
              resolve(data.done());
            };
          });
        };
      },
    });
    await panel.run();
    await until(() => lists().length === 1);
    await panel.textbox('labels').fill('second');
    await panel.run();
    await says('of-the-second');
    finishFirst();
    await panel.settled();
    expect(await cells('name')).toEqual(['of-the-second']);
    expect(panel.host.called('stop')).toEqual([{ listId: lists()[0]?.listId }]);
    expect(lists()[0]?.listId).not.toBe(lists()[1]?.listId);
  });

  it('drops what comes out of order and says what is missing', async () => {
    await open({
      prepare: (host) => {
        host.list = (_, emit) => {
          emit({ kind: 'rows', rows: [data.row(0)] }, 0);
          emit({ kind: 'rows', rows: [data.row(2)] }, 2);
          emit({ kind: 'rows', rows: [data.row(1)] }, 1);
          return Promise.resolve(data.done());
        };
      },
    });
    await panel.run();
    await says('1 update of this list did not arrive');
    expect(await cells('name')).toEqual([data.row(0).name, data.row(2).name]);
  });

  it('stops', async () => {
    await open({
      prepare: (host) => {
        host.list = data.untilStopped;
      },
    });
    await panel.run();
    await says('15 rows so far');
    await panel.button('Stop').click();
    await says('15 rows · not complete');
    await says(/5 round trips · .* · stopped/);
    expect(panel.host.called('stop')).toHaveLength(1);
  });

  it('goes to the next page and to the end from the token', async () => {
    await open();
    await panel.run();
    await says('100 rows · more follow');
    await panel.button('Next page').click();
    await says('200 rows · more follow');
    panel.host.list = (_, emit) => {
      emit({ kind: 'rows', rows: data.rows(900, 7) });
      return Promise.resolve(data.done({ total: data.total({ continue: '', returned: 7 }) }));
    };
    await panel.button('Run to the end').click();
    await says('207 rows · all');
    expect(lists().map(({ follow, query }) => [follow, query.continueToken])).toEqual([
      [false, ''],
      [false, data.total().continue],
      [true, data.total().continue],
    ]);
    expect(await panel.textbox('continue token').count()).toBe(0);
  });

  it('copies nothing in place of a command that does not exist', async () => {
    await open({
      prepare: (host) => {
        host.list = (_, emit) => {
          emit({ kind: 'rows', rows: data.rows(0, 3) });
          return Promise.resolve(data.done({ commands: { ...data.commands, kubectl: '' } }));
        };
      },
    });
    await panel.run();
    await says('3 rows');
    await panel.button('Copy').click();
    await panel.page.getByRole('menuitem', { name: 'As kubectl' }).click();
    await says('There is no kubectl command for this list, so nothing was copied');
    expect(panel.host.called('copy')).toEqual([]);
  });

  it('keeps its menus in view on a small page, and an input method its Enter', async () => {
    await open({
      width: 640,
      height: 400,
      prepare: (host) => void (host.start = { ...host.start, history: data.history }),
    });
    await panel.button('History').click();
    const box = await panel.page.getByRole('menu', { name: 'History' }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 641)).toBeLessThanOrEqual(640);
    await panel.page.keyboard.press('Escape');
    await panel.textbox('labels').evaluate((element) => {
      const init = { key: 'Enter', isComposing: true, bubbles: true, composed: true };
      element.dispatchEvent(new KeyboardEvent('keydown', init));
    });
    await panel.textbox('labels').fill('app=nginx');
    await panel.settled();
    expect(lists()).toEqual([]);
  });

  it('never goes on with rows of one etcd on another', async () => {
    await open();
    await panel.run();
    await says('100 rows · more follow');
    panel.host.notify('status', data.connected('staging'));
    await says('100 rows · more follow · of prod');
    for (const name of ['Next page', 'Run to the end']) {
      expect(await panel.button(name).isDisabled()).toBe(true);
    }
    await panel.page.locator('.grid-body .row .cell.name').first().click();
    await says('These rows are of "prod", and "staging" is connected: run the list anew.');
    expect(panel.host.called('openObject')).toEqual([]);
    panel.host.notify('status', data.connected('prod', false, 1));
    await says('100 rows · more follow · of an earlier connection');
    expect(await panel.button('Next page').isDisabled()).toBe(true);
    await panel.run();
    await says('100 rows · more follow');
    await panel.button('Next page').click();
    await says('200 rows · more follow');
    expect(lists()).toHaveLength(3);
    await panel.page.locator('.grid-body .row .cell.name').first().click();
    await until(() => panel.host.called('openObject').length === 1);
    expect(panel.host.called('openObject')).toMatchObject([{ connectionNumber: 104 }]);
  });

  it('says why a list ended that nobody stopped', async () => {
    const sentence = 'The connection was closed while the list ran: run it again.';
    await open({
      prepare: (host) => {
        host.list = () => Promise.resolve(data.done({ failure: { code: 'cancelled', sentence } }));
      },
    });
    await panel.run();
    await says(sentence);
    await says('No rows came before the list stopped.');
  });

  it('continues after a 410 with a divider, or starts again', async () => {
    await open({
      prepare: (host) => {
        host.list = data.failing(data.expired);
      },
    });
    await panel.run();
    await says(data.expired.sentence);
    panel.host.list = (_, emit) => {
      emit({ kind: 'rows', rows: data.rows(5000, 3) });
      return Promise.resolve(data.done({ total: data.total({ resourceVersion: '90117' }) }));
    };
    await panel.button('Continue at the latest revision (inconsistent)').click();
    await says(/Rows below are of a later snapshot \(revision 90,117\)/);
    expect(lists()[1]?.query.continueToken).toBe(data.expired.continueToken);
    expect(await panel.page.locator('.row.later').count()).toBe(3);
    await expect
      .poll(() => panel.page.getByRole('status').first().textContent())
      .toContain('later snapshot');
  });

  it('has heard that a watch cache is ready, and why it ended', async () => {
    await open();
    const heard = panel.page.locator('.heard[role=status]');
    panel.host.notify('watchCaches', [data.watchCache({ state: 'filling' })]);
    await panel.settled();
    expect(await heard.textContent()).not.toContain('watch cache');
    panel.host.notify('watchCaches', [data.watchCache({ state: 'ready', objects: 3000 })]);
    await expect
      .poll(() => heard.textContent())
      .toBe('The watch cache of pods is ready: 3,000 objects.');
    // What is told at once is heard at once.
    const others = [data.watchCache({ state: 'filling', resource: 'nodes' }), data.watchCache()];
    panel.host.notify('watchCaches', others);
    await panel.settled();
    panel.host.notify('watchCaches', [
      data.watchCache({ state: 'refilling' }),
      data.watchCache({ state: 'ready', resource: 'nodes', objects: 2 }),
    ]);
    await expect
      .poll(() => heard.textContent())
      .toBe('The watch cache of nodes is ready: 2 objects.');
    const failure = 'It took more than its limit.';
    panel.host.notify('watchCaches', [data.watchCache({ state: 'stopped', failure })]);
    await expect
      .poll(() => heard.textContent())
      .toBe(`The watch cache of pods has ended. ${failure}`);
  });

  it('keeps the focus on what measures and what stops it, and has the end heard', async () => {
    await open();
    await panel.page.getByRole('tab', { name: 'Explain' }).click();
    const answer = panel.host.handlers.explain;
    let measured: () => void = () => undefined;
    panel.host.handlers.explain = async (params) => {
      if (params.measure) await new Promise<void>((resolve) => (measured = resolve));
      return answer(params);
    };
    const focused = () => panel.page.evaluate(() => document.activeElement?.textContent.trim());
    await panel.button('Measure').focus();
    await panel.page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Stop measuring');
    measured();
    await expect.poll(focused).toBe('Measure');
    await expect
      .poll(() => panel.page.locator('.heard[role=status]').textContent())
      .toBe('Measured: the estimate is in the table.');
  });

  it('marks the offending characters and does not run', async () => {
    await open();
    await panel.textbox('labels').fill('tier in (web');
    await panel.page.locator('.problems mark').waitFor();
    expect(await panel.page.locator('.problems mark').textContent()).toBe('(web');
    await panel.run();
    await until(() =>
      panel.page.evaluate(() => document.activeElement?.classList.contains('labelSelector')),
    );
    expect(lists()).toEqual([]);
    await panel.textbox('labels').fill('tier in (web)');
    await panel.page.locator('.problems mark').waitFor({ state: 'detached' });
  });

  it('has warnings heard, and calls invalid only what is refused', async () => {
    await open();
    panel.host.handlers.check = (query) => {
      const warning = {
        severity: 'warning',
        message: 'Not known here.',
        start: 0,
        end: 1,
      } as const;
      const error = { ...warning, severity: 'error', message: 'Not a number.' } as const;
      const problems = [
        { ...warning, field: 'resource' },
        { ...warning, field: 'labelSelector' },
        { ...warning, field: 'limit' },
        { ...error, field: 'limit' },
      ] as const;
      return Promise.resolve({ ...data.check(query), problems });
    };
    await panel.textbox('limit').fill('x');
    const heard = (input: Locator) =>
      input.evaluate((it) => [
        it.getAttribute('aria-description'),
        it.getAttribute('aria-invalid'),
      ]);
    await expect
      .poll(() => heard(panel.textbox('limit')))
      .toEqual(['Not known here. Not a number.', 'true']);
    expect(await heard(panel.page.locator('#resource'))).toEqual(['Not known here.', null]);
    expect(await heard(panel.textbox('labels'))).toEqual(['Not known here.', null]);
  });

  it('asks before it reads everything, and takes no for an answer', async () => {
    await open();
    panel.host.handlers.confirmUnlimited = () => Promise.resolve({ yes: false });
    await panel.textbox('limit').fill('');
    await panel.run();
    await until(() => panel.host.called('confirmUnlimited').length === 1);
    await panel.settled();
    expect(lists()).toEqual([]);
    panel.host.handlers.confirmUnlimited = () => Promise.resolve({ yes: true });
    await panel.run();
    await until(() => lists().length === 1);
    expect(lists()[0]).toMatchObject({ confirmed: true });
  });

  it('says that the server is gone, and reruns', async () => {
    await open({
      prepare: (host) => {
        host.list = data.untilStopped;
      },
    });
    await panel.run();
    await says('15 rows so far');
    panel.host.notify('serverGone', { recovered: false });
    await says('The language server ended while this list ran.');
    const logs = panel.button('Show log');
    expect(await logs.count()).toBe(1);
    expect(await panel.button('Run again').count()).toBe(0);
    panel.host.notify('serverGone', { recovered: true });
    await says('The language server ended while this list ran, and runs again.');
    expect(await panel.page.getByText('being started again').count()).toBe(0);
    expect(await logs.count()).toBe(1);
    panel.host.list = data.onePercent;
    await panel.button('Run again').click();
    await says('100 rows · more follow');
    expect(await panel.page.locator('.banner').count()).toBe(0);
  });

  it('sorts, filters and exports what is shown', async () => {
    await open();
    await panel.run();
    await says('100 rows');
    await panel.button('Size').click();
    await panel.textbox('filter').fill('KUBE');
    await says(/of 100 rows/);
    await panel.settled();
    const sizes = (await cells('size')).map((text) => Number(text.replace(',', '')));
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(new Set(await cells('namespace'))).toEqual(new Set(['kube-system']));
    await panel.button('Export').click();
    await panel.page.getByRole('menuitem', { name: /NDJSON/ }).click();
    const [{ text, suggestedName } = { text: '', suggestedName: '' }] = (await until(
      () => panel.host.called('export')[0] && panel.host.called('export'),
    )) as { text: string; suggestedName: string }[];
    expect(suggestedName).toBe('pods-rv84213.ndjson');
    const exported = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    expect(new Set(exported.map(({ namespace }) => namespace))).toEqual(new Set(['kube-system']));
  });

  it('runs a query that the host hands over, as it then stands in the query bar', async () => {
    await open();
    await panel.page.getByRole('tab', { name: 'Token' }).click();
    const query = { ...emptyQuery, resource: 'nodes', limit: '7', continueToken: 'eyJ2' };
    panel.host.notify('runQuery', { query, follow: true });
    await expect
      .poll(() => panel.host.called('list').at(-1))
      .toMatchObject({ query, follow: true });
    expect(await panel.textbox('continue token').inputValue()).toBe('eyJ2');
    const rows = panel.page.getByRole('tab', { name: 'Rows' });
    await expect.poll(() => rows.getAttribute('aria-selected')).toBe('true');
  });

  it('has a tab of metrics once some were read, by keyboard too, and copies and opens them', async () => {
    await open();
    const tab = (name: string) => panel.page.getByRole('tab', { name });
    expect(await tab('Metrics').count()).toBe(0);
    await tab('Explain').click();
    await panel.page.keyboard.press('ArrowRight');
    await expect.poll(() => tab('Rows').getAttribute('aria-selected')).toBe('true');
    panel.host.notify('metrics', data.metrics);
    await expect.poll(() => tab('Metrics').getAttribute('aria-selected')).toBe('true');
    const pods = panel.page.getByRole('row', { name: /^pods/ });
    expect(await pods.getByRole('cell').allInnerTexts()).toEqual([
      '240',
      '3,048,000',
      '127',
      'selector death spiral',
    ]);
    await says('pods: A selector death spiral');
    await panel.button('Copy as CSV').click();
    await expect.poll(() => panel.host.called('copy')).toHaveLength(1);
    expect(panel.host.called('copy')[0]).toMatchObject({ what: 'the table as CSV' });
    await panel.button('Open as text').click();
    await expect
      .poll(() => panel.host.called('openMetricsText'))
      .toEqual([{ name: 'now.txt', text: 'all of it as text' }]);
    await tab('Metrics').focus();
    await panel.page.keyboard.press('ArrowRight');
    await expect.poll(() => tab('Rows').getAttribute('aria-selected')).toBe('true');
    await panel.page.keyboard.press('End');
    await expect.poll(() => tab('Metrics').getAttribute('aria-selected')).toBe('true');
    await panel.run();
    await expect.poll(() => tab('Rows').getAttribute('aria-selected')).toBe('true');
    await panel.button('Next page').waitFor();
    // What can be done with the rows of a list is not offered for metrics.
    await tab('Metrics').click();
    await expect.poll(() => panel.page.locator('.footer').isVisible()).toBe(false);
  });

  it('inspects a token, edits its fields, and uses it', async () => {
    await open();
    panel.host.notify('inspectToken', { text: 'eyJ2' });
    await says('The API server takes this token');
    expect(panel.host.called('decodeToken').at(-1)).toMatchObject({ text: 'eyJ2', askEtcd: true });
    await panel.textbox('start').fill('../secrets/');
    await says('Refused: the start key would leave its prefix');
    expect(await panel.textbox('Continue token').inputValue()).toBe(data.tokenFacts('..').token);
    expect(panel.host.called('encodeToken').at(-1)).toMatchObject({
      start: '../secrets/',
      resourceVersion: '84213',
    });
    await panel.textbox('start').fill('web/a\\x00');
    await says('The API server takes this token');
    await panel.button('Use in the query').click();
    await expect
      .poll(() => panel.textbox('continue token').inputValue())
      .toBe(data.tokenFacts('').token);
    await panel.button('More').click();
    const more = panel.page.getByRole('button', { name: /^More/ });
    await expect.poll(() => more.innerText()).toBe('More\n(1 set)');
    expect(await more.getAttribute('title')).toBe('set: continue token');
  });

  it('opens rows above the line of a later snapshot at their own revision, also when sorted', async () => {
    const later = states.find(({ name }) => name === 'later-snapshot')!;
    await later.reach(await open(later));
    const version = panel.button('Version');
    const caption = panel.page.locator('.later-caption');
    expect(await caption.isVisible()).toBe(false);
    await version.click();
    await says('Rows with this bar are of a later snapshot (revision 90,117), inconsistent');
    await version.click();
    const openRow = async (at: number, rows: number) => {
      await panel.page.locator('.grid-body .cell.name').nth(at).click();
      await until(() => panel.host.called('openObject').length === rows);
    };
    const marked = panel.page.locator('.grid-body .row.later').first();
    expect(await marked.getAttribute('title')).toBe('of a later snapshot (revision 90,117)');
    await openRow(0, 1);
    await version.click();
    await caption.waitFor({ state: 'hidden' });
    await openRow(0, 2);
    const opened = panel.host.called('openObject') as { row: Row; revision: string }[];
    expect(opened.map(({ row, revision }) => [Number(row.version) >= 75_000, revision])).toEqual([
      [true, '90117'],
      [false, '84213'],
    ]);
  });

  it('begins a new list in its own order', async () => {
    await open();
    await panel.run();
    await says('100 rows');
    await panel.button('Size').click();
    const head = panel.page.getByRole('columnheader', { name: 'Size' });
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    await panel.button('Next page').click();
    await says('200 rows');
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await panel.run();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('none');
    await says('100 rows');
    expect((await cells('name'))[0]).toBe(data.row(0).name);
  });

  it('says of a list that failed what had matched in it', async () => {
    await open({
      prepare: (host) => {
        host.list = (_, emit) => {
          emit({ kind: 'request', request: data.request(1, { matched: 3 }), done: true });
          const sentence = 'The object at /x cannot be read.';
          return Promise.resolve(data.done({ failure: { code: 'unreadable', sentence } }));
        };
      },
    });
    await panel.run();
    await says('3 objects matched before the failure; rows come once their page is whole.');
  });

  it.each([
    [{ compacted: true }, 'refused on this etcd: its revision is compacted (410 Expired)'],
    [{ compactedUnknown: 'future', notReached: true }, '(504 Too large resource version)'],
    [{ compactedUnknown: 'etcd was not asked' }, 'Well formed: the API server takes it while'],
    [{ compacted: false }, 'The API server takes this token'],
    [{ resourceVersion: '-1', compactedUnknown: 'none' }, 'The API server takes this token'],
  ])('says of a token no more than is known: %j', async (known, title) => {
    await open();
    const facts = { ...data.tokenFacts('') };
    delete facts.compacted;
    panel.host.handlers.decodeToken = () => Promise.resolve({ ...facts, ...known });
    panel.host.notify('inspectToken', { text: 'eyJ2' });
    await says(title);
    const mark = await panel.page.locator('.verdict-title').innerText();
    expect(mark.slice(0, 1)).toBe(title.includes('(') ? '!' : '✓');
    const facing = panel.page.getByRole('row', { name: /^Resumes at/ });
    await panel.page.getByRole('combobox', { name: 'namespace', exact: true }).fill('web');
    await expect.poll(() => facing.innerText()).toContain('for pods in namespace web, as in the');
  });

  it('asks etcd nothing about a token while not connected', async () => {
    await open({
      prepare: (host) => {
        host.start = data.start({ state: 'disconnected' });
      },
    });
    panel.host.notify('inspectToken', { text: 'eyJ2' });
    await says('The API server takes this token');
    expect(
      (panel.host.called('decodeToken') as DecodeTokenParams[]).map(({ askEtcd }) => askEtcd),
    ).toEqual([false]);
    expect(panel.host.called('namespaces')).toEqual([]);
  });

  it('keeps the focus on the button of a watch cache while others come and go', async () => {
    await open({
      prepare: (host) => {
        const watchCaches = ['nodes', 'pods'].map((resource) => data.watchCache({ resource }));
        host.start = { ...data.start(), watchCaches };
      },
    });
    const focused = () =>
      panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await panel.button('Stop cache of pods').focus();
    panel.host.notify('watchCaches', [data.watchCache({ resource: 'pods' })]);
    await panel.button('Stop cache of nodes').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Stop cache of pods');
  });

  it('gives the focus to what had it when the window gets it back', async () => {
    await open();
    const focused = () => panel.page.evaluate(() => document.activeElement?.id);
    const leave = (come: boolean) =>
      panel.page.evaluate((come) => {
        (document.activeElement as HTMLElement).blur();
        window.dispatchEvent(new FocusEvent('blur'));
        if (come) window.dispatchEvent(new FocusEvent('focus'));
      }, come);
    const resource = panel.page.locator('#resource');
    await resource.focus();
    await leave(false);
    expect(await focused()).toBe('');
    await resource.focus();
    await leave(true);
    expect(await focused()).toBe('resource');
    // What cannot take it is left alone.
    await panel.button('Run').focus();
    panel.host.notify('status', { state: 'disconnected' });
    await expect.poll(() => panel.button('Run').isDisabled()).toBe(true);
    await leave(true);
    expect(await panel.page.evaluate(() => document.activeElement?.textContent)).not.toBe('Run');
  });

  it('comes back as it was saved', async () => {
    await open();
    await panel.textbox('labels').fill('app=nginx');
    await panel.tab('Token').click();
    const saved = await until(() =>
      panel.page.evaluate(() =>
        JSON.stringify(window.savedState).includes('"token"') ? window.savedState : undefined,
      ),
    );
    await panel.close();
    await open({ saved });
    expect(await panel.textbox('labels').inputValue()).toBe('app=nginx');
    expect(await panel.tab('Token').getAttribute('aria-selected')).toBe('true');
  });

  it('does all of it by keys alone', async () => {
    await open({
      prepare: (host) => {
        host.start = data.start({ state: 'disconnected' });
      },
    });
    const { keyboard } = panel.page;
    const tabTo = async (what: string): Promise<void> => {
      await until(
        async () => {
          await keyboard.press('Tab');
          return panel.page.evaluate((wanted) => {
            const active = document.activeElement;
            // Between the last and the first stop the focus is on nothing.
            if (active === document.body) return false;
            const label = active?.getAttribute('aria-label') ?? '';
            return `${active?.id ?? ''}|${label}|${active?.textContent ?? ''}`.includes(wanted);
          }, what);
        },
        { what: `the focus on ${what}`, intervalMs: 0 },
      );
    };
    await tabTo('Connection');
    await keyboard.press('Enter');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await says('Ready');
    await tabTo('resource');
    await until(() => panel.host.called('resources').length >= 1);
    await panel.settled();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await keyboard.press(key);
    expect(await panel.page.locator('#resource').inputValue()).toBe('pods');
    await tabTo('labels');
    await keyboard.type('app=nginx');
    await keyboard.press('Enter');
    await says('100 rows · more follow');
    await tabTo('Rows');
    await keyboard.press('ArrowRight');
    await expect.poll(() => panel.tab('Round trips').getAttribute('aria-selected')).toBe('true');
    await keyboard.press('ArrowLeft');
    await panel.settled();
    await tabTo('filter');
    await panel.page.keyboard.press('Tab');
    await until(() =>
      panel.page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'),
    );
    for (const key of ['End', 'ArrowUp', 'Control+c', 'Enter']) await keyboard.press(key);
    await until(() => panel.host.called('openObject').length === 1);
    expect(panel.host.called('openObject')[0]).toMatchObject({
      resource: 'pods',
      revision: '84213',
    });
    expect((panel.host.called('copy')[0] as { text: string }).text.split('\t')).toHaveLength(6);
    const active = await panel.page.getByRole('grid').getAttribute('aria-activedescendant');
    expect(active).toBe('row-98');
    expect(await panel.page.locator(`#${active ?? ''}`).getAttribute('aria-rowindex')).toBe('100');
    await tabTo('Next page');
    await keyboard.press('Enter');
    await says('200 rows · more follow');
  });
});
