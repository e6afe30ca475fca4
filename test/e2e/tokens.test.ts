/** Continue tokens: hovers where they stand in files, and the inspector. */
import { expect, it } from 'vitest';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { goodToken, token, tokenFiles, traversalToken, wellFormed } from './support/tokens';

const refusal = 'invalid continue token: continue key is not valid: ../secrets/';

describeVSCode([newestVSCode], { name: 'continue tokens', files: tokenFiles }, (workbench) => {
  it.each(['list.yaml', 'list.json', 'audit.log', 'notes.txt', 'query.etcdlist'])(
    'are explained on hover in %s',
    async (file) => {
      const code = workbench();
      await code.openFile(file);
      const hover = await code.hoverOver(goodToken.slice(0, 30), /Inspect continue token/);
      const text = await hover.innerText();
      expect(text).toMatch(/84,?213/);
      expect(text).toContain(String.raw`web/nginx-009900\x00`);
      await code.screenshot(`hover ${file}`);
      await code.palette('View: Close Editor');
    },
  );

  it('lead from the hover into the inspector', async () => {
    const code = workbench();
    await code.openFile('list.yaml');
    const hover = await code.hoverOver(goodToken.slice(0, 30), /Inspect continue token/);
    await hover.getByText('Inspect continue token').click();
    const panel = await ListPanel.find(code);
    await panel.frame.getByText(wellFormed).waitFor();
    expect(await panel.field('Continue token').inputValue()).toBe(goodToken);
    expect(await panel.field('start').inputValue()).toBe(String.raw`web/nginx-009900\x00`);
    const facts = panel.frame.getByRole('table', { name: 'What the token says' });
    expect(await facts.innerText()).toContain(String.raw`/registry/pods/web/nginx-009900\x00`);
    await code.screenshot('inspector');
  });

  it('that would leave their prefix are refused, as upstream does, in hover and inspector', async () => {
    const code = workbench();
    await code.openFile('attack.yaml');
    const hover = await code.hoverOver(traversalToken.slice(0, 30), /Inspect continue token/);
    expect(await hover.innerText()).toContain(refusal);
    await hover.getByText('Inspect continue token').click();
    const panel = await ListPanel.find(code);
    await panel.frame.getByText('Refused: the start key would leave its prefix').waitFor();
    await panel.frame.getByText(refusal).waitFor();
    await code.screenshot('inspector refuses');
  });

  it('get another verdict while their fields are edited, and say what revision -1 means', async () => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    await panel.field('start').fill('web/x');
    await panel.frame.getByText(wellFormed).waitFor();
    await panel.field('rv').fill('0');
    await panel.frame.getByText('Refused: resourceVersion is zero').waitFor();
    await panel.field('rv').fill('-1');
    await panel.frame.getByText('The API server takes this token').waitFor();
    await panel.frame.getByText(/read at the latest revision/).waitFor();
    await panel.button('Copy token').click();
    await code.statusBarItem(/Copied/).waitFor();
    const copied = await code.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(token({ rv: -1, start: 'web/x' }));
  });

  it.each([
    ['quoted', `"continue": "${goodToken}"`],
    ['percent-encoded in a URL', `https://api/api/v1/pods?limit=5&continue=${goodToken}%3D%3D`],
    ['in the metadata of a list', `{"metadata":{"continue":"${goodToken}","resourceVersion":"1"}}`],
  ])('are found %s', async (_, text) => {
    const panel = await ListPanel.find(workbench());
    await panel.field('Continue token').fill(text);
    await panel.frame.getByRole('cell', { name: goodToken }).waitFor();
  });

  it('of the demo say that their revision is still there', async () => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    await panel.tab('Rows').click();
    await panel.button('Use the demo cluster').click();
    await panel.connectedTo('demo');
    await panel.run({ limit: '10' });
    const revision = /revision ([\d,]+)/.exec(await panel.totalsText())?.[1] ?? '';
    const rv = Number(revision.replaceAll(',', ''));
    await panel.tab('Token').click();
    await panel.field('Continue token').fill(token({ rv, start: 'x/y' }));
    await panel.frame.getByText('still there on the connected etcd').waitFor();
    await panel.field('Continue token').fill(token({ rv: rv + 5000, start: 'x/y' }));
    await panel.frame
      .getByText(/not reached yet/)
      .first()
      .waitFor();
    expect(code.panelErrors).toEqual([]);
  });

  it('are taken from the selection by the command', async () => {
    const code = workbench();
    await code.openFile('list.yaml');
    await code.page.locator('.editor-instance .view-lines').first().click();
    await code.page.keyboard.press('Control+a');
    await code.page.locator('.editor-instance .selected-text').first().waitFor();
    await code.palette('etcd LIST: Inspect continue token');
    const panel = await ListPanel.find(code);
    await panel.frame.getByRole('cell', { name: goodToken }).waitFor();
    expect(await panel.field('Continue token').inputValue()).toContain(`continue: ${goodToken}`);
  });
});
