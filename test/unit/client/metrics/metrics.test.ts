/** What is asked of a person, and what of it goes to the language server. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../../client/metrics/metrics';
import { LONGEST_PART } from '../../../../server/protocol/metrics';
import { FakeServer, FakeSource } from '../support';

class FakeUri {
  constructor(
    readonly scheme: string,
    readonly path: string,
  ) {}
  get fsPath(): string {
    return this.path;
  }
}

interface FakeWindow {
  editor: unknown;
  picked: string;
  dialogs: unknown[][];
  clipboard: string;
  opened: { uri: string; text: string }[];
}

const vscode = vi.hoisted<FakeWindow>(() => ({
  editor: undefined,
  picked: '',
  dialogs: [],
  clipboard: '',
  opened: [],
}));

vi.mock('vscode', () => {
  const nothing = { dispose: () => undefined };
  const providers: { provideTextDocumentContent: (uri: unknown) => string }[] = [];
  const Uri = {
    parse: (text: string) => ({ path: decodeURIComponent(text.replace(/^[^:]*:/, '')) }),
    from: ({ scheme, path }: { scheme: string; path: string }) => ({
      toString: () => `${scheme}:${path}`,
    }),
    [Symbol.hasInstance]: (value: unknown) => value instanceof FakeUri,
  };
  return {
    Uri,
    Range: vi.fn(),
    EventEmitter: class {
      event = () => nothing;
      fire = () => undefined;
      dispose = () => undefined;
    },
    ViewColumn: { Beside: -2 },
    ProgressLocation: { Notification: 15 },
    env: { clipboard: { readText: () => Promise.resolve(vscode.clipboard) } },
    languages: { registerHoverProvider: () => nothing },
    workspace: {
      registerTextDocumentContentProvider: (_: string, provider: (typeof providers)[0]) => {
        providers.push(provider);
        return nothing;
      },
      onDidCloseTextDocument: () => nothing,
      openTextDocument: (uri: { toString(): string }) => {
        const text = providers.at(-1)?.provideTextDocumentContent(uri) ?? '';
        vscode.opened.push({ uri: uri.toString(), text });
        return Promise.resolve({});
      },
      fs: { readFile: () => Promise.resolve(new TextEncoder().encode('up 1\n')) },
    },
    window: {
      get activeTextEditor() {
        return vscode.editor;
      },
      visibleTextEditors: [],
      showTextDocument: () => Promise.resolve(),
      showQuickPick: (items: { label: string }[]) =>
        Promise.resolve(items.find(({ label }) => label.includes(vscode.picked))),
      showOpenDialog: () => Promise.resolve(vscode.dialogs.shift()),
      withProgress: (_: unknown, work: (progress: object, token: object) => unknown) =>
        work({ report: () => undefined }, new FakeSource().token),
    },
  };
});

const file = (path: string, scheme = 'file') => new FakeUri(scheme, path);

function setup() {
  const server = new FakeServer({
    'etcdList/metrics': () => ({ text: '# TYPE m counter\nm 1\n' }),
    'etcdList/scrapePart': () => null,
    'etcdList/readMetrics': () => ({ name: 'read' }),
  });
  const showMetrics = vi.fn();
  const metrics = new Metrics(server, { showMetrics }, () => undefined);
  const asked = (method: string) =>
    server.asked.filter((each) => each.method === method).map(({ params }) => params);
  return { metrics, server, showMetrics, asked };
}

beforeEach(() => {
  Object.assign(vscode, { editor: undefined, picked: '', dialogs: [], clipboard: '', opened: [] });
});

describe('metrics that are read', () => {
  it('come from a file that the server reads, where the document is on disk as it stands', async () => {
    const { metrics, showMetrics, asked } = setup();
    vscode.editor = { document: { uri: file('/a/now.txt'), isDirty: false } };
    vscode.picked = 'now.txt';
    await metrics.readTexts(undefined);
    expect(asked('etcdList/readMetrics')).toEqual([
      {
        older: [],
        newer: [{ kind: 'file', path: '/a/now.txt' }],
        sort: 'fetched',
        byServer: false,
      },
    ]);
    expect(asked('etcdList/scrapePart')).toEqual([]);
    expect(showMetrics).toHaveBeenCalledWith({ name: 'read' });
  });

  it('go in parts where the document was changed', async () => {
    const { metrics, asked } = setup();
    const text = `${'x'.repeat(LONGEST_PART)}end`;
    const document = { uri: file('/a/now.txt'), isDirty: true, getText: () => text };
    vscode.editor = { document };
    vscode.picked = 'now.txt';
    await metrics.readTexts(undefined);
    const parts = asked('etcdList/scrapePart') as {
      text: string;
      first: boolean;
      scrape: string;
    }[];
    expect(parts.map((part) => [part.text.length, part.first])).toEqual([
      [LONGEST_PART, true],
      [3, false],
    ]);
    expect(asked('etcdList/readMetrics')).toMatchObject([
      { newer: [{ kind: 'parts', scrape: parts[0]?.scrape }] },
    ]);
  });

  it('come from the clipboard, and from files elsewhere', async () => {
    const { metrics, asked } = setup();
    vscode.picked = 'Clipboard';
    vscode.clipboard = 'pasted';
    await metrics.readTexts(undefined);
    vscode.picked = 'Files';
    vscode.dialogs = [[file('/far/now.txt', 'vscode-vfs')]];
    await metrics.readTexts(undefined);
    expect(asked('etcdList/scrapePart')).toMatchObject([
      { name: 'the clipboard', text: 'pasted' },
      { name: 'now.txt', text: 'up 1\n' },
    ]);
  });

  it('of two times are asked for one after the other', async () => {
    const { metrics, asked } = setup();
    vscode.picked = 'Two scrapes';
    vscode.dialogs = [[file('/old')], [file('/new')]];
    await metrics.readTexts(undefined);
    expect(asked('etcdList/readMetrics')).toMatchObject([
      { older: [{ path: '/old' }], newer: [{ path: '/new' }] },
    ]);
  });

  it('are nothing when a question is closed', async () => {
    const { metrics, server } = setup();
    for (const [picked, dialogs] of [
      ['none of these', []],
      ['Files', []],
      ['Two scrapes', [[file('/old')]]],
    ] as const) {
      Object.assign(vscode, { picked, dialogs: [...dialogs] });
      await metrics.readTexts(undefined);
    }
    expect(server.asked).toEqual([]);
  });
});

describe('own metrics', () => {
  it('open as a text, or say that there are none yet', async () => {
    const { metrics, server } = setup();
    await metrics.show();
    server.answers['etcdList/metrics'] = () => ({ text: '# HELP m x\n# TYPE m counter\n' });
    await metrics.show();
    expect(vscode.opened.map(({ text }) => text)).toEqual([
      '# TYPE m counter\nm 1\n',
      '# No list has been run since the language server started.\n',
    ]);
    expect(vscode.opened[0]?.uri).toMatch(/^etcd-list-metrics:.*\/etcd LIST metrics\.txt$/);
  });
});
