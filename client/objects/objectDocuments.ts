import { randomUUID } from 'node:crypto';
import {
  CodeLens,
  EventEmitter,
  languages,
  Range,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { CancellationToken, CodeLensProvider, TextDocumentContentProvider } from 'vscode';
import type { OpenedObject, OpenObjectParams } from '../../server/protocol/model';
import { commands } from '../../server/protocol/names';
import { showError, showInformation, whileBusy } from '../common/notices';
import type { LspCaller } from '../lsp/lspClient';
import { failureOf, refused } from '../lsp/failure';
import { objectName, objectPath, objectText } from './objectText';

export const objectScheme = 'etcd-list';

const reveal = 'Reveal values';

/** What an open document shows, and how it was asked for. */
interface Shown {
  readonly uri: Uri;
  readonly object: OpenedObject;
  readonly params: OpenObjectParams;
}

/**
 * Read-only documents of stored objects. A text is kept as long as its document is open. Above one
 * whose values are masked stands a lens that reveals them.
 */
export class ObjectDocuments implements TextDocumentContentProvider, CodeLensProvider {
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;
  private readonly lensesChanged = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly shown = new Map<string, Shown>();
  private readonly subscriptions;

  constructor(private readonly lsp: LspCaller) {
    this.subscriptions = [
      this.changed,
      this.lensesChanged,
      workspace.registerTextDocumentContentProvider(objectScheme, this),
      languages.registerCodeLensProvider({ scheme: objectScheme }, this),
      workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
    ];
  }

  provideTextDocumentContent(uri: Uri): string {
    const shown = this.shown.get(uri.toString());
    if (shown !== undefined) return objectText(shown.object, shown.params.reveal);
    return '# This object was read in an earlier session. Open it again from the list.\n';
  }

  provideCodeLenses({ uri }: { readonly uri: Uri }): CodeLens[] {
    const shown = this.shown.get(uri.toString());
    if (shown?.object.masked !== true) return [];
    const command = { title: reveal, command: commands.revealValues, arguments: [uri.toString()] };
    return [new CodeLens(new Range(0, 0, 0, 0), command)];
  }

  /** A lens names the document; else the active editor's is meant. Rejects with one sentence. */
  async reveal(argument: unknown): Promise<void> {
    const active = window.activeTextEditor?.document.uri.toString();
    const name = typeof argument === 'string' ? argument : active;
    const shown = name === undefined ? undefined : this.shown.get(name);
    if (shown?.object.masked !== true) {
      throw refused('No values are masked in the active editor: open a Secret from a list first.');
    }
    await this.revealed(shown);
  }

  /** Shows the object beside the panel, which stays visible; nothing once the token is cancelled. */
  async open(params: OpenObjectParams, token: CancellationToken): Promise<void> {
    const object = await this.read(params, token);
    if (isOver(token)) return;
    // Unlike that of a document which VS Code brings back from an earlier session.
    const query = randomUUID();
    const uri = Uri.from({ scheme: objectScheme, path: objectPath(object.title), query });
    const shown = { uri, object, params };
    this.shown.set(uri.toString(), shown);
    try {
      const document = await workspace.openTextDocument(uri);
      if (isOver(token)) return;
      await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: true });
    } catch (error) {
      this.shown.delete(uri.toString());
      throw error;
    }
    if (object.masked) void this.offerToReveal(shown);
  }

  /** An etcd that does not answer is waited for as long as any other call. */
  private read(params: OpenObjectParams, token?: CancellationToken): Promise<OpenedObject> {
    return whileBusy('Opening the stored object…', () =>
      this.lsp.request('etcdList/openObject', params, token),
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.shown.clear();
  }

  private async offerToReveal(shown: Shown): Promise<void> {
    const text = `Values of ${objectName(shown.object.title)} are masked.`;
    const choice = await showInformation(text, reveal);
    if (choice !== reveal) return;
    try {
      await this.revealed(shown);
    } catch (error) {
      void showError(failureOf(error).sentence);
    }
  }

  /** Nothing where the document is closed, or shows the values already. */
  private async revealed({ uri, object, params }: Shown): Promise<void> {
    const name = uri.toString();
    const isMasked = (): boolean => this.shown.get(name)?.object.masked === true;
    if (!isMasked()) return;
    // It may be wanted long after another connection was opened.
    const again = { ...params, connectionNumber: object.connectionNumber, reveal: true };
    const open = await this.read(again);
    if (!isMasked()) return;
    this.shown.set(name, { uri, object: open, params: again });
    this.changed.fire(uri);
    this.lensesChanged.fire();
  }
}

/** Asked anew each time: it may become true while something is waited for. */
function isOver({ isCancellationRequested }: CancellationToken): boolean {
  return isCancellationRequested;
}
