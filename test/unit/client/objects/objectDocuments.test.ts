import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import { ObjectDocuments } from '../../../../client/objects/objectDocuments';
import { FakeServer, FakeSource } from '../support';

const vscode = vi.hoisted(() => ({
  openTextDocument: vi.fn<(uri: unknown) => Promise<unknown>>(),
  showTextDocument: vi.fn<(document: unknown) => Promise<void>>(),
}));

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = () => undefined;
    readonly dispose = () => undefined;
  },
  Uri: {
    from: (parts: { scheme: string; path: string; query: string }) => ({
      ...parts,
      toString: () => `${parts.scheme}:${parts.path}?${parts.query}`,
    }),
  },
  ViewColumn: { Beside: -2 },
  window: { showTextDocument: vscode.showTextDocument },
  workspace: {
    openTextDocument: vscode.openTextDocument,
    registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
    onDidCloseTextDocument: () => ({ dispose: () => undefined }),
  },
}));

const params = { key: '2f61', revision: '7', resource: 'pods', reveal: false };
const object = { title: 'web/a.yaml', text: 'kind: Pod\n', warning: '', masked: false };

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

  it('keeps no text of a document that could not be opened', async () => {
    const { documents, open } = setup();
    vscode.openTextDocument.mockRejectedValue(new Error('no editor'));
    await expect(open()).rejects.toThrow('no editor');
    expect(documents.provideTextDocumentContent(opened()[0]!)).toContain('earlier session');
  });
});
