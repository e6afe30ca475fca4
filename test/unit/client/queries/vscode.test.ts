/** What shows in VS Code: results, receipts below queries, marks of failures. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LastRuns } from '../../../../client/queries/lastRuns';
import { ReceiptLenses } from '../../../../client/queries/receiptLenses';
import {
  explanationPages,
  ResultDocuments,
  resultPages,
} from '../../../../client/queries/resultDocuments';
import { RunMarks } from '../../../../client/queries/runMarks';
import { FakeServer, total } from '../support';
import { fileOf, request, uri } from './support';

const vscode = vi.hoisted(() => ({
  fired: [] as unknown[],
  closed: [] as ((document: unknown) => void)[],
  edited: [] as ((event: unknown) => void)[],
  marks: new Map<string, unknown>(),
  visible: [] as unknown[],
  opened: [] as unknown[],
  documents: [] as unknown[],
  showTextDocument: vi.fn<(document: unknown, how: unknown) => Promise<void>>(),
}));

vi.mock('vscode', () => {
  const nothing = { dispose: () => undefined };
  const uriOf = (text: string) => ({
    text,
    path: text.replace(/^.*?:\/\//, ''),
    toString: () => text,
  });
  return {
    EventEmitter: class {
      readonly event = () => nothing;
      readonly fire = (value: unknown) => vscode.fired.push(value);
      readonly dispose = () => undefined;
    },
    CodeLens: class {
      constructor(
        readonly range: unknown,
        readonly command: unknown,
      ) {}
    },
    Range: class {
      readonly numbers: number[];
      constructor(...numbers: number[]) {
        this.numbers = numbers;
      }
    },
    Diagnostic: class {
      constructor(
        readonly range: unknown,
        readonly message: string,
        readonly severity: number,
      ) {}
    },
    DiagnosticSeverity: { Error: 0 },
    ViewColumn: { Beside: -2 },
    Uri: {
      parse: uriOf,
      from: ({ scheme, path, query }: Record<string, string>) =>
        uriOf(`${scheme}:${path}?${query}`),
    },
    languages: {
      registerCodeLensProvider: () => nothing,
      createDiagnosticCollection: () => ({
        ...nothing,
        set: (at: unknown, found: unknown) => vscode.marks.set(String(at), found),
        delete: (at: unknown) => vscode.marks.delete(String(at)),
      }),
    },
    window: {
      get visibleTextEditors() {
        return vscode.visible;
      },
      showTextDocument: vscode.showTextDocument,
    },
    workspace: {
      get textDocuments() {
        return vscode.documents;
      },
      openTextDocument: (at: unknown) => Promise.resolve(vscode.opened[0] ?? { uri: at }),
      registerTextDocumentContentProvider: () => nothing,
      onDidCloseTextDocument: (listener: (document: unknown) => void) => {
        vscode.closed.push(listener);
        return nothing;
      },
      onDidChangeTextDocument: (listener: (event: unknown) => void) => {
        vscode.edited.push(listener);
        return nothing;
      },
    },
  };
});

beforeEach(() => {
  for (const list of [vscode.fired, vscode.closed, vscode.edited]) list.splice(0);
  vscode.visible = [];
  vscode.opened = [];
  vscode.marks.clear();
  vscode.documents = [{ uri: { toString: () => uri }, version: 1 }];
  vscode.showTextDocument.mockReset();
});

describe('results', () => {
  it('have one document for each file, beside the editor, which keeps the focus', async () => {
    const documents = new ResultDocuments(resultPages);
    const page = await documents.open(uri, 'one');
    const [document, how] = vscode.showTextDocument.mock.calls[0] as [{ uri: never }, unknown];
    expect(String(document.uri)).toBe(
      'etcd-list-results:/etcd LIST/q.etcdlist results.txt?file:///a/q.etcdlist',
    );
    expect(how).toEqual({ viewColumn: -2, preview: false, preserveFocus: true });
    const text = () => documents.provideTextDocumentContent(document.uri);
    expect(text()).toBe('one');
    const told = vscode.fired.length;
    page.show('two');
    page.show('two');
    expect([text(), vscode.fired.length]).toEqual(['two', told + 1]);
    for (const close of vscode.closed) close(document);
    expect(text()).toContain('earlier session');
    page.show('three');
    expect(text()).toContain('earlier session');
  });

  it('stay where they are shown already', async () => {
    const document = {};
    vscode.opened = [document];
    vscode.visible = [{ document }];
    await new ResultDocuments(resultPages).open(uri, 'one');
    expect(vscode.showTextDocument).not.toHaveBeenCalled();
  });
});

describe('explanations', () => {
  it('have a document of their own, opened at its first line to be read', async () => {
    const documents = new ResultDocuments(explanationPages);
    await documents.open(uri, 'why');
    const [document, how] = vscode.showTextDocument.mock.calls[0] as [{ uri: never }, object];
    expect(String(document.uri)).toBe(
      'etcd-list-explanation:/etcd LIST/q.etcdlist explained.txt?file:///a/q.etcdlist',
    );
    expect(how).toMatchObject({ viewColumn: -2, preserveFocus: false });
    expect(how).toHaveProperty('selection.numbers', [0, 0, 0, 0]);
    expect(documents.provideTextDocumentContent(document.uri)).toBe('why');
  });

  it('take the focus where they are shown already', async () => {
    const document = {};
    vscode.opened = [document];
    vscode.visible = [{ document, viewColumn: 2 }];
    await new ResultDocuments(explanationPages).open(uri, 'why');
    expect(vscode.showTextDocument).toHaveBeenCalledWith(
      document,
      expect.objectContaining({ viewColumn: 2, preserveFocus: false }),
    );
  });
});

describe('receipts below queries', () => {
  const documentOf = (text: string, version = 1) => {
    const lines = text.split('\n');
    return {
      uri: { toString: () => uri },
      version,
      lineCount: lines.length,
      lineAt: (line: number) => ({ isEmptyOrWhitespace: (lines[line] ?? '').trim() === '' }),
    } as never;
  };
  const three = documentOf('###\nq\n\n###\nq\n \n###\nq\n');

  it('stand below those that were run, as they are written now', async () => {
    const runs = new LastRuns();
    let file = fileOf(null, request(), request({}, { limit: '5' }));
    const server = new FakeServer({ 'etcdList/queries': () => file });
    const lenses = new ReceiptLenses(server, runs);
    expect(await lenses.provideCodeLenses(three)).toEqual([]);
    expect(server.asked).toEqual([]);
    runs.put(uri, request(), { at: Date.now(), connection: 7, total });
    expect(vscode.fired).toHaveLength(1);
    const [lens, ...others] = await lenses.provideCodeLenses(three);
    expect(others).toEqual([]);
    expect(lens?.range).toMatchObject({ numbers: [5, 0, 5, 0] });
    expect(lens?.command?.title).toMatch(/^2 fetched → 2 evaluated → 1 returned · 1 round trip · /);
    const failure = { code: 'etcd', sentence: 'No $(alert).' } as const;
    runs.put(uri, request(), { at: Date.now(), connection: 7, failure });
    const [failed] = await lenses.provideCodeLenses(three);
    expect(failed?.command?.title).toMatch(/^Failed: No \$ \(alert\)\. · /);
    file = fileOf(request({}, { limit: '6' }));
    expect(await lenses.provideCodeLenses(three)).toEqual([]);
    server.answers['etcdList/queries'] = () => null;
    expect(await lenses.provideCodeLenses(three)).toEqual([]);
  });

  it.each([
    ['a query of several lines', '###\nq \\\n -l a', '###\nq', 3],
    ['the end of the file', '###\nq', '', 1],
  ])('stand at their line, beside %s', async (_, first, second, line) => {
    const runs = new LastRuns();
    const server = new FakeServer({
      'etcdList/queries': () => {
        const { queries, ...file } = fileOf(request());
        const end =
          second === ''
            ? { line: 1, character: 1 }
            : { line: first.split('\n').length, character: 0 };
        const [query] = queries;
        return { ...file, queries: [{ ...query, range: { ...query?.range, end } }] };
      },
    });
    runs.put(uri, request(), { at: Date.now(), connection: 7, total });
    const text = second === '' ? first : `${first}\n${second}`;
    const lenses = new ReceiptLenses(server, runs);
    const [lens] = await lenses.provideCodeLenses(documentOf(text));
    expect(lens?.range).toMatchObject({ numbers: [line, 0, line, 0] });
    // What was asked of another text says nothing of this one.
    expect(await lenses.provideCodeLenses(documentOf(text, 2))).toEqual([]);
  });
});

describe('a failed run', () => {
  const failure = { code: 'etcd', sentence: 'etcd does not answer.' } as const;
  const chosen = { file: fileOf(request(), request()), index: 1 };
  const marked = () => [...vscode.marks.values()];

  it('is marked at its query, until the file changes or is run again', () => {
    const marks = new RunMarks();
    marks.mark(chosen, failure);
    expect(marked()).toEqual([
      [
        {
          range: { numbers: [4, 0, 4, 4] },
          message: 'etcd does not answer.',
          severity: 0,
          source: 'etcd LIST',
          code: 'run',
        },
      ],
    ]);
    const document = { uri };
    for (const edit of vscode.edited) edit({ document, contentChanges: [] });
    expect(marked()).toHaveLength(1);
    for (const edit of vscode.edited) edit({ document, contentChanges: [{}] });
    expect(marked()).toEqual([]);
    marks.mark(chosen, failure);
    marks.clear({ uri });
    expect(marked()).toEqual([]);
    marks.mark(chosen, failure);
    for (const close of vscode.closed) close(document);
    expect(marked()).toEqual([]);
  });

  it('is not marked in a text that it was not of', () => {
    vscode.documents = [{ uri: { toString: () => uri }, version: 2 }];
    new RunMarks().mark(chosen, failure);
    vscode.documents = [];
    new RunMarks().mark(chosen, failure);
    expect(marked()).toEqual([]);
  });
});
