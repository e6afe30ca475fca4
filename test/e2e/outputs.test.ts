/** What leaves the panel: copied commands and exported files. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { waitFor } from '../support/waitFor';
import { describeVSCode, newestVSCode } from './support/describeVSCode';
import { ListPanel } from './support/panel';
import { killAll } from '../support/processes';
import type { Process } from '../support/processes';

describeVSCode([newestVSCode], { name: 'outputs' }, (workbench) => {
  it('come after a list', async () => {
    const panel = await ListPanel.open(workbench());
    await panel.button('Use the demo cluster').click();
    await panel.connectedTo('demo');
    await panel.run({ labels: 'app=nginx', limit: '10' });
  });

  it.each([
    ['As kubectl', /^kubectl get --raw '\/api\/v1\/pods\?labelSelector=app%3Dnginx&limit=10'$/],
    ['As API path', /^\/api\/v1\/pods\?labelSelector=app%3Dnginx&limit=10$/],
    ['As etcdctl', /^etcdctl get .*\/registry\/pods\//],
    ['As etcd-list', /^etcd-list get pods .*-l app=nginx.* --limit=10/],
  ])('copies the request %s', async (entry, expected) => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    await panel.menu('Copy', entry);
    const copied = await waitFor(async () => {
      const text = await code.page.evaluate(() => navigator.clipboard.readText());
      return expected.test(text) && text;
    });
    console.log(copied);
  });

  it.each([
    ['Rows as CSV…', '.csv'],
    ['Rows as JSON…', '.json'],
    ['Rows as NDJSON…', '.ndjson'],
    ['Receipt as JSON lines…', '.receipt.jsonl'],
  ])('writes %s under the name it offers', async (entry, ending) => {
    const code = workbench();
    const panel = await ListPanel.find(code);
    await panel.menu('Export', new RegExp(`^${entry}`));
    const offered = await waitFor(
      async () => {
        const path = await code.quickBox.inputValue();
        // The box of the export before may still stand there.
        return new RegExp(`pods-rv\\d+\\${ending}$`).test(path) ? path : undefined;
      },
      { timeoutMs: 60_000, what: `a name that is offered and ends with ${ending}` },
    );
    await code.quickBox.press('Enter');
    const file = join(code.server.folder, basename(offered));
    await waitFor(() => existsSync(file) && readFileSync(file, 'utf8') !== '', {
      timeoutMs: 60_000,
      what: `the file ${file}`,
    });
    const text = readFileSync(file, 'utf8');
    const lines = text.trim().split('\n');
    if (ending === '.csv') expect(lines).toHaveLength(11);
    else if (ending === '.json') expect(JSON.parse(text)).toHaveLength(10);
    else {
      const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      if (ending === '.ndjson') expect(records).toHaveLength(10);
      else expect(records.at(-1)).toMatchObject({ returned: 10, fetched: 1270 });
    }
    expect(code.panelErrors).toEqual([]);
  });

  it('leaves no process behind when the extension host is killed', async () => {
    const { server } = workbench();
    const ours = ['/dist/server/main.js', '/dist/demo/main.js'].flatMap((program) =>
      server.processes(program),
    );
    expect(ours).toHaveLength(2);
    const extensionHost = ours[0]?.ppid ?? 0;
    await killAll([{ pid: extensionHost }]);
    const isOurs = ({ pid }: Process): boolean => ours.some((process) => process.pid === pid);
    await waitFor(() => !server.processes('/dist/').some(isOurs), {
      timeoutMs: 60_000,
      what: 'the end of the language server and of the demo etcd',
    });
  });
});
