/** Starts the language server at the first document in which it would find selectors. */
import { workspace } from 'vscode';
import type { TextDocument } from 'vscode';
import type { Subscription } from '../common/emitter';
import { mayHoldSelectors } from './mayHoldSelectors';

export interface Starts {
  readonly isStarted: boolean;
  wake(): void;
}

export function startForSelectors(lsp: Starts): Subscription {
  const look = (document: TextDocument): void => {
    if (lsp.isStarted) return;
    const { languageId } = document;
    if (mayHoldSelectors({ languageId, beginning: () => beginningOf(document) })) lsp.wake();
  };
  workspace.textDocuments.forEach(look);
  const subscriptions = [
    workspace.onDidOpenTextDocument(look),
    // A new file says what it is while it is typed.
    workspace.onDidChangeTextDocument(({ document }) => {
      look(document);
    }),
  ];
  return {
    dispose: () => {
      for (const each of subscriptions) each.dispose();
    },
  };
}

/** Lines that are looked at: a manifest says early what it is. */
const LINES = 200;

function beginningOf(document: TextDocument): string {
  const lines = Math.min(document.lineCount, LINES);
  return Array.from({ length: lines }, (_, i) => document.lineAt(i).text.slice(0, 1000)).join('\n');
}
