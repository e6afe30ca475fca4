/** What is asked of the host, and what stays on the page, while a person types and moves about. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EncodeTokenParams } from '../../../server/protocol/model';
import { RpcError } from '../../../server/protocol/rpc';
import { maxSavedText } from '../../../webview/state';
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

const refuse = (sentence: string) => Promise.reject(new RpcError({ code: 'badRequest', sentence }));

/** As the server does: a revision of digits, a start key whose escapes are whole. */
function encodeToken({ resourceVersion, start }: EncodeTokenParams) {
  if (!/^-?\d+$/.test(resourceVersion)) return refuse('The resourceVersion is not a whole number.');
  if (/\\x?[0-9a-f]?$/.test(start)) return refuse('The start key ends within an escape.');
  return Promise.resolve({ ...data.tokenFacts(start), resourceVersion, start });
}

describe.skipIf(noBrowser)('while a person types', () => {
  let browser: Browser;
  let panel: Panel;
  const open = async (options?: OpenOptions): Promise<Panel> => {
    panel = await openPanel(browser, options);
    return panel;
  };
  const says = (text: string | RegExp) => panel.page.getByText(text).first().waitFor();
  const box = (name: string) => panel.page.getByRole('combobox', { name, exact: true });

  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    expect(panel.faults).toEqual([]);
    await panel.close();
  });
  afterAll(() => browser.close());

  it('a field of a token stays while what is in it makes none', async () => {
    await open();
    panel.host.handlers.encodeToken = encodeToken;
    panel.host.notify('inspectToken', { text: 'eyJ2' });
    await says('The API server takes this token');
    const { keyboard } = panel.page;
    const taken = panel.page.getByText('The API server takes this token');
    const revision = panel.textbox('rv');
    await revision.focus();
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await says('The resourceVersion is not a whole number.');
    expect(await taken.count()).toBe(0);
    // The pasted text is not that of the fields any more.
    await expect.poll(() => panel.textbox('Continue token').inputValue()).toBe('');
    await keyboard.press('-');
    await panel.settled();
    await says('The resourceVersion is not a whole number.');
    await keyboard.press('1');
    await taken.waitFor();
    expect(await revision.inputValue()).toBe('-1');
    await panel.textbox('start').focus();
    await keyboard.press('Control+a');
    for (const key of ['w', 'e', 'b', '\\', 'x', '0']) {
      await keyboard.press(key);
      await panel.settled();
    }
    await says('The start key ends within an escape.');
    await keyboard.press('0');
    await taken.waitFor();
    expect(await panel.textbox('start').inputValue()).toBe('web\\x00');
    expect(await panel.page.getByText('ends within an escape').count()).toBe(0);
  });

  it('it is said why a revision is not known to be compacted', async () => {
    await open();
    const compactedUnknown = 'etcd has not reached the revision yet';
    panel.host.handlers.decodeToken = () =>
      Promise.resolve({ ...data.tokenFacts('..'), compactedUnknown });
    panel.host.notify('inspectToken', { text: 'eyJ2' });
    await says('not known: etcd has not reached the revision yet');
  });

  it('names are asked for when their box is entered, once of each connection', async () => {
    await open();
    const asked = () =>
      ['resources', 'namespaces'].map((name) => panel.host.called(name as 'resources').length);
    await panel.settled();
    expect(asked()).toEqual([0, 0]);
    await box('resource').click();
    await panel.page.getByRole('option', { name: /pods/ }).waitFor();
    expect(asked()).toEqual([1, 0]);
    await box('namespace').focus();
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.getByRole('option', { name: 'kube-system' }).waitFor();
    await box('resource').focus();
    await box('namespace').focus();
    await panel.settled();
    expect(asked()).toEqual([1, 1]);
    panel.host.notify('status', { state: 'disconnected' });
    panel.host.notify('status', { state: 'connecting', name: 'prod' });
    panel.host.notify('status', data.connected());
    await panel.settled();
    expect(asked()).toEqual([1, 1]);
    await box('resource').focus();
    await box('namespace').focus();
    await panel.settled();
    expect(asked()).toEqual([2, 2]);
  });

  it('keys that were pressed before the names came choose among them', async () => {
    await open();
    let answer: () => void = () => undefined;
    panel.host.handlers.resources = () =>
      new Promise((resolve) => {
        answer = () => {
          resolve(data.resources);
        };
      });
    await box('resource').focus();
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('ArrowDown');
    await waitFor(() => panel.host.called('resources').length === 1, { timeoutMs: patienceMs });
    answer();
    await panel.page.getByRole('option', { name: /^pods/, selected: true }).waitFor();
  });

  it('names that may not be read are no trouble, and typing works', async () => {
    await open();
    panel.host.handlers.resources = () => refuse('permission denied');
    panel.host.handlers.namespaces = () => refuse('permission denied');
    await box('resource').fill('secrets');
    await box('namespace').fill('web');
    await panel.settled();
    expect(await panel.page.locator('.banner').count()).toBe(0);
    await panel.run();
    await says('100 rows');
    expect(panel.host.called('list')[0]).toMatchObject({
      query: { resource: 'secrets', namespace: 'web' },
    });
  });

  it('of a large text that was pasted only its begin is kept', async () => {
    await open();
    await panel.tab('Token').click();
    await panel.textbox('Continue token').fill('ä'.repeat(maxSavedText));
    await panel.settled();
    const saved = await panel.page.evaluate(
      () => (window.savedState as { tokenText: string }).tokenText,
    );
    expect(saved).toBe('ä'.repeat(maxSavedText / 2));
  });
});
