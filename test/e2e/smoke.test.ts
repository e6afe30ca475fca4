/** The three ways in, in the newest VS Code and in the oldest that is supported. */
import { expect, it } from 'vitest';
import { describeVSCode, vscodeVersions } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { goodToken, tokenFiles } from './support/tokens';

describeVSCode(vscodeVersions, { name: 'smoke', files: tokenFiles }, (workbench) => {
  it('explains a continue token on hover', async () => {
    const code = workbench();
    await code.openFile('list.yaml');
    const hover = await code.hoverOver(goodToken.slice(0, 30), /Inspect continue token/);
    expect(await hover.innerText()).toMatch(/84,?213/);
  });

  it('lists resources of the demo cluster, and says in the status bar how lists are read', async () => {
    const code = workbench();
    const panel = await ListPanel.open(code);
    await panel.button('Use the demo cluster').click();
    await panel.connectedTo('demo');
    await code.statusBarItem(/^etcd demo · RangeStream ✓$/).waitFor();
    await panel.run({ labels: 'app=nginx', limit: '100' });
    expect(await panel.totalsText()).toMatch(/^12,700 fetched → 9,901 evaluated → 100 returned/);
    await code.screenshot('list');
    expect(code.panelErrors).toEqual([]);
  });
});
