/** Why the last run of a query failed, marked at it until its file changes. */
import { Diagnostic, DiagnosticSeverity, languages, Range, Uri, workspace } from 'vscode';
import type { DiagnosticCollection } from 'vscode';
import type { Failure } from '../../server/protocol/errors';
import type { TextRange } from '../../server/protocol/model';
import type { ChosenQuery, QueryFile } from './place';

const source = 'etcd LIST';

export class RunMarks {
  private readonly collection: DiagnosticCollection;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor() {
    this.collection = languages.createDiagnosticCollection('etcd LIST runs');
    this.subscriptions = [
      this.collection,
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.collection.delete(document.uri);
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.collection.delete(uri);
      }),
    ];
  }

  clear({ uri }: Pick<QueryFile, 'uri'>): void {
    this.collection.delete(Uri.parse(uri));
  }

  /** Does nothing when the file has changed since it was read. */
  mark({ file, index }: ChosenQuery, { sentence }: Failure): void {
    const { uri, version, queries } = file;
    const query = queries[index];
    const document = workspace.textDocuments.find((each) => each.uri.toString() === uri);
    if (query === undefined || document?.version !== version) return;
    const found = new Diagnostic(rangeOf(query.anchor), sentence, DiagnosticSeverity.Error);
    found.source = source;
    found.code = 'run';
    this.collection.set(document.uri, [found]);
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }
}

export function rangeOf({ start, end }: TextRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}
