/** Starts the language server at the first document in which it would find selectors. */
import { workspace } from 'vscode';
import type { TextDocument, TextDocumentChangeEvent } from 'vscode';
import type { Subscription } from '../common/emitter';
import { mayHoldSelectors } from './mayHoldSelectors';

export interface Starts {
  readonly isStarted: boolean;
  wake(): void;
}

export function startForSelectors(lsp: Starts): Subscription {
  const look = (document: TextDocument, text: () => string): void => {
    if (lsp.isStarted) return;
    const { languageId, uri } = document;
    if (mayHoldSelectors({ languageId, uri: uri.path, text })) lsp.wake();
  };
  const opened = (document: TextDocument): void => {
    look(document, () => lines(document, 0, document.lineCount));
  };
  workspace.textDocuments.forEach(opened);
  const subscriptions = [
    workspace.onDidOpenTextDocument(opened),
    // A new file says what it is while it is typed.
    workspace.onDidChangeTextDocument((event) => {
      look(event.document, () => changedLines(event));
    }),
  ];
  return {
    dispose: () => {
      for (const each of subscriptions) each.dispose();
    },
  };
}

/** Characters that are looked at; a longer document says by then what it is. */
const MOST = 2_000_000;

/** Whole lines, so that what is typed letter by letter is seen too. */
function changedLines({ document, contentChanges }: TextDocumentChangeEvent): string {
  return contentChanges
    .map(({ range, text }) => {
      const first = range.start.line;
      return lines(document, first, first + text.split('\n').length);
    })
    .join('\n');
}

function lines(document: TextDocument, first: number, end: number): string {
  const all: string[] = [];
  let left = MOST;
  for (let line = first; line < Math.min(end, document.lineCount) && left > 0; line += 1) {
    const { text } = document.lineAt(line);
    all.push(text.slice(0, left));
    left -= text.length + 1;
  }
  return all.join('\n');
}
