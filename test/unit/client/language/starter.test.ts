import { expect, it, vi } from 'vitest';
import { startForSelectors } from '../../../../client/language/starter';

type Listener = (event: never) => void;

const vscode = vi.hoisted(() => ({
  documents: [] as unknown[],
  opened: undefined as unknown as Listener,
  changed: undefined as unknown as Listener,
}));

vi.mock('vscode', () => ({
  workspace: {
    get textDocuments() {
      return vscode.documents;
    },
    onDidOpenTextDocument: (listener: Listener) => {
      vscode.opened = listener;
      return { dispose: () => undefined };
    },
    onDidChangeTextDocument: (listener: Listener) => {
      vscode.changed = listener;
      return { dispose: () => undefined };
    },
  },
}));

function documentOf(text: string) {
  const lines = text.split('\n');
  return {
    languageId: 'yaml',
    uri: { path: '/a/b.yaml' },
    lineCount: lines.length,
    lineAt: vi.fn((line: number) => ({ text: lines[line] })),
  };
}

function setup(...documents: readonly unknown[]) {
  vscode.documents = [...documents];
  const lsp = { isStarted: false, wake: vi.fn() };
  startForSelectors(lsp);
  return lsp;
}

const change = (line: number, text: string) => ({ range: { start: { line } }, text });

it('looks at documents that are open, and at those that are opened', () => {
  expect(setup(documentOf('apiVersion: v1')).wake).toHaveBeenCalledOnce();
  const { wake } = setup(documentOf('a: b'));
  expect(wake).not.toHaveBeenCalled();
  vscode.opened(documentOf(`${'a: b\n'.repeat(1000)}apiVersion: v1`) as never);
  expect(wake).toHaveBeenCalledOnce();
});

it('looks, at each letter, at no more than the lines that changed', () => {
  const { wake } = setup();
  const typed = (text: string, line: number, put: string) => {
    const document = documentOf(text);
    vscode.changed({ document, contentChanges: [change(line, put)] } as never);
    return document;
  };
  const document = typed(`${'a: b\n'.repeat(1000)}apiVersio`, 1000, 'o');
  expect(document.lineAt).toHaveBeenCalledTimes(1);
  expect(wake).not.toHaveBeenCalled();
  typed(`${'a: b\n'.repeat(1000)}apiVersion`, 1000, 'n');
  expect(wake).toHaveBeenCalledTimes(1);
  typed('a\nb\nkubectl\n', 0, 'a\nb\nkubectl\n');
  expect(wake).toHaveBeenCalledTimes(2);
});

it('looks at nothing once a server is started', () => {
  const lsp = setup();
  lsp.isStarted = true;
  const document = documentOf('apiVersion: v1');
  vscode.opened(document as never);
  expect(document.lineAt).not.toHaveBeenCalled();
});
