/** The two ways of hovers: documents that the language server holds, and lines that the client sends. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, vscodeVersions } from './support/describeVSCode';
import { goodToken, tokenFiles } from './support/tokens';
import type { Workbench } from './support/workbench';
import { writtenDown } from './support/writtenDown';

const languageServer = '/dist/server/main.js';
const settings = { 'etcdList.trace.server': 'messages' };

/** How often each of the two was asked so far. */
function asked(code: Workbench) {
  const log = writtenDown(code);
  const count = (method: string) => log.split(`Sending request '${method} -`).length - 1;
  return { byServer: count('textDocument/hover'), byClient: count('etcdList/hoverToken') };
}

/** Rests the pointer on the token; its explanation must stand there exactly once. */
async function explainedOnce(code: Workbench): Promise<void> {
  const hover = await code.hoverOver(goodToken.slice(0, 30), /Inspect continue token/);
  expect(await hover.getByText('Inspect continue token').count()).toBe(1);
  expect(await hover.innerText()).toMatch(/84,?213/);
}

describeVSCode(vscodeVersions, { name: 'hovers', files: tokenFiles, settings }, (workbench) => {
  it('start the language server at the first candidate, not with a file', async () => {
    const code = workbench();
    await code.openFile('list.json');
    expect(code.server.processes(languageServer)).toEqual([]);
    await explainedOnce(code);
    expect(code.server.processes(languageServer)).toHaveLength(1);
    await waitFor(() => asked(code).byClient > 0, { what: 'the line that was sent' });
    expect(asked(code).byServer).toBe(0);
  });

  it.each(['list.json', 'list.yaml', 'query.etcdlist'])(
    'come from the running server, once, in %s',
    async (file) => {
      const code = workbench();
      await code.openFile(file);
      const before = asked(code);
      await explainedOnce(code);
      await waitFor(() => asked(code).byServer > before.byServer, { what: 'the LSP hover' });
      expect(asked(code).byClient).toBe(before.byClient);
    },
  );

  it.each(['audit.log', 'notes.txt'])('come from the client, once, in %s', async (file) => {
    const code = workbench();
    await code.openFile(file);
    const before = asked(code);
    await explainedOnce(code);
    await waitFor(() => asked(code).byClient > before.byClient, { what: 'the line that was sent' });
    expect(asked(code).byServer).toBe(before.byServer);
  });

  it('follow what is typed', async () => {
    const code = workbench();
    await code.openFile('list.yaml');
    await code.page.locator('.editor-instance .view-lines').first().click();
    await code.page.keyboard.press('Control+Home');
    await code.page.keyboard.type('# a line before\n');
    await code.page.locator('.view-line', { hasText: '# a line before' }).first().waitFor();
    await explainedOnce(code);
  });

  it('are there once after the language server was killed', async () => {
    const code = workbench();
    await code.openFile('list.yaml');
    await code.killServer(languageServer);
    await explainedOnce(code);
    await waitFor(() => code.server.processes(languageServer).length === 1);
    await code.openFile('list.json');
    const before = asked(code);
    await explainedOnce(code);
    await waitFor(() => asked(code).byServer > before.byServer, { what: 'the LSP hover' });
    expect(code.panelErrors).toEqual([]);
  });
});
