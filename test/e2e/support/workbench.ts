import { basename, join } from 'node:path';
import { mkdirSync } from 'node:fs';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { waitFor } from '../../support/waitFor';
import type { CodeServer } from './codeServer';
import { killAll } from '../../support/processes';
import { middleOf } from './textRange';

export type Theme = 'light' | 'dark' | 'high contrast' | 'high contrast light';

/** A theme's name in settings, and the class by which the workbench says that it is on. */
const themes: Readonly<Record<Theme, { readonly name: string; readonly marker: string }>> = {
  light: { name: 'Visual Studio Light', marker: 'vs' },
  dark: { name: 'Visual Studio Dark', marker: 'vs-dark' },
  'high contrast': { name: 'Default High Contrast', marker: 'hc-black' },
  'high contrast light': { name: 'Default High Contrast Light', marker: 'hc-light' },
};

/** Of VS Code itself: without an account, a marketplace and a desktop; each error that it notifies of. */
const noise: readonly RegExp[] = [
  /^Failed to load resource: (?!.*etcd-list)/,
  /Timed out waiting for authentication provider 'github'/,
  /\[lifecycle\] Long running operations during shutdown/,
  /\/static\/out\/[^)]*\/workbench[^)/]*\.js\)$/,
];

const slow = { timeoutMs: 60_000, intervalMs: 50 };

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** What a person does in one window of VS Code. Every method resolves when its effect is seen. */
export class Workbench {
  /** Uncaught errors and console errors of the window and of the panels in it. */
  readonly consoleErrors: string[] = [];

