import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, vscodeVersions } from './support/describeVSCode';

describeVSCode(vscodeVersions, { name: 'the installed package' }, (workbench) => {
  it('opens a terminal in which etcd-list tells what it can do', async () => {
    const code = workbench();
    await code.palette('etcd LIST: Open Terminal with etcd-list');
    await waitFor(async () => /etcd is only ever read\.\n.*\S/.test(await code.terminalText()), {
      timeoutMs: 60_000,
      what: 'the help to its end, and a prompt below it',
    });
    await code.screenshot('terminal');
    expect(await code.terminalText()).toContain('Exit codes: 0 done');
    expect(await code.notifications()).toEqual([]);
  });
});
