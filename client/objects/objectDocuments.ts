import { randomUUID } from 'node:crypto';
import { EventEmitter, Uri, ViewColumn, window, workspace } from 'vscode';
import type { CancellationToken, TextDocumentContentProvider } from 'vscode';
import type { OpenedObject, OpenObjectParams } from '../../server/protocol/model';
import { showError, showInformation } from '../common/notices';
import type { LspCaller } from '../lsp/lspClient';
import { failureOf } from '../lsp/failure';
import { objectName, objectPath, objectText } from './objectText';

export const objectScheme = 'etcd-list';

const reveal = 'Reveal values';

/** Read-only documents of stored objects. A text is kept as long as its document is open. */
export class ObjectDocuments implements TextDocumentContentProvider {
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();
  private readonly subscriptions;

  constructor(private readonly lsp: LspCaller) {
    this.subscriptions = [
      this.changed,
      workspace.registerTextDocumentContentProvider(objectScheme, this),
      workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    ];
  }

  provideTextDocumentContent(uri: Uri): string {
    return (
      this.texts.get(uri.toString()) ??
      '# This object was read in an earlier session. Open it again from the list.\n'
    );
  }

  /** Shows the object beside the panel, which stays visible; nothing once the token is cancelled. */
  async open(params: OpenObjectParams, token: CancellationToken): Promise<void> {
    const object = await this.lsp.request('etcdList/openObject', params, token);
    if (isOver(token)) return;
    // Unlike that of a document which VS Code brings back from an earlier session.
    const query = randomUUID();
    const uri = Uri.from({ scheme: objectScheme, path: objectPath(object.title), query });
    this.texts.set(uri.toString(), objectText(object));
    try {
      const document = await workspace.openTextDocument(uri);
      if (isOver(token)) return;
      await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: true });
    } catch (error) {
      this.texts.delete(uri.toString());
      throw error;
    }
    if (object.masked) void this.offerToReveal(uri, params, object);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.texts.clear();
  }

  private async offerToReveal(
    uri: Uri,
    params: OpenObjectParams,
    { title, connectionNumber }: OpenedObject,
  ): Promise<void> {
    const text = `Values of ${objectName(title)} are masked.`;
    const choice = await showInformation(text, reveal);
    if (choice !== reveal || !this.texts.has(uri.toString())) return;
    try {
      // The question may be answered long after another connection was opened.
      const again = { ...params, connectionNumber, reveal: true };
      const object = await this.lsp.request('etcdList/openObject', again);
      if (!this.texts.has(uri.toString())) return;
      this.texts.set(uri.toString(), objectText(object));
      this.changed.fire(uri);
    } catch (error) {
      void showError(failureOf(error).sentence);
    }
  }
}

/** Asked anew each time: it may become true while something is waited for. */
function isOver({ isCancellationRequested }: CancellationToken): boolean {
  return isCancellationRequested;
}