  private constructor(
    readonly server: CodeServer,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.consoleErrors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.consoleErrors.push(`${message.text()} (${message.location().url})`);
    });
  }

  /** The same without what VS Code says by itself: what is thrown in our panel, or breaks its policy. */
  get panelErrors(): readonly string[] {
    return this.consoleErrors.filter((text) => !noise.some((known) => known.test(text)));
  }

  static async open(server: CodeServer, context: BrowserContext): Promise<Workbench> {
    const workbench = new Workbench(server, await context.newPage());
    await workbench.page.goto(server.url, { timeout: 90_000 });
    await workbench.ready();
    return workbench;
  }

  /** Loads the window anew by VS Code's own command, which puts down what is to survive. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 60_000 });
    await this.palette('Developer: Reload Window');
    await loaded;
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
    // The extension host is there once the status bar has its remote entry.
    await this.page.locator('.statusbar-item').first().waitFor({ timeout: 60_000 });
  }

  /** The open quick pick or input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** Where one types in it. */
  get quickBox(): Locator {
    return this.quickInput.locator('input:not([type="checkbox"])').first();
  }

  /** The rows of the open quick pick. */
  get quickRows(): Locator {
    return this.quickInput.locator('.quick-input-list .monaco-list-row');
  }

  /**
   * Runs a command by its title in the palette, `Category: Title`. The palette lists a command only
   * once the manifest that contributes it is read, and looks only when it opens.
   */
  async palette(title: string): Promise<void> {
    await this.pick(
      `>${title}`,
      new RegExp(`^${escaped(title)}(,|$)`),
      `“${title}” in the palette`,
    );
  }

  private async pick(typed: string, row: RegExp, what: string): Promise<void> {
    await waitFor(
      async () => {
        // In an editor Escape would take the selection back.
        if (await this.quickInput.isVisible()) await this.page.keyboard.press('Escape');
        await this.page.keyboard.press('F1');
        await this.quickBox.fill(typed, { timeout: 3000 });
        const found = this.quickInput.getByRole('option', { name: row }).first();
        await found.click({ timeout: 5000 });
        return true;
      },
      { ...slow, what },
    );
  }

  /** Opens a file of the workspace folder, or one with an absolute path, in an editor. */
  async openFile(path: string): Promise<void> {
    const name = basename(path);
    await this.pick(path, new RegExp(`^${escaped(name)}(,| |$)`), `“${path}” among the files`);
    const tab = this.page.locator(`.tab.active[data-resource-name="${name}"]`);
    await tab.waitFor({ timeout: slow.timeoutMs });
    await this.page.locator('.editor-instance .view-line').first().waitFor();
  }

  /** Chooses a row of the quick pick that a command of ours has opened. */
  async choose(row: string | RegExp): Promise<void> {
    await this.quickInput
      .getByRole('option', { name: row })
      .first()
      .click({ timeout: slow.timeoutMs });
  }

  /** Fills the input box that a command of ours has opened, and accepts it. */
  async answer(text: string): Promise<void> {
    const input = this.quickBox;
    await input.fill(text, { timeout: slow.timeoutMs });
    await input.press('Enter');
  }

  /** The items of the status bar whose text or accessible label matches. */
  statusBarItem(text: RegExp): Locator {
    const items = this.page.locator('.statusbar-item');
    const labelled = this.page.getByRole('button', { name: text });
    return items
      .filter({ hasText: text })
      .or(items.filter({ has: labelled }))
      .first();
  }

  /** The texts of the notifications that are shown. */
  async notifications(): Promise<string[]> {
    return await this.page.locator('.notification-list-item-message').allInnerTexts();
  }

  async notification(text: RegExp): Promise<Locator> {
    const item = this.page.locator('.notification-list-item').filter({ hasText: text }).first();
    await item.waitFor({ timeout: slow.timeoutMs });
    return item;
  }

  /** Rests the pointer on `text` in the active editor, and resolves with the hover that then shows. */
  async hoverOver(text: string, expected = /\S/): Promise<Locator> {
    const hover = this.page
      .locator('.monaco-hover:not(.hidden):not(.workbench-hover)')
      .filter({ hasText: expected })
      .filter({ hasNotText: /^Loading\.\.\.$/ })
      .first();
    await waitFor(
      async () => {
        const point = await middleOf(this.page, text);
        if (!point) return false;
        await this.page.mouse.move(point.x, point.y + 60);
        await this.page.mouse.move(point.x, point.y, { steps: 3 });
        await hover.waitFor({ timeout: 3000 });
        return true;
      },
      { ...slow, what: `a hover with ${String(expected)} on “${text}”` },
    );
    return hover;
  }

  /** The document of a webview panel, by its tab's title when several are open. */
  async panelFrame(title?: string | RegExp): Promise<Frame> {
    const matches = (found: string | null): boolean =>
      title === undefined ||
      (typeof title === 'string' ? found === title : title.test(found ?? ''));
    return await waitFor(
      async () => {
        for (const frame of this.page.frames()) {
          if (frame === this.page.mainFrame() || frame.isDetached()) continue;
          const element = await frame.frameElement();
          if ((await element.getAttribute('id')) !== 'active-frame') continue;
          if (matches(await element.getAttribute('title'))) return frame;
        }
        return undefined;
      },
      { ...slow, what: `a panel${title === undefined ? '' : ` “${String(title)}”`}` },
    );
  }

  /** The lines that the active terminal shows, as they are wrapped, without what is scrolled away. */
  async terminalText(): Promise<string> {
    const rows = await this.page
      .locator('.terminal-wrapper.active .xterm-rows > div')
      .allTextContents();
    return rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
  }

  async theme(theme: Theme): Promise<void> {
    const { name, marker } = themes[theme];
    this.server.changeSettings({ 'workbench.colorTheme': name });
    await this.page.locator(`.monaco-workbench.${marker}`).waitFor({ timeout: slow.timeoutMs });
  }

  /** Grants trust to the workspace folder by VS Code's own page. */
  async trustFolder(): Promise<void> {
    await this.palette('Workspaces: Manage Workspace Trust');
    const button = this.page.getByRole('button', { name: 'Trust', exact: true });
    await button.click({ timeout: slow.timeoutMs });
    await this.statusBarItem(/Restricted Mode/).waitFor({ state: 'hidden' });
  }

  /** Ends a server process without warning; `fragment` stands in its command line. */
  async killServer(fragment: string): Promise<number> {
    const [found, ...others] = await waitFor(
      () => {
        const processes = this.server.processes(fragment);
        return processes.length > 0 ? processes : undefined;
      },
      { ...slow, what: `a process with “${fragment}”` },
    );
    if (!found || others.length > 0) throw new Error(`several processes have “${fragment}”`);
    await killAll([found]);
    return found.pid;
  }

  /** Keeps a picture of the window, for a person to look at. */
  async screenshot(name: string): Promise<string> {
    const dir = join(this.server.outDir, 'screenshots');
    mkdirSync(dir, { recursive: true });
    const path = join(dir, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
    await this.page.screenshot({ path });
    return path;
  }
}
