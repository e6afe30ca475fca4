/** Parts of the window that some suites look at: tooltips, dialogs, editors, output. */
import type { Locator } from 'playwright-core';
import { waitFor } from '../../support/waitFor';
import type { ListPanel } from './panel';
import type { Workbench } from './workbench';

const slow = { timeoutMs: 60_000, intervalMs: 50 };

/**
 * The lines of a status bar item's tooltip, once one of them is as expected. VS Code keeps a tooltip
 * open, and up to date, as long as its item has the focus.
 */
export async function statusTooltip(
  code: Workbench,
  text: RegExp,
  expected: RegExp,
): Promise<string[]> {
  const tooltip = code.page.locator('.workbench-hover').filter({ hasText: 'Click for the menu.' });
  return await waitFor(
    async () => {
      await code.page.mouse.move(200, 400);
      await code.statusBarItem(text).hover({ timeout: 3000 });
      await tooltip.filter({ hasText: expected }).waitFor({ timeout: 3000 });
      const lines = (await tooltip.innerText()).split(/\n+/);
      return lines.map((line) => line.trim()).filter((line) => line !== '');
    },
    { ...slow, what: `the tooltip of ${String(text)} with ${String(expected)}` },
  );
}

/**
 * Opens a quick pick and chooses from it. It closes when the focus moves, which on a slow machine it
 * may do late, after the window that had it before is gone; then it is opened anew.
 */
async function chooseFrom(
  code: Workbench,
  open: () => Promise<void>,
  row: RegExp,
  what: string,
): Promise<void> {
  await waitFor(
    async () => {
      await open();
      await code.quickInput.getByRole('option', { name: row }).first().click({ timeout: 5000 });
      return true;
    },
    { ...slow, what },
  );
}

/** Opens the menu of the status bar item and chooses an entry. */
export async function statusMenu(code: Workbench, item: RegExp, entry: RegExp): Promise<void> {
  const open = () => code.statusBarItem(item).click({ timeout: 5000 });
  await chooseFrom(code, open, entry, `${String(entry)} in the menu of ${String(item)}`);
}

/** Chooses a connection by “Connect…” of the palette. */
export async function connectByPalette(code: Workbench, row: RegExp): Promise<void> {
  const open = () => code.palette('etcd LIST: Connect…');
  await chooseFrom(code, open, row, `${String(row)} among the connections`);
}

/** The modal dialog that asks something. */
export function dialog(code: Workbench): Locator {
  return code.page.locator('.monaco-dialog-box');
}

/** The drawn lines from top to bottom, blanks as blanks. */
async function drawnText(group: Locator): Promise<string> {
  const texts = await group.locator('.view-line').evaluateAll((elements) =>
    elements
      .map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent }))
      .toSorted((a, b) => a.top - b.top)
      .map(({ text }) => text),
  );
  return texts.map((text) => text.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
}

/** What is drawn of the active editor. */
export const editorText = (code: Workbench): Promise<string> =>
  drawnText(code.page.locator('.editor-group-container.active'));

/** What is drawn in the group of the document beside whose title ends so, wherever the focus is. */
export const pageText = (code: Workbench, title: string): Promise<string> =>
  drawnText(
    code.page.locator('.editor-group-container', {
      has: code.page.locator(`.tab.active[data-resource-name$=" ${title}"]`),
    }),
  );

/** Waits until the document beside shows this, and returns all that is drawn of it. */
export async function pageSays(code: Workbench, title: string, text: RegExp): Promise<string> {
  return await waitFor(
    async () => {
      const drawn = await pageText(code, title);
      return text.test(drawn) ? drawn : undefined;
    },
    { ...slow, what: `${title} with ${String(text)}` },
  );
}

/** Waits until the active editor shows this, and returns all that it shows. */
export async function editorShows(code: Workbench, text: string): Promise<string> {
  return await waitFor(
    async () => {
      const shown = await editorText(code);
      return shown.includes(text) ? shown : undefined;
    },
    { ...slow, what: `an editor with “${text}”` },
  );
}

/** Waits for the notification with exactly this text, and returns it. */
export async function saidOnce(code: Workbench, sentence: string | RegExp): Promise<Locator> {
  const item = code.page
    .locator('.notification-list-item')
    .filter({ has: code.page.getByText(sentence, { exact: true }) });
  await item.first().waitFor({ timeout: slow.timeoutMs });
  const count = await item.count();
  if (count !== 1) throw new Error(`${count} notifications say “${String(sentence)}”`);
  return item;
}

/**
 * All notifications once this is one of them. VS Code lets them disappear after a while, and does not
 * show each at once, but keeps them all in its notification centre.
 */
export async function allSaid(code: Workbench, sentence: string): Promise<string[]> {
  return await waitFor(
    async () => {
      await code.palette('Notifications: Show Notifications');
      await code.page.locator('.notifications-center.visible').waitFor({ timeout: 3000 });
      const texts = await code.notifications();
      return texts.includes(sentence) ? texts : undefined;
    },
    { ...slow, what: `a notification “${sentence}”` },
  );
}

/** Closes what notifications are shown. */
export async function clearNotifications(code: Workbench): Promise<void> {
  await code.palette('Notifications: Clear All Notifications');
  await code.page.locator('.notification-list-item').first().waitFor({ state: 'hidden' });
}

/**
 * Presses “Run again” until the totals say this: for up to two seconds after an etcd is back, a
 * connection that waits before its next attempt still answers with the failure of the last one.
 */
export async function runAgainUntil(panel: ListPanel, totals: RegExp): Promise<void> {
  await waitFor(
    async () => {
      await panel.follow('Run again');
      return totals.test(await panel.totalsText());
    },
    { ...slow, what: `totals with ${String(totals)}` },
  );
}
