/** The built page in Chromium, in the document that the extension gives VS Code, policy and all. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../e2e/codeServers.mjs';
import { requireOrSkip } from '../../support/requireOrSkip';
import { pageHtml } from '../../../client/panel/html';
import type { WireMessage } from '../../../server/protocol/rpc';
import * as data from './data';
import { ScriptedHost } from './host';
import { bodyClass, variables, type Theme } from './themes';

export const root = resolve(import.meta.dirname, '../../..');
const bundle = join(root, 'dist/webview');
const executablePath = findChromium();
/** Until a condition counts as failed; wide, since a loaded machine is slow and nothing else. */
export const patienceMs = 60_000;
export const origin = 'https://panel.test';

export const noBrowser = requireOrSkip(
  'Chromium',
  executablePath,
  'there is none on PATH, nor at $CHROMIUM_BIN',
);

export const launch = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });

const html = pageHtml({
  cspSource: origin,
  nonce: 'dGVzdC1ub25jZQ',
  styleNonce: 'c3R5bGUtbm9uY2U',
  script: `${origin}/main.js`,
  style: `${origin}/style.css`,
  language: 'en',
});

declare global {
  interface Window {
    toHost: (message: unknown) => void;
    toTest: (text: string) => void;
    savedState?: unknown;
  }
}

export interface OpenOptions {
  readonly prepare?: (host: ScriptedHost) => void;
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly saved?: unknown;
  readonly realClock?: boolean;
}

export class Panel {
  constructor(
    readonly page: Page,
    readonly host: ScriptedHost,
    /** Breaches of the content policy, and what was thrown or logged as an error. */
    readonly faults: readonly string[],
    /** Resolves when all that the host has posted so far has reached the page. */
    private readonly delivered: () => Promise<void>,
  ) {}

  button = (name: string) => this.page.getByRole('button', { name, exact: true });
  textbox = (name: string) => this.page.getByRole('textbox', { name, exact: true });
  tab = (name: string) => this.page.getByRole('tab', { name });

  async run(): Promise<void> {
    await this.button('Run').click();
  }

  /**
   * Until the page has shown all that it was told, and has no answer to wait for but that of a list.
   * What the page does only after a while of stillness is awaited by the test that brings it about.
   */
  async settled(): Promise<void> {
    let calls: number;
    do {
      calls = this.host.calls.length;
      await this.host.answered();
      await this.delivered();
      await this.shown();
    } while (this.host.calls.length > calls);
  }

  /** Messages are taken in order, and shown at the next frame. */
  private async shown(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const marker = new MessageChannel();
          const taken = ({ ports }: MessageEvent): void => {
            if (ports.length === 0) return;
            window.removeEventListener('message', taken);
            requestAnimationFrame(() =>
              requestAnimationFrame(() => {
                resolve();
              }),
            );
          };
          window.addEventListener('message', taken);
          window.postMessage(null, '*', [marker.port1]);
        }),
    );
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.page.evaluate(
      ({ pairs, name }) => {
        const { style } = document.documentElement;
        for (const old of Array.from(style).filter((each) => each.startsWith('--vscode-'))) {
          style.removeProperty(old);
        }
        for (const [variable, value] of pairs) style.setProperty(variable, value);
        style.setProperty('background', 'var(--vscode-editor-background)');
        document.body.className = name;
      },
      { pairs: variables(theme), name: bodyClass[theme] },
    );
    await this.settled();
  }

  close = () => this.page.context().close();
}

interface Installed {
  readonly saved: unknown;
  /** The time of day at which the page's clock stands; absent to let it go. */
  readonly now?: number;
}

/**
 * Runs before the page's own scripts. Only the clock's reading stands still: timers and frames are
 * the browser's own, so that what follows a layout follows it here too.
 */
function installApi({ saved, now }: Installed): void {
  let state = saved;
  if (now !== undefined) {
    Date.now = () => now;
    performance.now = () => 0;
  }
  Object.assign(globalThis, {
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => {
        window.toHost(message);
      },
      getState: () => state,
      setState: (next: unknown) => {
        state = next;
        window.savedState = next;
      },
    }),
  });
  document.addEventListener(
    'securitypolicyviolation',
    ({ violatedDirective, blockedURI, sample }) => {
      window.toTest(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    },
  );
}

export async function openPanel(browser: Browser, options: OpenOptions = {}): Promise<Panel> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1100, height: options.height ?? 720 },
    timezoneId: 'UTC',
    locale: 'en-US',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const faults: string[] = [];
  const waiting: WireMessage[] = [];
  let delivery: Promise<void> = Promise.resolve();
  const deliver = (): void => {
    const messages = waiting.splice(0);
    // As text: taking apart the rows of a large list value by value takes a minute.
    const post = (text: string): void => {
      for (const each of JSON.parse(text) as unknown[]) window.postMessage(each, '*');
    };
    // A page that has closed meanwhile takes no message.
    delivery = page.evaluate(post, JSON.stringify(messages)).catch(() => undefined);
  };
  const host = new ScriptedHost((message) => {
    if (waiting.push(message) === 1) setImmediate(deliver);
  });
  options.prepare?.(host);
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('toHost', (message: WireMessage) => {
    host.receive(message);
  });
  await page.exposeFunction('toTest', (text: string) => faults.push(text));
  const installed = { saved: options.saved, ...(!options.realClock && { now: data.now }) };
  await page.addInitScript(installApi, installed);
  await page.route(`${origin}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: html });
    if (name !== 'main.js' && name !== 'style.css') return route.fulfill({ status: 204 });
    const contentType = name === 'main.js' ? 'text/javascript' : 'text/css';
    return route.fulfill({ contentType, body: readFileSync(join(bundle, name)) });
  });
  await page.goto(`${origin}/`);
  const delivered = async (): Promise<void> => {
    while (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    await delivery;
  };
  const panel = new Panel(page, host, faults, delivered);
  await panel.setTheme(options.theme ?? 'dark');
  await page.locator('main:not([hidden])').waitFor();
  return panel;
}
