import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { window } from 'vscode';
import type { ExtensionContext } from 'vscode';
import type { LspCaller, LspClient } from '../lsp/lspClient';
import { makeShim } from './shim';

/**
 * Opens a terminal in which `etcd-list` is a command that reads the etcd of the open connection, and
 * asks it for its help. The extension host itself loads none of it.
 */
export async function openTerminal(
  context: ExtensionContext,
  lsp: LspCaller & Pick<LspClient, 'isStarted'>,
): Promise<void> {
  const folder = join(context.globalStorageUri.fsPath, 'bin');
  const main = context.asAbsolutePath(join('dist', 'cli', 'main.js'));
  const shim = makeShim(process.platform, process.execPath, main);
  const file = join(folder, shim.fileName);
  await mkdir(folder, { recursive: true });
  // Written each time: an update moves both the extension and VS Code.
  await writeFile(file, shim.content);
  await chmod(file, 0o755);

  const path = [folder, process.env['PATH'] ?? ''].join(delimiter);
  // Without a language server there is no connection.
  const access = lsp.isStarted ? await lsp.request('etcdList/accessVariables', null) : null;
  const terminal = window.createTerminal({ name: 'etcd-list', env: { ...access, PATH: path } });
  terminal.show();
  terminal.sendText('etcd-list --help');
}
