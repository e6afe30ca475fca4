/** What the log holds of the messages of the language: each is sent, and gone over as the client does. */
import { expect, it } from 'vitest';
import { Trace } from 'vscode-jsonrpc/node';
import { redact } from '../../client/lsp/redact';
import { waitFor } from '../support/waitFor';
import { useServer, type Client } from './client';

const server = useServer();

const SECRET = 'hunter2';

const queries = `### ${SECRET}
# @name ${SECRET}
kubectl get pods   -A --token=${SECRET} -l ${SECRET}=${SECRET},${SECRET}!= --password ${SECRET} --limit=3

###
# @name second_${SECRET}
list pods -n ${SECRET} -l app=${SECRET} --limit=3 --continue ${SECRET}

###
list ${SECRET} -l 'app in (${SECRET}'

###
list pods --continue {{secnd_${SECRET}.continue}} --resource-version-match ${SECRET}

###
list pods -l app=${SECRET} --limit=3
`;

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${SECRET}
spec:
  selector:
    matchLabels:
      app: "${SECRET}!"
      a${SECRET}: 0
    matchExpressions:
      - {key: ${SECRET}, operator: in, values: [${SECRET}]}
`;

const files = [
  { uri: 'file:///a/q.etcdlist', languageId: 'etcdlist', text: queries },
  { uri: 'file:///a/m.yaml', languageId: 'yaml', text: manifest },
];

interface Traced {
  readonly raw: string;
  readonly written: string;
}

async function start(): Promise<{ readonly client: Client; readonly traced: Traced[] }> {
  const client = await server.start();
  const traced: Traced[] = [];
  // What nobody listens to is not traced.
  client.rpc.onNotification('textDocument/publishDiagnostics', () => undefined);
  await client.rpc.trace(Trace.Verbose, {
    log: (message: unknown, data?: string) => {
      const raw = `trace: ${String(message)}\n${data ?? ''}`;
      traced.push({ raw, written: redact(raw) });
    },
  });
  return { client, traced };
}

/** The answer of a request, or its refusal, which is traced as well. */
async function ask(client: Client, method: string, params: object): Promise<void> {
  await client.rpc.sendRequest(method, params).catch(() => undefined);
}

async function askEverything(client: Client, uri: string, text: string): Promise<void> {
  const textDocument = { uri };
  const lines = text.split('\n');
  const range = {
    start: { line: 0, character: 0 },
    end: { line: lines.length, character: 0 },
  };
  for (const method of ['documentSymbol', 'foldingRange', 'semanticTokens/full', 'codeLens']) {
    await ask(client, `textDocument/${method}`, { textDocument });
  }
  const options = { tabSize: 2, insertSpaces: true };
  await ask(client, 'textDocument/formatting', { textDocument, options });
  await ask(client, 'textDocument/inlayHint', { textDocument, range });
  await ask(client, 'textDocument/codeAction', {
    textDocument,
    range,
    context: { diagnostics: [] },
  });
  for (const [line, { length }] of lines.entries()) {
    for (let character = 0; character <= length; character += 4) {
      const place = { textDocument, position: { line, character } };
      await ask(client, 'textDocument/completion', place);
      await ask(client, 'textDocument/hover', place);
    }
  }
  await ask(client, 'etcdList/queries', { uri });
}

it('holds no text of a document, whatever is asked about it', async () => {
  const { client, traced } = await start();
  await client.request('etcdList/connectDemo', { pods: 50 });
  for (const { uri, languageId, text } of files) {
    await client.notify('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
    await waitFor(() =>
      traced.some(({ raw }) => raw.includes('publishDiagnostics') && raw.includes(uri)),
    );
    await askEverything(client, uri, text);
  }
  const answer = await client.request('etcdList/queries', { uri: files[0]!.uri });
  for (const { request } of answer?.queries ?? []) {
    if (request === null) continue;
    const how = { listId: 'l', follow: false, confirmed: false };
    await ask(client, 'etcdList/check', request.query);
    await ask(client, 'etcdList/commands', { ...request.query, follow: false });
    await ask(client, 'etcdList/list', { query: request.query, ...how });
  }
  const leaks = traced.filter(({ written }) => written.includes(SECRET));
  expect(leaks.map(({ written }) => written)).toEqual([]);
  // Each of these held it before.
  for (const method of [
    'textDocument/didOpen',
    'textDocument/publishDiagnostics',
    'textDocument/documentSymbol',
    'textDocument/codeAction',
    'textDocument/hover',
    'textDocument/completion',
    'etcdList/queries',
    'etcdList/check',
    'etcdList/commands',
    'etcdList/list',
  ]) {
    const held = traced.some(({ raw }) => raw.includes(`'${method}`) && raw.includes(SECRET));
    expect([method, held]).toEqual([method, true]);
  }
  expect(traced.some(({ written }) => written.includes('"uri": "file:///a/m.yaml"'))).toBe(true);
});
