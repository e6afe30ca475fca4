/** The language of selectors, as the bundled server answers for it. */
import { describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionList,
  Diagnostic,
  DocumentSymbol,
  InitializeResult,
  InlayHint,
  PublishDiagnosticsParams,
  Registration,
  RegistrationParams,
  TextDocumentRegistrationOptions,
} from 'vscode-languageserver/node';
import { waitFor } from '../support/waitFor';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { startRecordingProxy } from '../support/recordingProxy';
import { connectTo, list, refusalOf, rowsOf, useServer, type Client } from './client';

const uri = 'file:///a/web.yaml';
const textDocument = { uri };

const server = useServer();

interface Opened {
  readonly client: Client;
  readonly published: PublishDiagnosticsParams[];
  readonly ask: <T>(method: string, params: object) => Promise<T>;
}

async function open(text: string, languageId = 'yaml', document = uri): Promise<Opened> {
  const client = await server.start();
  const published: PublishDiagnosticsParams[] = [];
  client.rpc.onNotification(
    'textDocument/publishDiagnostics',
    (params: PublishDiagnosticsParams) => {
      published.push(params);
    },
  );
  await client.notify('textDocument/didOpen', {
    textDocument: { uri: document, languageId, version: 1, text },
  });
  return {
    client,
    published,
    ask: (method, params) => client.rpc.sendRequest(method, params),
  };
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: "nginx!"
  template:
    metadata:
      labels:
        app: nginx
    spec:
      containers:
        - name: web
`;

async function diagnosticsOf({ published }: Opened, version = 1): Promise<Diagnostic[]> {
  await waitFor(() => published.some((each) => each.version === version));
  return published.findLast((each) => each.version === version)?.diagnostics ?? [];
}

describe('a manifest', () => {
  it('gets diagnostics at the exact characters, again after a change, and none once it is closed', async () => {
    const opened = await open(deployment);
    const [found, ...others] = await diagnosticsOf(opened);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      source: 'etcd LIST',
      code: 'label-value',
      severity: 1,
      range: { start: { line: 7, character: 11 }, end: { line: 7, character: 19 } },
    });
    expect(found?.message).toContain('Invalid value: "nginx!": a valid label must be');
    await opened.client.notify('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [
        {
          range: { start: { line: 7, character: 12 }, end: { line: 7, character: 18 } },
          text: 'other',
        },
      ],
    });
    const [mismatch] = await diagnosticsOf(opened, 2);
    expect(mismatch).toMatchObject({ code: 'template-labels', severity: 1 });
    const actions = await opened.ask<CodeAction[]>('textDocument/codeAction', {
      textDocument,
      range: mismatch!.range,
      context: { diagnostics: [mismatch] },
    });
    const fixes = actions.filter(({ kind }) => kind === 'quickfix');
    expect(fixes.map(({ edit }) => edit?.changes?.[uri] !== undefined)).toEqual([true]);
    const before = opened.published.length;
    expect(opened.published.at(-1)?.diagnostics).not.toEqual([]);
    await opened.client.notify('textDocument/didClose', { textDocument });
    await waitFor(() => opened.published.length > before);
    expect(opened.published.slice(before)).toEqual([{ uri, diagnostics: [] }]);
  });

  it('that is opened and typed in at once is told of by its last text, and of no text before', async () => {
    const opened = await open(deployment);
    const values = ['nginx!', 'ngin!', 'ngi!', 'ng!', 'n!', 'n!!'];
    for (const [i, value] of values.entries()) {
      await opened.client.notify('textDocument/didChange', {
        textDocument: { uri, version: i + 2 },
        contentChanges: [{ text: deployment.replace('nginx!', value) }],
      });
    }
    const [last] = await diagnosticsOf(opened, 7);
    expect(last?.message).toContain('Invalid value: "n!!"');
    const versions = opened.published.map(({ version }) => version);
    // The opened text may have been looked at before the first change came.
    expect(versions.filter((version) => version !== 1)).toEqual([7]);
  });

  it('is written another way by code actions', async () => {
    const { ask } = await open(deployment.replace('nginx!', 'nginx'));
    const position = { line: 7, character: 8 };
    const actions = await ask<CodeAction[]>('textDocument/codeAction', {
      textDocument,
      range: { start: position, end: position },
      context: { diagnostics: [], only: ['refactor'] },
    });
    expect(actions.map(({ kind, title }) => [kind, title])).toEqual([
      ['refactor.rewrite', 'Write it as an expression'],
      ['refactor.copy', 'Copy as one text'],
      ['refactor.copy', 'Copy for kubectl'],
      ['refactor.copy', 'Copy for a URL'],
    ]);
    const [edit] = actions[0]?.edit?.changes?.[uri] ?? [];
    expect(edit?.newText).toBe('matchExpressions');
  });

  it('has a selector in words under the pointer', async () => {
    const { client } = await open(deployment.replace('nginx!', 'nginx'));
    const hover = await client.request('textDocument/hover', {
      textDocument,
      position: { line: 7, character: 8 },
    });
    expect(hover?.contents.value).toContain('Selects Pods by:');
  });

  it('reads nothing of an etcd that is not connected, and does once it is', async () => {
    const etcd = await startDemoEtcd();
    server.after(() => etcd.stop());
    await seedCluster(etcd.store, { pods: 20 });
    const proxy = await startRecordingProxy(etcd.endpoint);
    server.after(() => proxy.close());
    const opened = await open(deployment.replace('app: "nginx!"', 'app'));
    const { client, ask } = opened;
    const everything = async () => {
      const position = { line: 7, character: 6 };
      const range = { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } };
      await ask('textDocument/codeLens', { textDocument });
      await ask('textDocument/inlayHint', { textDocument, range });
      await ask('textDocument/hover', { textDocument, position });
      return ask<CompletionList>('textDocument/completion', { textDocument, position });
    };
    await connectTo(client, proxy.endpoint);
    await client.request('etcdList/disconnect', null);
    proxy.clear();
    await diagnosticsOf(opened);
    expect((await everything()).items).toEqual([]);
    expect(proxy.methods()).toEqual([]);
    await connectTo(client, proxy.endpoint);
    proxy.clear();
    expect((await everything()).items).not.toEqual([]);
    expect(proxy.methods()).toContain('Range');
  });

  it('written as JSON has the same', async () => {
    const json = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', labels: { bad: 'a b' } },
      spec: { selector: { app: 'a' } },
    });
    const opened = await open(json, 'json', 'file:///a/web.json');
    expect(await diagnosticsOf(opened)).toMatchObject([{ code: 'label-value' }]);
    const hover = await opened.client.request('textDocument/hover', {
      textDocument: { uri: 'file:///a/web.json' },
      position: { line: 0, character: json.indexOf('"app"') + 2 },
    });
    expect(hover?.contents.value).toContain('Selects Pods by:');
  });
});

describe('a manifest beside the demo cluster', () => {
  it('offers stored labels with their counts, and says what selectors match', async () => {
    const opened = await open(deployment.replace('app: "nginx!"', 'app'));
    await opened.client.request('etcdList/connectDemo', { pods: 300 });
    const keys = await opened.ask<CompletionList>('textDocument/completion', {
      textDocument,
      position: { line: 7, character: 6 },
    });
    const name = keys.items.find(({ label }) => label === 'app.kubernetes.io/name');
    expect(name?.textEdit?.newText).toBe('app.kubernetes.io/name: ');
  });
});

describe('a query file', () => {
  const queries = 'file:///a/q.etcdlist';
  const text = `### Pods of nginx
# @name nginx
kubectl get pods -A -l app=nginx

###
GET /api/v1/pods?labelSelector=app%3D%3D%3Dx
`;

  it('gets diagnostics, an outline, folding, colours and form', async () => {
    const opened = await open(text, 'etcdlist', queries);
    await waitFor(() => opened.published.length > 0);
    const [found] = opened.published[0]!.diagnostics;
    expect(found).toMatchObject({ code: 'label-selector' });
    expect(found!.range.start.line).toBe(5);
    const document = { textDocument: { uri: queries } };
    const symbols = await opened.ask<DocumentSymbol[]>('textDocument/documentSymbol', document);
    expect(symbols[0]?.name).toBe('nginx');
    expect(symbols).toHaveLength(2);
    const folds = await opened.ask<unknown[]>('textDocument/foldingRange', document);
    expect(folds).toHaveLength(2);
    const colours = await opened.ask<{ data: number[] }>(
      'textDocument/semanticTokens/full',
      document,
    );
    expect(colours.data.length % 5).toBe(0);
    expect(colours.data.length).toBeGreaterThan(20);
    const edits = await opened.ask<unknown[]>('textDocument/formatting', {
      ...document,
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edits.length).toBeGreaterThan(0);
  });
});

describe('custom resources in queries', () => {
  it.each([
    ['file:///a/q.etcdlist', 'etcdlist', 'list widgets\n', 5],
    ['file:///a/q.etcdlist.yaml', 'yaml', 'resource: widgets\n', 10],
  ])(
    'are known once connected, without a panel: %s',
    async (document, language, text, character) => {
      const opened = await open(text, language, document);
      const codes = () => opened.published.at(-1)?.diagnostics.map(({ code }) => code);
      await waitFor(() => opened.published.length > 0);
      expect(codes()).toEqual(['unknown-resource']);
      await opened.client.request('etcdList/connectDemo', { pods: 20 });
      // As an editor does for a document that is seen.
      await opened.ask('textDocument/codeLens', { textDocument: { uri: document } });
      await waitFor(() => codes()?.length === 0);
      const { items } = await opened.ask<CompletionList>('textDocument/completion', {
        textDocument: { uri: document },
        position: { line: 0, character },
      });
      expect(items.map(({ label }) => label)).toContain('widgets.example.com');
      await opened.client.request('etcdList/disconnect', null);
      await waitFor(() => codes()?.length === 1);
    },
  );
});

describe('outline, folding, colours and form', () => {
  const dynamic = { dynamicRegistration: true };
  const textDocument = {
    documentSymbol: dynamic,
    foldingRange: dynamic,
    formatting: dynamic,
    semanticTokens: dynamic,
  };

  it('are offered for query files alone, so that those of YAML and JSON stay what they are', async () => {
    const client = await server.start({ initialize: false });
    const told: Registration[] = [];
    client.rpc.onRequest('client/registerCapability', (params: RegistrationParams) => {
      told.push(...params.registrations);
      return null;
    });
    const initializing = { processId: process.pid, rootUri: null, capabilities: { textDocument } };
    const { capabilities } = await client.rpc.sendRequest<InitializeResult>(
      'initialize',
      initializing,
    );
    const stated = Object.keys(capabilities).filter((name) =>
      /symbol|fold|format|tokens/i.test(name),
    );
    expect(stated).toEqual([]);
    await client.notify('initialized', {});
    await waitFor(() => told.length === 4);
    const queries = [
      { language: 'etcdlist' },
      { pattern: '**/*.etcdlist' },
      { pattern: '**/*.etcdlist.{yaml,yml}' },
    ];
    const selectors = told.map(({ method, registerOptions }) => [
      method,
      (registerOptions as TextDocumentRegistrationOptions).documentSelector,
    ]);
    expect(Object.fromEntries(selectors)).toEqual({
      'textDocument/documentSymbol': queries,
      'textDocument/foldingRange': queries,
      'textDocument/formatting': [{ language: 'etcdlist' }],
      'textDocument/semanticTokens': queries,
    });
  });
});

describe('queries of a file', () => {
  const queries = 'file:///a/q.etcdlist';
  const text = `# @name first
list pods -l app=nginx --limit=3
###
list pods -l app=nginx --limit=3 --continue {{first.continue}}
###
list pods -l 'app in (web'
`;

  it('have lenses, and are run as they are told, one going on from the other', async () => {
    const { client, ask } = await open(text, 'etcdlist', queries);
    const lenses = await ask<CodeLens[]>('textDocument/codeLens', {
      textDocument: { uri: queries },
    });
    const at = (line: number) => lenses.filter(({ range }) => range.start.line === line);
    expect(at(1).map(({ command }) => command?.title)).toContain('Run all 3');
    expect(at(3)[0]?.command).toEqual({
      title: 'Run',
      command: 'etcdList.runQuery',
      arguments: [{ uri: queries, version: 1, index: 1 }],
    });
    expect(at(5)).toEqual([]);

    const told = await client.request('etcdList/queries', { uri: queries });
    expect(told?.version).toBe(1);
    const [first, second, third] = told!.queries.map(({ request }) => request);
    expect(second).toMatchObject({ continueOf: 0, follow: false });
    expect(third).toBeNull();
    await client.request('etcdList/connectDemo', { pods: 2000 });
    const page = await list(client, first!.query);
    expect(page.total).toMatchObject({ returned: 3 });
    const continueToken = page.total.continue;
    const next = await list(client, { ...second!.query, continueToken }, { listId: 'next' });
    expect(next.total).toMatchObject({ returned: 3 });
    const names = ['list', 'next'].flatMap((id) => rowsOf(client, id).map(({ name }) => name));
    expect(new Set(names).size).toBe(6);
    const commands = await client.request('etcdList/commands', { ...first!.query, follow: true });
    expect(commands.kubectl).toBe('kubectl get pods --all-namespaces -l app=nginx --chunk-size=3');
  });

  it('are explained, and told of in a hover, by what is known of the server', async () => {
    const { client, ask } = await open(text, 'etcdlist', queries);
    const explain = (index: number) =>
      client.request('etcdList/explain', { uri: queries, version: 1, index });
    expect((await explain(0))?.text).toMatch(/^LIST pods in all namespaces, labels app=nginx, /);
    expect((await explain(0))?.text).toContain('etcd is not known here');
    const hover = await ask<{ contents: { value: string } }>('textDocument/hover', {
      textDocument: { uri: queries },
      position: { line: 1, character: 1 },
    });
    expect(hover.contents.value).toMatch(/^Served by the watch cache, most likely \(rules /);
    await client.request('etcdList/connectDemo', { pods: 10 });
    expect((await explain(0))?.text).toMatch(/Every member of etcd supports RequestWatchProgress/);
    expect((await explain(2))?.text).toContain('Refused with "unable to parse requirement: ');
  });

  it('are not told of a document that is not open, nor of a parameter that is none', async () => {
    const { client } = await open(text, 'etcdlist', queries);
    expect(await client.request('etcdList/queries', { uri: 'file:///other' })).toBeNull();
    const { failure } = await refusalOf(client.rpc.sendRequest('etcdList/queries', { uri: 7 }));
    expect(failure.sentence).toBe('"uri" of the parameters must be a text.');
  });
});

describe('lenses and hints', () => {
  it('are there once the labels are known', async () => {
    const text = deployment.replace('"nginx!"', 'nginx');
    const opened = await open(text);
    await opened.client.request('etcdList/connectDemo', { pods: 300 });
    const lenses = async () => opened.ask<CodeLens[]>('textDocument/codeLens', { textDocument });
    await lenses();
    await waitFor(async () => (await lenses()).length > 0);
    expect((await lenses())[0]?.command?.title).toMatch(/^matches /);
    const hints = await opened.ask<InlayHint[]>('textDocument/inlayHint', {
      textDocument,
      range: { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } },
    });
    // One requirement alone says no more than the lens.
    expect(hints).toEqual([]);
  });
});
