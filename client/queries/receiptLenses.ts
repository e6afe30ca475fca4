/** A line above each query that was run: what its last run cost. */
import { CodeLens, EventEmitter, languages } from 'vscode';
import type { CodeLensProvider, Disposable, DocumentSelector, TextDocument } from 'vscode';
import type { FileQueries } from '../../server/protocol/queryFiles';
import type { LspCaller } from '../lsp/lspClient';
import type { LastRuns } from './lastRuns';
import { receiptText } from './receiptText';
import { rangeOf } from './runMarks';

/** Files of queries, in both ways of writing them. */
export const queryDocuments: DocumentSelector = [
  { language: 'etcdlist' },
  { pattern: '**/*.etcdlist' },
  { pattern: '**/*.etcdlist.{yaml,yml}' },
];

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
  async provideCodeLenses({ uri }: Pick<TextDocument, 'uri'>): Promise<CodeLens[]> {
    const file = uri.toString();
    if (!this.runs.has(file)) return [];
    const answer = await this.lsp.request('etcdList/queries', { uri: file });
    return answer === null ? [] : this.lensesOf(file, answer);
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  private lensesOf(file: string, { queries }: FileQueries): CodeLens[] {
    return queries.flatMap(({ request, anchor }) => {
      const run = request === null ? undefined : this.runs.of(file, request);
      if (run === undefined) return [];
      const title = receiptText(run, Date.now());
      return [new CodeLens(rangeOf(anchor), { title, command: '' })];
    });
  }
}
