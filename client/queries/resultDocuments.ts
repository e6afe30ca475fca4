/** Read-only documents beside a file of queries: what its queries brought, how one would be served or was read. */
import { EventEmitter, Range, Uri, ViewColumn, window, workspace } from 'vscode';
import type { TextDocument, TextDocumentContentProvider } from 'vscode';
import { pages } from '../../server/protocol/names';

/** What the documents of one kind have in common. */
export interface PageKind {
  readonly scheme: string;
  /** Behind the name of the file. */
  readonly title: string;
  /** What stands in one whose text is gone. */
  readonly gone: string;
  /** Opened to be read at once, and not while something runs. */
  readonly takesFocus: boolean;
}

export const resultPages: PageKind = {
  scheme: 'etcd-list-results',
  title: 'results.txt',
  gone: 'These results are of an earlier session. Run the queries again.\n',
  takesFocus: false,
};

export const explanationPages: PageKind = {
  scheme: 'etcd-list-explanation',
  title: pages.explanation,
  gone: 'This explanation is of an earlier session. Explain the query again.\n',
  takesFocus: true,
};

export const comparisonPages: PageKind = {
  scheme: 'etcd-list-comparison',
  title: 'compared.txt',
  gone: 'This comparison is of an earlier session. Compare again.\n',
  takesFocus: true,
};

/** A later text of the same file takes the place of this one. */
export interface ResultPage {
  show(text: string): void;
}

/** One document for each file of queries. A text is kept as long as its document is open. */
export class ResultDocuments implements TextDocumentContentProvider {
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();
  private readonly subscriptions;

  constructor(private readonly kind: PageKind) {
    this.subscriptions = [
      this.changed,
      workspace.registerTextDocumentContentProvider(kind.scheme, this),
      workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    ];
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString()) ?? this.kind.gone;
  }

  /** Opens the document beside the editor. */
  async open(file: string, text: string): Promise<ResultPage> {
    const uri = pageUri(this.kind, file);
    const key = uri.toString();
    const set = (changed: string): void => {
      if (this.texts.get(key) === changed) return;
      this.texts.set(key, changed);
      this.changed.fire(uri);
    };
    set(text);
    await this.show(await workspace.openTextDocument(uri));
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

  private async show(document: TextDocument): Promise<void> {
    const { takesFocus } = this.kind;
    const shown = window.visibleTextEditors.find((editor) => editor.document === document);
    if (shown !== undefined && !takesFocus) return;
    await window.showTextDocument(document, {
      viewColumn: shown?.viewColumn ?? ViewColumn.Beside,
      preview: false,
      preserveFocus: !takesFocus,
      ...(takesFocus ? { selection: new Range(0, 0, 0, 0) } : {}),
    });
  }
}

/** The last segment of the path is what the editor's tab says. */
function pageUri({ scheme, title }: PageKind, file: string): Uri {
  const name = Uri.parse(file).path.split('/').at(-1) ?? '';
  return Uri.from({ scheme, path: `${pages.folder}/${name} ${title}`, query: file });
}
