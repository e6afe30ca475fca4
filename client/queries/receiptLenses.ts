/** A line below each query that was run: what its last run cost. */
import { CodeLens, EventEmitter, languages, Range } from 'vscode';
import type { CodeLensProvider, Disposable, TextDocument } from 'vscode';
import { queryDocuments } from '../../server/protocol/names';
import type { FileQueries, FileQuery } from '../../server/protocol/queryFiles';
import type { LspCaller } from '../lsp/lspClient';
import type { LastRuns } from './lastRuns';
import { receiptText } from './receiptText';

/** What is used of a document. */
type Lines = Pick<TextDocument, 'uri' | 'version' | 'lineCount' | 'lineAt'>;

export class ReceiptLenses implements CodeLensProvider {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly lsp: LspCaller,
    private readonly runs: LastRuns,
  ) {
    this.subscriptions = [
      this.changed,
      runs.changed.on(() => {
        this.changed.fire();
      }),
    ];
  }

  register(): Disposable {
    return languages.registerCodeLensProvider(queryDocuments, this);
  }

  /** Nothing is asked about a file of which nothing was run. */
  async provideCodeLenses(document: Lines): Promise<CodeLens[]> {
    const uri = document.uri.toString();
    if (!this.runs.has(uri)) return [];
    const answer = await this.lsp.request('etcdList/queries', { uri });
    return answer?.version === document.version ? this.lensesOf(document, answer) : [];
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  private lensesOf(document: Lines, { queries }: FileQueries): CodeLens[] {
    const uri = document.uri.toString();
    return queries.flatMap((query) => {
      const run = query.request === null ? undefined : this.runs.of(uri, query.request);
      if (run === undefined) return [];
      // VS Code would draw an icon for `$(x)`.
      const title = receiptText(run, Date.now()).replaceAll('$(', '$ (');
      const line = lineBelow(document, query);
      return [new CodeLens(new Range(line, 0, line, 0), { title, command: '' })];
    });
  }
}

/**
 * A lens stands above its line, and one row with what can be done with the query would be too long:
 * the line after the last of the query that is not blank, or the query's own at the end of the file.
 */
function lineBelow(document: Lines, { range, anchor }: FileQuery): number {
  const { lineCount } = document;
  const { line: end, character } = range.end;
  let last = Math.min(character === 0 ? end - 1 : end, lineCount - 1);
  while (last > anchor.start.line && document.lineAt(last).isEmptyOrWhitespace) last -= 1;
  return last + 1 < lineCount ? last + 1 : anchor.start.line;
}
