import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import { ObjectDocuments } from '../../../../client/objects/objectDocuments';
import { RpcError } from '../../../../server/protocol/rpc';
import { FakeServer, FakeSource } from '../support';

const vscode = vi.hoisted(() => ({
  openTextDocument: vi.fn<(uri: unknown) => Promise<unknown>>(),
  showTextDocument: vi.fn<(document: unknown) => Promise<void>>(),
  showInformationMessage: vi.fn<(text: string, action: string) => Promise<string | undefined>>(),
  showErrorMessage: vi.fn<(text: string) => Promise<undefined>>(),
  busy: [] as string[],
}));

vi.mock('vscode', () => ({
  ProgressLocation: { Window: 10 },
  CodeLens: class {
    constructor(
      readonly range: unknown,
      readonly command: unknown,
    ) {}
  },
  Range: Object,
  EventEmitter: class {
    readonly event = () => undefined;
    readonly dispose = () => undefined;
    readonly fire = () => undefined;
  },
  languages: { registerCodeLensProvider: () => ({ dispose: () => undefined }) },
  Uri: {
    from: (parts: { scheme: string; path: string; query: string }) => ({
      ...parts,
      toString: () => `${parts.scheme}:${parts.path}?${parts.query}`,
    }),
  },
  ViewColumn: { Beside: -2 },
  window: {
    showTextDocument: vscode.showTextDocument,
    showInformationMessage: vscode.showInformationMessage,
    showErrorMessage: vscode.showErrorMessage,
    withProgress: async ({ title }: { title: string }, work: () => Promise<unknown>) => {
      vscode.busy.push(title);
      return work().finally(() => vscode.busy.pop());
    },
  },
  workspace: {
    openTextDocument: vscode.openTextDocument,
    registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
    onDidCloseTextDocument: () => ({ dispose: () => undefined }),
  },
}));

const params = { key: '2f61', revision: '7', resource: 'pods', reveal: false };
const object = {
  title: 'web/a.yaml',
  text: 'kind: Pod\n',
  warning: '',
  masked: false,
  connectionNumber: 4,
};

function setup(answer: (params: never, token: FakeSource['token']) => unknown = () => object) {
  const server = new FakeServer({ 'etcdList/openObject': answer });
  const source = new FakeSource();
  const documents = new ObjectDocuments(server);
  const open = () => documents.open(params, source.token);
  return { documents, source, open };
}

const opened = () => vscode.openTextDocument.mock.calls.map(([uri]) => uri as Uri);

describe('ObjectDocuments', () => {
  beforeEach(() => {
    vi.clearAllMocks();
    vscode.openTextDocument.mockResolvedValue({});
    vscode.showTextDocument.mockResolvedValue(undefined);
  });

  it('opens each object under an address of its own, in every session', async () => {
    for (const { documents, open } of [setup(), setup()]) {
      await open();
      const uri = opened().at(-1)!;
      expect(documents.provideTextDocumentContent(uri)).toBe('kind: Pod\n');
    }
    const [first, second] = opened();
    expect(String(first)).not.toBe(String(second));
    const restored = setup();
    expect(restored.documents.provideTextDocumentContent(first!)).toContain('earlier session');
  });

  it('says that it waits for etcd, as long as it does', async () => {
    const waiting = setup(() => new Promise(() => undefined));
    void waiting.open();
    await vi.waitFor(() => {
      expect(vscode.busy).toEqual(['Opening the stored object…']);
    });
    vscode.busy.splice(0);
    const refusal = new RpcError({ code: 'etcd', sentence: 'Not reached.' });
    await expect(setup(() => Promise.reject(refusal)).open()).rejects.toThrow('Not reached.');
    await setup().open();
    expect(vscode.busy).toEqual([]);
  });

  it('opens no editor once it is cancelled, and passes the cancellation on', async () => {
    const tokens: unknown[] = [];
    const late = setup((_, token) => {
      tokens.push(token);
      late.source.cancel();
      return object;
    });
    await late.open();
    expect(tokens).toEqual([late.source.token]);
    expect(opened()).toEqual([]);
    const later = setup();
    vscode.openTextDocument.mockImplementation(() => {
      later.source.cancel();
      return Promise.resolve({});
    });
    await later.open();
    expect(opened()).toHaveLength(1);
    expect(vscode.showTextDocument).not.toHaveBeenCalled();
  });

  it('reveals values over the connection only that they were read over', async () => {
    const asked: unknown[] = [];
    const { open } = setup((given) => {
      asked.push(given);
      if (asked.length > 1)
        throw new RpcError({ code: 'badRequest', sentence: 'Changed [x](command:y).' });
      return { ...object, title: 'web/[x](command:y).yaml', masked: true };
    });
    vscode.showInformationMessage.mockImplementation((_, action) => Promise.resolve(action));
    await open();
    await vi.waitFor(() => {
      expect(vscode.showErrorMessage).toHaveBeenCalledTimes(1);
    });
    expect(asked).toEqual([params, { ...params, connectionNumber: 4, reveal: true }]);
    const said = [vscode.showInformationMessage, vscode.showErrorMessage].map(
      ({ mock }) => mock.calls[0]?.[0],
    );
    expect(said).toEqual(['Values of web/[x] (command:y) are masked.', 'Changed [x] (command:y).']);
  });

  it('reveals by a lens too, once the question is gone, and says that it did', async () => {
    const { documents, open } = setup(({ reveal }: { reveal: boolean }) => ({
      ...object,
      text: reveal ? 'password: x\n' : 'password: ***\n',
      masked: !reveal,
    }));
    vscode.showInformationMessage.mockResolvedValue(undefined);
    await open();
    const uri = opened()[0]!;
    const lenses = documents.provideCodeLenses({ uri });
    expect(lenses.map(({ command }) => command)).toEqual([
      { title: 'Reveal values', command: 'etcdList.revealValues', arguments: [String(uri)] },
    ]);
    await documents.reveal(String(uri));
    expect(documents.provideTextDocumentContent(uri)).toBe(
      '# Values of this Secret are revealed.\npassword: x\n',
    );
    expect(documents.provideCodeLenses({ uri })).toEqual([]);
    await expect(documents.reveal(String(uri))).rejects.toThrow('No values are masked');
    await expect(documents.reveal(undefined)).rejects.toThrow('No values are masked');
  });

  it('keeps no text of a document that could not be opened', async () => {
    const { documents, open } = setup();
    vscode.openTextDocument.mockRejectedValue(new Error('no editor'));
    await expect(open()).rejects.toThrow('no editor');
    expect(documents.provideTextDocumentContent(opened()[0]!)).toContain('earlier session');
  });
});
