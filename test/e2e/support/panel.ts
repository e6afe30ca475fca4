import type { Frame, Locator } from 'playwright-core';
import { waitFor } from '../../support/waitFor';
import type { Workbench } from './workbench';

const slow = { timeout: 60_000 };

export type QueryText =
  'labels' | 'fields' | 'limit' | 'resourceVersion' | 'continue token' | 'resource' | 'namespace';

/** The open panel as a person sees it: by roles and names, never by its markup. */
export class ListPanel {
  private constructor(
    private readonly workbench: Workbench,
    /** A window that is loaded anew, or a panel that is opened anew, has another one. */
    readonly frame: Frame,
  ) {}

  /** The panel that is open, or comes back after the window was loaded anew. */
  static async find(workbench: Workbench): Promise<ListPanel> {
    const frame = await workbench.panelFrame('etcd LIST');
    await frame.getByRole('region', { name: 'Query' }).waitFor(slow);
    return new ListPanel(workbench, frame);
  }

  /** Opens it from the palette. */
  static async open(workbench: Workbench): Promise<ListPanel> {
    await workbench.palette('etcd LIST: List resources');
    return await ListPanel.find(workbench);
  }

  button = (name: string | RegExp): Locator =>
    this.frame.getByRole('button', { name, exact: typeof name === 'string' });

  field = (name: QueryText | 'Continue token' | 'filter' | 'v' | 'rv' | 'start'): Locator =>
    this.frame
      .getByRole('textbox', { name, exact: true })
      .or(this.frame.getByRole('combobox', { name, exact: true }));

  get connection(): Locator {
    return this.frame.getByRole('button', { name: /^Connection/ });
  }

  /** Types into the query bar. */
  async ask(query: Partial<Record<QueryText, string>>): Promise<void> {
    for (const [name, text] of Object.entries(query))
      await this.field(name as QueryText).fill(text);
  }

  /** Presses Run and waits for the end of that list. */
  async run(query: Partial<Record<QueryText, string>> = {}): Promise<void> {
    await this.ask(query);
    await this.follow('Run');
  }

  /** Presses `button` and waits for the end of the list that it starts. */
  async follow(button: string): Promise<void> {
    await this.untilEnded(async () => {
      await this.button(button).click(slow);
    });
  }

  /** Waits for the end of the list that `action` starts: it is announced to screen readers. */
  async untilEnded(action: () => Promise<void>): Promise<void> {
    const before = await this.endsHeard();
    await action();
    await waitFor(async () => (await this.endsHeard()) > before, {
      timeoutMs: 90_000,
      what: 'the end of the list',
    });
  }

  /** How many ends of lists were announced since this was first asked. */
  private async endsHeard(): Promise<number> {
    const region = this.frame.locator('main > [role=status]');
    return await region.evaluate((element) => {
      const heard = element as HTMLElement & { ends?: number };
      if (heard.ends === undefined) {
        heard.ends = 0;
        new MutationObserver(() => {
          const isProgress = /^(?!Stopped).* so far\.$/.test(heard.textContent);
          if (!isProgress) heard.ends = (heard.ends ?? 0) + 1;
        }).observe(heard, { childList: true });
      }
      return heard.ends;
    });
  }

  get totals(): Locator {
    return this.frame.getByRole('region', { name: 'Totals' });
  }

  get footer(): Locator {
    return this.frame.getByRole('region', { name: 'Rows and what to do with them' });
  }

  /** The totals' text on one line, without the signs between the numbers. */
  async totalsText(): Promise<string> {
    const asked = await this.askedText();
    const text = (await this.totals.innerText()).replaceAll(/\s+/g, ' ').trim();
    return text.startsWith(asked) ? text.slice(asked.length).trim() : text;
  }

  /** What was asked, as it stands above the totals. */
  async askedText(): Promise<string> {
    return (await this.totals.locator('.run-of').innerText()).replaceAll(/\s+/g, ' ').trim();
  }

  /** Waits until the totals say this. */
  async totalsSay(text: RegExp): Promise<void> {
    await waitFor(async () => text.test(await this.totalsText()), {
      timeoutMs: 60_000,
      what: `totals with ${String(text)}`,
    });
  }

  async footerSays(text: RegExp): Promise<void> {
    await waitFor(async () => text.test(await this.footer.innerText()), {
      timeoutMs: 60_000,
      what: `a footer with ${String(text)}`,
    });
  }

  tab = (name: 'Rows' | 'Round trips' | 'Token' | 'Explain' | 'Metrics'): Locator =>
    this.frame.getByRole('tab', { name, exact: true });

  region = (name: string): Locator => this.frame.getByRole('region', { name, exact: true });

  /** Unfolds what stands behind More. */
  async more(): Promise<void> {
    const button = this.frame.getByRole('button', { name: /^More/ });
    if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click(slow);
    await this.choice('serve from').waitFor(slow);
  }

  /** One of several in a list that drops down. */
  choice = (name: 'serve from' | 'read from etcd by' | 'resourceVersionMatch'): Locator =>
    this.frame.getByRole('combobox', { name, exact: true });

  async choose(name: 'serve from' | 'read from etcd by', option: string): Promise<void> {
    await this.choice(name).click(slow);
    await this.frame.getByRole('option', { name: option, exact: true }).click(slow);
    await this.choice(name).and(this.frame.locator('[aria-expanded=false]')).waitFor(slow);
  }

  /** The table of round trips: a line of cells for each. */
  async roundTrips(): Promise<string[][]> {
    await this.tab('Round trips').click();
    const table = this.frame.getByRole('table', { name: 'Round trips to etcd' });
    await table.waitFor();
    const drawn = await table.evaluate((element) =>
      Array.from(element.querySelectorAll('[role="row"]:has([role="cell"])'), (row) => ({
        index: Number(row.getAttribute('aria-rowindex')),
        cells: Array.from(row.querySelectorAll('[role="cell"]'), ({ textContent }) => textContent),
      })),
    );
    const all = Number(await table.getAttribute('aria-rowcount')) - 1;
    if (drawn.length !== all) throw new Error(`${drawn.length} of ${all} round trips are drawn.`);
    await this.tab('Rows').click();
    return drawn.sort((a, b) => a.index - b.index).map(({ cells }) => cells);
  }

  get grid(): Locator {
    return this.frame.getByRole('grid', { name: 'Rows' });
  }

  /** The row of the grid that holds this text, of those that are drawn. */
  row = (text: string | RegExp): Locator =>
    this.grid.getByRole('row').filter({ hasText: text }).first();

  /** Chooses an entry of one of the panel's menus. */
  async menu(button: string | RegExp, entry: string | RegExp): Promise<void> {
    await this.button(button).click(slow);
    await this.frame
      .getByRole('menuitem', { name: entry })
      .or(this.frame.getByRole('menuitemradio', { name: entry }))
      .click(slow);
  }

  /** Connects by the panel's own menu, and waits for the connection. */
  async connect(name: string): Promise<void> {
    await this.menu(/^Connection/, name);
    await this.connectedTo(name === 'Demo cluster' ? 'demo' : name);
  }

  async connectedTo(name: string): Promise<void> {
    await this.frame
      .getByRole('button', { name: `Connection: ${name}`, exact: true })
      .waitFor(slow);
    await this.workbench
      .statusBarItem(new RegExp(`etcd ${name} · (RangeStream|pages)`))
      .waitFor(slow);
  }
}
