import { ErrorCodes } from 'vscode-jsonrpc/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import type { LspRequest } from '../../server/protocol/lsp';
import { waitFor } from '../support/waitFor';
import {
  buildServer,
  connectTo,
  query,
  refusalOf,
  startClient,
  type BuiltServer,
  type Client,
} from './client';

let server: BuiltServer;
let client: Client;

beforeAll(async () => {
  server = await buildServer();
  client = await startClient(server.main);
});

afterAll(async () => {
  await client.stop();
  server.remove();
});

/** Any answer will do: the server lives. */
const lives = () => client.request('etcdList/status', null);

const long = 'x'.repeat(1_100_000);

describe('parameters', () => {
  const list = (extra: object) => ({
    listId: 'l',
    query: query(),
    follow: false,
    confirmed: false,
    ...extra,
  });
  it.each<[LspRequest, unknown, string]>([
    ['etcdList/connect', null, 'The parameters must be an object.'],
    ['etcdList/connect', { connection: [] }, 'The connection must be an object.'],
    [
      'etcdList/connect',
      { connection: { name: 'x', endpoints: 'a:1' } },
      '"endpoints" of the connection must be a list of texts.',
    ],
    [
      'etcdList/connect',
      { connection: { name: 'x', endpoints: ['a:1'], tls: 'yes' } },
      'The tls must be an object.',
    ],
    [
      'etcdList/connectDemo',
      { pods: 1e9 },
      '"pods" of the parameters must be a whole number from 1 to 1,000,000.',
    ],
    [
      'etcdList/connectDemo',
      { pods: '5' },
      '"pods" of the parameters must be a whole number from 1 to 1,000,000.',
    ],
    ['etcdList/setRangeStreamGate', {}, '"on" of the parameters must be true or false.'],
    ['etcdList/check', 5, 'The query must be an object.'],
    ['etcdList/check', { ...query(), limit: 100 }, '"limit" of the query must be a text.'],
    [
      'etcdList/check',
      { ...query(), readMode: 'fast' },
      '"readMode" of the query must be one of "auto", "pages", "stream".',
    ],
    [
      'etcdList/check',
      { ...query(), labelSelector: long },
      '"labelSelector" of the query is too long: at most 1,048,576 characters.',
    ],
    ['etcdList/list', list({ query: null }), 'The query must be an object.'],
    ['etcdList/list', list({ listId: 7 }), '"listId" of the parameters must be a text.'],
    ['etcdList/list', list({ follow: 'no' }), '"follow" of the parameters must be true or false.'],
    ['etcdList/decodeToken', { text: 1 }, '"text" of the parameters must be a text.'],
    ['etcdList/encodeToken', {}, '"version" of the parameters must be a text.'],
    [
      'etcdList/hoverToken',
      { line: '', character: -1 },
      '"character" of the parameters must be a whole number from 0 to 9,007,199,254,740,991.',
    ],
    [
      'etcdList/explain',
      { uri: 'file:///a', version: 1, index: 0.5 },
      '"index" of the parameters must be a whole number from 0 to 2,147,483,647.',
    ],
    ['etcdList/openObject', { key: 5 }, '"key" of the parameters must be a text.'],
  ])('%s refuses %j', async (method, params, sentence) => {
    const { rpcCode, failure } = await refusalOf(client.rpc.sendRequest(method, params));
    expect([rpcCode, failure]).toEqual([
      ErrorCodes.InvalidParams,
      { code: 'badRequest', sentence },
    ]);
    await lives();
  });

  it('that name what every object has are not taken for given', async () => {
    const params = JSON.parse('{"__proto__": {"on": true}}') as object;
    const { rpcCode } = await refusalOf(
      client.rpc.sendRequest('etcdList/setRangeStreamGate', params),
    );
    expect(rpcCode).toBe(ErrorCodes.InvalidParams);
  });

  it('of an object key must be hex, once there is a connection', async () => {
    const etcd = await startDemoEtcd();
    await connectTo(client, etcd.endpoint);
    for (const [key, revision] of [
      ['zz', ''],
      ['', ''],
      ['abc', ''],
      ['2f', '-1'],
      ['2f', '99999999999999999999'],
    ] as const) {
      const params = { key, revision, resource: 'pods', reveal: false };
      const { rpcCode } = await refusalOf(client.request('etcdList/openObject', params));
      expect([key, revision, rpcCode]).toEqual([key, revision, ErrorCodes.InvalidParams]);
    }
    await client.request('etcdList/disconnect', null);
    await etcd.stop();
  });
});

describe('messages', () => {
  const extra: Client[] = [];
  const another = async (): Promise<Client> => {
    const started = await startClient(server.main);
    extra.push(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(extra.splice(0).map((each) => each.stop()));
  });

  it('of an unknown method are refused', async () => {
    await expect(client.rpc.sendRequest('etcdList/nothing', {})).rejects.toMatchObject({
      code: ErrorCodes.MethodNotFound,
    });
    await client.notify('etcdList/nothing', {});
    await client.notify('etcdList/settings', 'nonsense');
    await client.notify('etcdList/trustGranted', [1, 2]);
    await lives();
  });

  it('with positional or no parameters are read or refused, not a crash', async () => {
    expect(await client.rpc.sendRequest('etcdList/status')).toEqual({ state: 'disconnected' });
    const { rpcCode } = await refusalOf(client.rpc.sendRequest('etcdList/check'));
    expect(rpcCode).toBe(ErrorCodes.InvalidParams);
    const checked = client.rpc.sendRequest('etcdList/check', query(), 'more');
    expect(await checked).toMatchObject({ problems: [] });
  });

  it('that are no JSON or no message leave the server alive', async () => {
    const other = await another();
    const raw = (body: string): void => {
      other.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    raw('{"jsonrpc":"2.0","id":');
    raw('[]');
    raw('null');
    raw('{"jsonrpc":"2.0"}');
    raw('{"jsonrpc":"2.0","id":{},"method":"etcdList/status"}');
    raw('{"jsonrpc":"2.0","method":5,"params":{}}');
    raw('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(await other.request('etcdList/status', null)).toEqual({ state: 'disconnected' });
  });

  it('with a garbage header end or keep the server, and never hang or trace', async () => {
    const other = await another();
    other.child.stdin.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    other.child.stdin.end();
    expect(await other.exited).toBe(1);
    expect(other.stderr()).not.toMatch(/^\s+at /m);
  });
});

describe('the process', () => {
  it('ends without being asked when its client is gone', async () => {
    const other = await startClient(server.main);
    other.child.stdin.end();
    expect(await other.exited).toBe(1);
    other.rpc.dispose();
  });

  it('says one sentence and ends with a code of its own after a fault that nothing caught', async () => {
    const other = await startClient(server.main, {}, ['--import', faultOnSignal]);
    other.child.kill('SIGUSR2');
    expect(await other.exited).toBe(70);
    expect(other.stderr()).toContain('error: the language server ends after a fault of its own');
    await waitFor(() => other.logged.some((text) => text.includes('thrown on purpose')));
    other.rpc.dispose();
  });
});

const faultOnSignal = `${import.meta.dirname}/faultOnSignal.mjs`;
