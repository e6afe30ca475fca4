/** Selectors in manifests, as a person meets them in VS Code. */
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, vscodeVersions } from './support/describeVSCode';
import { editorText } from './support/parts';
import type { Workbench } from './support/workbench';

const deployment = (selector: readonly string[]): string =>
  [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    '  name: web',
    'spec:',
    '  selector:',
    ...selector.map((line) => `    ${line}`),
    '  template:',
    '    metadata:',
    '      labels:',
    '        app: nginx',
    '    spec:',
    '      containers:',
    '        - name: web',
    '',
  ].join('\n');

const files = {
  'good.yaml': deployment(['matchLabels:', '  app: nginx']),
  'value.yaml': deployment(['matchLabels:', '  app: "nginx!"']),
  'operator.yaml': deployment([
    'matchExpressions:',
    '  - {key: app, operator: in, values: [nginx]}',
  ]),
  'half.yaml': deployment(['matchLabels:', '  app']),
  'list.json': '{"kind":"List","items":[]}\n',
};

const languageServer = '/dist/server/main.js';

const squiggles = (code: Workbench) => code.page.locator('.squiggly-error');

/** VS Code's own formatter of JSON begins some time after the file is open; until then a dialog says so. */
async function formatted(code: Workbench, text: string): Promise<void> {
  const dialog = code.page.locator('.monaco-dialog-box', { hasText: 'no formatter' });
  await waitFor(
    async () => {
      await code.palette('Format Document');
      await waitFor(
        async () => (await dialog.isVisible()) || (await editorText(code)).includes(text),
        { timeoutMs: 10_000, what: 'an answer to Format Document' },
      );
      if (!(await dialog.isVisible())) return true;
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      return false;
    },
    { timeoutMs: 90_000, what: `an editor with “${text}”` },
  );
}

describeVSCode(vscodeVersions, { name: 'manifests', files }, (workbench) => {
  it('start the language server when one is opened', async () => {
    const code = workbench();
    expect(code.server.processes(languageServer)).toEqual([]);
    await code.openFile('good.yaml');
    await waitFor(() => code.server.processes(languageServer).length === 1, {
      timeoutMs: 60_000,
      what: 'the language server',
    });
    expect(await squiggles(code).count()).toBe(0);
  });

  it('show what Kubernetes would refuse, in its words, under the characters', async () => {
    const code = workbench();
    await code.openFile('value.yaml');
    await squiggles(code).first().waitFor({ timeout: 60_000 });
    const hover = await code.hoverOver('nginx!', /a valid label must be an empty string/);
    expect(await hover.innerText()).toContain('etcd LIST');
    await code.screenshot('value');
  });

  it('are mended by one keystroke', async () => {
    const code = workbench();
    await code.openFile('operator.yaml');
    await squiggles(code).first().waitFor({ timeout: 60_000 });
    await code.page.locator('.view-line', { hasText: 'operator: in' }).click();
    await code.palette('Go to Next Problem (Error, Warning, Info)');
    await code.page.keyboard.press('Escape');
    await code.page.keyboard.press('Control+.');
    const fix = code.page.locator('.action-widget').getByText('Change to In');
    await fix.waitFor({ timeout: 60_000 });
    await code.screenshot('fixes');
    await code.page.keyboard.press('Enter');
    await code.page.locator('.view-line', { hasText: 'operator: In' }).waitFor();
    await waitFor(async () => (await squiggles(code).count()) === 0, { timeoutMs: 30_000 });
  });

  it('leave the folds of YAML and the form of JSON to others', async () => {
    const code = workbench();
    await code.openFile('good.yaml');
    await code.palette('Fold All');
    const isFolded = async () => !(await editorText(code)).includes('app: nginx');
    await waitFor(isFolded, { timeoutMs: 30_000, what: 'the folded manifest' });
    await code.palette('Unfold All');
    await code.openFile('list.json');
    await code.page.locator('.editor-instance .view-line').first().click();
    await formatted(code, '"kind": "List"');
    expect(await code.notifications()).toEqual([]);
    await code.palette('File: Revert File');
  });

  it('offer what is stored, with counts, and say above a selector what it matches', async () => {
    const code = workbench();
    await code.palette('etcd LIST: Connect to the demo cluster');
    await code.statusBarItem(/etcd demo/).waitFor({ timeout: 60_000 });
    await code.openFile('half.yaml');
    await code.page.locator('.view-line', { hasText: /^\s*app$/ }).click();
    await code.page.keyboard.press('End');
    const suggestions = code.page.locator('.suggest-widget .monaco-list-row');
    await waitFor(
      async () => {
        await code.page.keyboard.press('Escape');
        await code.page.keyboard.press('Control+Space');
        await suggestions
          .filter({ hasText: 'app.kubernetes.io/name' })
          .first()
          .waitFor({ timeout: 3000 });
        return true;
      },
      { timeoutMs: 60_000, what: 'a stored label among the suggestions' },
    );
    await code.screenshot('completion');
    await code.page.keyboard.press('Escape');
    await code.openFile('good.yaml');
    const lens = code.page.locator('.codelens-decoration', { hasText: /matches .*Pods/ });
    await lens.first().waitFor({ timeout: 60_000 });
    const hover = await code.hoverOver('matchLabels', /Selects Pods/);
    expect(await hover.innerText()).toMatch(/label app is nginx/);
    await code.screenshot('lens and hover');
  });
});
