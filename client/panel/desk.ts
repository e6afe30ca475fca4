/** The panel's reach into VS Code: clipboard, files, questions. */
import { homedir } from 'node:os';
import { CancellationTokenSource, commands, env, Uri, window, workspace } from 'vscode';
import type { LogOutputChannel } from 'vscode';
import type { ExportFormat } from '../../server/protocol/panel';
import { confirmed } from '../common/notices';
import type { WaysComparison } from '../compare/comparison';
import type { ObjectDocuments } from '../objects/objectDocuments';
import type { ResultDocuments } from '../queries/resultDocuments';
import { refused } from '../lsp/failure';
import type { Desk } from './bridge';

const messageMs = 3000;

const filters: Record<ExportFormat, Record<string, string[]>> = {
  csv: { CSV: ['csv'] },
  json: { JSON: ['json'] },
  ndjson: { 'JSON lines': ['ndjson', 'jsonl'] },
  receipt: { 'Receipt (JSON lines)': ['jsonl'] },
};

export function makeDesk(
  log: LogOutputChannel,
  objects: ObjectDocuments,
  comparison: WaysComparison,
  texts: Pick<ResultDocuments, 'open'>,
): Desk {
  return {
    copy: async (text, what) => {
      await env.clipboard.writeText(text);
      window.setStatusBarMessage(`Copied ${what}`, messageMs);
    },
    save: async ({ format, text, suggestedName }) => {
      const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
      const defaultUri = Uri.joinPath(folder, suggestedName.replace(/[/\\:]/g, '-'));
      const uri = await window.showSaveDialog({ defaultUri, filters: filters[format] });
      if (!uri) return false;
      await write(uri, text);
      window.setStatusBarMessage(`Saved ${uri.path}`, messageMs);
      return true;
    },
    openMetricsText: async ({ name, text }) => {
      await texts.open(`etcd-list:/${encodeURIComponent(name)}`, text);
    },
    showLog: () => {
      log.show();
    },
    manageTrust: async () => {
      await commands.executeCommand('workbench.trust.manage');
    },
    confirm: (text, fillsCache) =>
      confirmed(text, fillsCache ? 'Fill the watch cache' : 'Read everything'),
    openObject: ({ row, ...params }, token) =>
      objects.open({ ...params, key: row.key, reveal: false }, token),
    compare: (query, token) =>
      comparison.run(`panel:/${query.resource.replaceAll('/', '-')}`, query, false, token),
    makeSource: () => new CancellationTokenSource(),
  };
}

async function write(uri: Uri, text: string): Promise<void> {
  try {
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refused(
      `The file ${uri.path} could not be written (${why.replace(/\.$/, '')}): choose another place.`,
    );
  }
}
