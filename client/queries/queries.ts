/** Query files, put together; nothing is asked or run before a person does. */
import { CancellationTokenSource, commands, env, window } from 'vscode';
import { commands as names } from '../../server/protocol/names';
import { chooseForm } from '../commands/choices';
import { confirmed, showError, showInformation, showProgress } from '../common/notices';
import type { WaysComparison } from '../compare/comparison';
import type { LspClient } from '../lsp/lspClient';
import type { ListPanel } from '../panel/listPanel';
import type { StatusStore } from '../status/statusStore';
import { continuedAlone } from './continued';
import { copyForms, copyText, type CopyForm } from './copies';
import { LastRuns } from './lastRuns';
import { Lists } from './lists';
import { refused } from '../lsp/failure';
import { CHANGED, QueryFiles, runnable, type Cursor } from './place';
import { ReceiptLenses } from './receiptLenses';
import { explanationPages, ResultDocuments, resultPages } from './resultDocuments';
import { RunMarks } from './runMarks';
import { QueryRunner } from './runner';

const messageMs = 3000;

/** What the commands of query files do. */
export class Queries {
  private readonly runs = new LastRuns();
  private readonly files: QueryFiles;
  private readonly runner: QueryRunner;
  private readonly explanations = new ResultDocuments(explanationPages);
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly lsp: LspClient,
    status: StatusStore,
    panel: Pick<ListPanel, 'runQuery'>,
    private readonly comparison: Pick<WaysComparison, 'run'>,
  ) {
    const [documents, marks] = [new ResultDocuments(resultPages), new RunMarks()];
    const lenses = new ReceiptLenses(lsp, this.runs);
    this.files = new QueryFiles(lsp, cursor);
    this.runner = new QueryRunner({
      lists: new Lists(lsp, (text) => confirmed(text, 'Read everything')),
      runs: this.runs,
      documents,
      marks,
      panel,
      tell: (sentence) => {
        void showError(sentence);
      },
      progress: (title, work) => showProgress(`etcd LIST: ${title}`, work),
      access: {
        facts: () => status.current,
        ask: showInformation,
        connect: () => commands.executeCommand(names.connect),
      },
      connection: () => {
        const { status: now } = status;
        if (now.state !== 'connected') return { name: '', number: null };
        return { name: now.name, number: now.connectionNumber };
      },
      makeSource: () => new CancellationTokenSource(),
      now: Date.now,
    });
    this.subscriptions = [
      this.runner,
      lenses,
      lenses.register(),
      documents,
      marks,
      this.explanations,
    ];
  }

  /** Each argument is a lens's, or anything; the query at the cursor is meant then. */
  async run(argument: unknown, follow = false): Promise<void> {
    await this.runner.inPanel(await this.files.chosen(argument), follow);
  }

  async runBeside(argument: unknown): Promise<void> {
    await this.runner.beside(await this.files.chosen(argument));
  }

  async runAll(argument: unknown): Promise<void> {
    await this.runner.all(await this.files.file(argument));
  }

  /** Needs no connection, and no trust: nothing is read but the query. */
  async explain(argument: unknown): Promise<void> {
    const { file, index } = await this.files.chosen(argument);
    const { uri, version } = file;
    const explained = await this.lsp.request('etcdList/explain', { uri, version, index });
    if (explained === null) throw refused(CHANGED);
    await this.explanations.open(uri, explained.text);
  }

  /** To the end where the query reads so. */
  async compare(argument: unknown): Promise<void> {
    const one = runnable(await this.files.chosen(argument));
    const query = continuedAlone(one, this.runner.lastOf(one.file));
    await this.comparison.run(one.file.uri, query, one.request.follow);
  }

  /** Without a form the person is asked for it. */
  async copy(argument: unknown, form?: CopyForm): Promise<void> {
    const one = runnable(await this.files.chosen(argument));
    const query = continuedAlone(one, this.runner.lastOf(one.file));
    const chosen = form ?? (await chooseForm());
    if (chosen === undefined) return;
    await env.clipboard.writeText(await copyText(this.lsp, query, one.request, chosen));
    window.setStatusBarMessage(`Copied ${copyForms[chosen]}`, messageMs);
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }
}

function cursor(): Cursor | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  return { uri: editor.document.uri.toString(), line: editor.selection.active.line };
}
