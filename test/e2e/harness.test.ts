/** The means of the other tests, tried on what VS Code itself brings. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { accessibilityFaults } from './support/axe';
import { describeVSCode, newestVSCode, vscodeVersions } from './support/describeVSCode';
import type { Theme } from './support/workbench';

const files = {
  'styles/page.css': 'body {\n  color: red;\n  margin: 0;\n}\n',
  'notes.md': '# A title\n\nSome text.\n',
};

describeVSCode(vscodeVersions, { name: 'VS Code', files, bare: true }, (workbench) => {
  it('opens files, and shows a hover on a text in them', async () => {
    const code = workbench();
    await code.openFile('styles/page.css');
    const hover = await code.hoverOver('color', /Sets the color/);
    expect(await hover.innerText()).toContain('MDN Reference');
    await code.statusBarItem(/^Ln 1, Col 1/).waitFor();
    await code.screenshot('hover');
  });

  it('starts a killed language server again', async () => {
    const code = workbench();
    await code.openFile('styles/page.css');
    const server = 'css-language-features/server/';
    const first = await code.killServer(server);
    await code.hoverOver('margin', /margin/);
    const second = code.server.processes(server).map(({ pid }) => pid);
    expect(second).toHaveLength(1);
    expect(second).not.toContain(first);
  });

  it('gives the document of a panel in every theme', async () => {
    const code = workbench();
    await code.openFile('notes.md');
    await code.palette('Markdown: Open Preview');
    for (const theme of ['light', 'high contrast', 'high contrast light', 'dark'] as Theme[]) {
      await code.theme(theme);
      // The preview draws its document anew for a theme, and the frame found before is gone then.
      await waitFor(
        async () => {
          const frame = await code.panelFrame(/notes\.md/);
          await frame.getByRole('heading', { name: 'A title' }).waitFor({ timeout: 5000 });
          return true;
        },
        { timeoutMs: 60_000, what: `the preview in ${theme}` },
      );
      await code.screenshot(`preview in ${theme}`);
    }
    // It does so at other times too, without what was added to it.
    const faults = await waitFor(
      async () => {
        const frame = await code.panelFrame();
        await frame.evaluate(() => {
          document.body.append(document.createElement('button'));
        });
        const found = await accessibilityFaults(frame);
        return found.some((fault) => fault.startsWith('button-name: ')) && found;
      },
      { timeoutMs: 60_000, what: 'a fault that axe-core finds' },
    );
    expect(faults).toContainEqual(expect.stringMatching(/^button-name: .* \(.*button.*\)/));
  });
});

describeVSCode(
  [newestVSCode],
  { name: 'a folder that is not trusted', files, bare: true, trusted: false },
  (workbench) => {
    it('is trusted on demand', async () => {
      const code = workbench();
      await code.statusBarItem(/Restricted Mode/).waitFor();
      await code.screenshot('restricted');
      await code.trustFolder();
      await code.screenshot('trusted');
    });
  },
);
