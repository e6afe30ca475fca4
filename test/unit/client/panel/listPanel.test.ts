import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Uri, WebviewPanel } from 'vscode';
import { Emitter } from '../../../../client/common/emitter';
import { ListPanel } from '../../../../client/panel/listPanel';
import { FakeServer, query } from '../support';
import { surroundings, untilCancelled } from './setup';

class FakePanel {
  disposed = false;
  active = true;
  viewColumn = 1;
  readonly reveal = vi.fn();
  readonly posted: unknown[] = [];
  readonly received = new Emitter<unknown>();
  readonly ended = new Emitter<undefined>();
  readonly webview = {
    html: '',
    options: {},
    cspSource: 'https://panel.test',
    asWebviewUri: (uri: { path: string }) => `https://panel.test/${uri.path}`,
    onDidReceiveMessage: (listener: (message: unknown) => void) => this.received.on(listener),
    postMessage: (message: unknown) => {
      if (this.disposed) throw new Error('Webview is disposed');
      this.posted.push(message);
      return Promise.resolve(true);
    },
  };
  readonly onDidDispose = (listener: () => void) => this.ended.on(listener);

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.ended.fire(undefined);
  }

  get listeners(): number {
    return this.received.size + this.ended.size;
  }

  get asVSCode(): WebviewPanel {
    return this as unknown as WebviewPanel;
  }
}

interface Made {
  panels: unknown[];
  create: (...given: unknown[]) => unknown;
  editor: { viewColumn: number } | undefined;
}

const made = vi.hoisted((): Made => ({
  panels: [],
  create: () => undefined,
  editor: undefined,
}));

vi.mock('vscode', () => ({
  window: {
    createWebviewPanel: (...given: unknown[]) => made.create(...given),
    get activeTextEditor() {
      return made.editor;
    },
  },
  env: { language: 'en' },
  Uri: { joinPath: (_: unknown, ...parts: string[]) => ({ path: parts.join('/') }) },
  ViewColumn: { Active: -1, Beside: -2 },
}));

const extension = { path: '' } as unknown as Uri;
const list = { listId: 'a', query, follow: false, confirmed: false };

describe('ListPanel', () => {
  const panels = made.panels as FakePanel[];
  const places: unknown[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    panels.length = 0;
    places.length = 0;
    made.create = (...given) => {
      places.push(given[2]);
      const panel = new FakePanel();
      panels.push(panel);
      return panel;
    };
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open(server: FakeServer) {
    const around = surroundings(server);
    const { lsp, status } = around;
    const emitters = [lsp.listEvents, lsp.serverGone, lsp.statusChanged, status.changed];
    const sizes = () => emitters.map(({ size }) => size);
    const before = sizes();
    const listPanel = new ListPanel(extension, around.common);
    listPanel.show();
    return { ...around, listPanel, panel: panels[0]!, sizes, before };
  }

  it('leaves no listener, timer or call when it is closed while a list runs', async () => {
    const server = new FakeServer({
      'etcdList/list': untilCancelled,
      'etcdList/namespaces': untilCancelled,
    });
    const { panel, sources, sizes, before } = open(server);
    expect(sizes()).not.toEqual(before);
    expect(panel.listeners).toBe(2);
    panel.received.fire({ type: 'request', id: 1, method: 'list', params: list });
    panel.received.fire({ type: 'request', id: 2, method: 'namespaces', params: null });
    await vi.waitFor(() => {
      expect(server.asked).toHaveLength(2);
    });
    panel.dispose();
    await vi.waitFor(() => {
      expect(sources.map(({ disposed }) => disposed)).toEqual([true, true]);
    });
    expect(sources.map(({ token }) => token.isCancellationRequested)).toEqual([true, true]);
    expect(panel.listeners).toBe(0);
    expect(sizes()).toEqual(before);
    expect(vi.getTimerCount()).toBe(0);
    expect(panel.posted).toEqual([]);
  });

  it('is one: shown again it comes to the front, and a second one is not taken', async () => {
    const { listPanel, panel } = open(new FakeServer({}));
    listPanel.show();
    expect(panels).toHaveLength(1);
    expect(panel.reveal).toHaveBeenCalledOnce();
    const second = new FakePanel();
    await listPanel.deserializeWebviewPanel(second.asVSCode);
    expect([second.disposed, second.listeners]).toEqual([true, 0]);
  });

  it('takes the focus back after a question, unless another editor is in front', async () => {
    const { panel } = open(new FakeServer({}));
    const confirm = { type: 'request', method: 'confirmUnlimited', params: { text: '?' } };
    panel.received.fire({ ...confirm, id: 1 });
    await vi.waitFor(() => {
      expect(panel.posted).toHaveLength(1);
    });
    expect(panel.reveal.mock.calls).toEqual([[undefined, false]]);
    panel.active = false;
    panel.received.fire({ ...confirm, id: 2 });
    await vi.waitFor(() => {
      expect(panel.posted).toHaveLength(2);
    });
    expect(panel.reveal).toHaveBeenCalledOnce();
  });

  it('runs a query of a file beside it, and leaves the focus there', async () => {
    const { panel, listPanel } = open(new FakeServer({}));
    const given = { query, follow: false, onEnd: () => undefined };
    expect(places).toEqual([-1]);
    listPanel.runQuery(given);
    expect(panel.reveal.mock.calls).toEqual([[undefined, true]]);
    panel.dispose();
    listPanel.runQuery(given);
    expect(places).toEqual([-1, { viewColumn: -2, preserveFocus: true }]);
    const [, anew] = panels;
    anew?.received.fire({ type: 'request', id: 1, method: 'ready', params: null });
    await vi.waitFor(() => {
      expect(anew?.posted).toContainEqual({
        type: 'notification',
        method: 'runQuery',
        params: { query, follow: false },
      });
    });
  });

  it('moves beside a query file of its own group, which it would cover', () => {
    const { listPanel, panel } = open(new FakeServer({}));
    onTestFinished(() => {
      made.editor = undefined;
    });
    const given = { query, follow: false, onEnd: () => undefined };
    made.editor = { viewColumn: 1 };
    listPanel.runQuery(given);
    made.editor = { viewColumn: 2 };
    listPanel.runQuery(given);
    expect(panel.reveal.mock.calls).toEqual([
      [-2, true],
      [undefined, true],
    ]);
  });

  it('is made anew after it was closed, and closed with the extension', () => {
    const { listPanel, panel, sizes, before } = open(new FakeServer({}));
    panel.dispose();
    listPanel.show();
    expect(panels).toHaveLength(2);
    listPanel.dispose();
    expect(panels.map(({ disposed, listeners }) => [disposed, listeners])).toEqual([
      [true, 0],
      [true, 0],
    ]);
    expect(sizes()).toEqual(before);
  });
});
