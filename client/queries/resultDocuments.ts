/** Read-only documents with what queries of a file brought. */
import { EventEmitter, Uri, ViewColumn, window, workspace } from 'vscode';
import type { TextDocumentContentProvider } from 'vscode';

export const resultScheme = 'etcd-list-results';

/** The results of one run; a later one of the same file takes its place. */
export interface ResultPage {
  show(text: string): void;
}

/** One document for each file of queries. A text is kept as long as its document is open. */
export class ResultDocuments implements TextDocumentContentProvider {
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();
  private readonly subscriptions;

  constructor() {
    this.subscriptions = [
      this.changed,
      workspace.registerTextDocumentContentProvider(resultScheme, this),
      workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    ];
  }

  provideTextDocumentContent(uri: Uri): string {
    return (
      this.texts.get(uri.toString()) ??
      'These results are of an earlier session. Run the queries again.\n'
    );
  }

  /** Opens the document beside the editor, which keeps the focus. */
  async open(file: string, text: string): Promise<ResultPage> {
    const uri = resultUri(file);
    const key = uri.toString();
    const set = (changed: string): void => {
      if (this.texts.get(key) === changed) return;
      this.texts.set(key, changed);
      this.changed.fire(uri);
    };
    set(text);
    const document = await workspace.openTextDocument(uri);
    const isShown = window.visibleTextEditors.some((editor) => editor.document === document);
    const viewColumn = ViewColumn.Beside;
    if (!isShown) {
      await window.showTextDocument(document, { viewColumn, preview: false, preserveFocus: true });
    }
    return {
      show: (changed) => {
        // Of a document that was closed nothing is kept.
        if (this.texts.has(key)) set(changed);
      },
    };
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.texts.clear();
  }
}

/** The last segment of the path is what the editor's tab says. */
function resultUri(file: string): Uri {
  const name = Uri.parse(file).path.split('/').at(-1) ?? '';
  return Uri.from({ scheme: resultScheme, path: `/${name} results.txt`, query: file });
}
