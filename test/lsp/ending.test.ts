import { join } from 'node:path';
import { CancellationTokenSource, ErrorCodes } from 'vscode-jsonrpc/node';
import { describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import type { LspRequest } from '../../server/protocol/lsp';
import { waitFor } from '../support/waitFor';
import { connectTo, list, query, refusalOf, rowsOf, useServer, type Client } from './client';

const server = useServer();

/** An etcd whose RangeStream and Range never answer once `stall` was called. */
async function stalling() {
  const state = { stalled: false };
  const etcd = await startDemoEtcd({
    onCall: (method) =>
      state.stalled && /Range(?:Stream)?$/.test(method)
        ? new Promise<void>(() => undefined)
        : undefined,
  });
  server.after(() => etcd.stop());
  await seedCluster(etcd.store, { pods: 200 });
  return {
    etcd,
    stall: () => {
      state.stalled = true;
    },
    heal: () => {
      state.stalled = false;
    },
  };
}

/** Resolves when a list waits for an etcd that does not answer. */
async function listUnderWay(client: Client, etcd: DemoEtcd, readMode: 'pages' | 'stream') {
  const before = etcd.calls.length;
  const answer = list(client, { readMode, limit: '5' });
  // A process that ends answers nothing.
  answer.catch(() => undefined);
  const call = await waitFor(() =>
    etcd.calls.slice(before).find(({ method }) => /Range(?:Stream)?$/.test(method)),
  );
  return { answer, call };
}

const endsWithin = async (client: Client, ms: number) => {
  const begin = performance.now();
  const code = await client.exited;
  expect(performance.now() - begin).toBeLessThan(ms);
  return code;
};

describe('the process', () => {
  it.each(['idle', 'listing'] as const)(
    'ends without a word when nobody reads what it says any more: %s',
    async (state) => {
      const { etcd, stall, heal } = await stalling();
      const client = await server.start();
      await connectTo(client, etcd.endpoint);
      if (state === 'listing') {
        stall();
        await listUnderWay(client, etcd, 'pages');
      }
      client.child.stdout.destroy();
      heal();
      client.rpc.sendRequest('etcdList/status', null).catch(() => undefined);
      await client.rpc.sendNotification('etcdList/taken', { listId: 'x', seq: 0 });
      expect(await endsWithin(client, 10_000)).toBe(0);
      expect(client.stderr()).toBe('');
    },
  );

  it.each(['pages', 'stream'] as const)('ends cleanly with %s under way', async (readMode) => {
    const { etcd, stall } = await stalling();
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    stall();
    const { call } = await listUnderWay(client, etcd, readMode);
    await client.rpc.sendRequest('shutdown');
    await waitFor(() => call.cancelled);
    await client.notify('exit', undefined);
    expect(await endsWithin(client, 10_000)).toBe(0);
    expect(client.stderr()).toBe('');
  });

  it('ends without shutdown, a list under way, with the code of LSP', async () => {
    const { etcd, stall } = await stalling();
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    stall();
    const { call } = await listUnderWay(client, etcd, 'stream');
    await client.notify('exit', undefined);
    expect(await endsWithin(client, 10_000)).toBe(1);
    await waitFor(() => call.cancelled);
    expect(client.stderr()).toBe('');
  });

  it('ends while it connects', async () => {
    const client = await server.start();
    const { etcd } = await stalling();
    void connectTo(client, etcd.endpoint).catch(() => undefined);
    await client.rpc.sendRequest('shutdown');
    await client.notify('exit', undefined);
    expect(await endsWithin(client, 10_000)).toBe(0);
  });

  it('ends while the demo starts, and takes it along', async () => {
    const client = await server.start();
    void client.request('etcdList/connectDemo', { pods: 100_000 }).catch(() => undefined);
    await waitFor(() => client.statuses.some(({ state }) => state === 'connecting'));
    await client.rpc.sendRequest('shutdown');
    await client.notify('exit', undefined);
    expect(await endsWithin(client, 10_000)).toBe(0);
  });

  it('opens nothing after a shutdown', async () => {
    const { etcd } = await stalling();
    const client = await server.start();
    await client.rpc.sendRequest('shutdown');
    await expect(connectTo(client, etcd.endpoint)).rejects.toThrow();
    expect(etcd.calls).toHaveLength(0);
  });
});

describe('connecting while a list runs', () => {
  it.each(['pages', 'stream'] as const)('ends the list over %s and its call', async (readMode) => {
    const { etcd, stall } = await stalling();
    const other = await startDemoEtcd();
    server.after(() => other.stop());
    await seedCluster(other.store, { pods: 20 });
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    stall();
    const { answer, call } = await listUnderWay(client, etcd, readMode);
    const status = await connectTo(client, other.endpoint, 'other');
    const done = await answer;
    expect(done.failure).toEqual({
      code: 'cancelled',
      sentence: 'The connection was closed while the list ran: run it again.',
    });
    await waitFor(() => call.cancelled);
    expect(status).toMatchObject({ state: 'connected', name: 'other' });
    client.events.splice(0);
    expect((await list(client)).total.returned).toBe(20);
    expect(rowsOf(client)).toHaveLength(20);
  });

  it('and disconnecting end everything that is asked of it', async () => {
    const { etcd, stall } = await stalling();
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    stall();
    const { answer, call } = await listUnderWay(client, etcd, 'stream');
    const key = Buffer.from('/registry/pods/a').toString('hex');
    const others: Promise<unknown>[] = [
      client.request('etcdList/resources', null),
      client.request('etcdList/namespaces', null),
      client.request('etcdList/openObject', { key, revision: '', resource: '', reveal: false }),
    ];
    const codes = Promise.all(others.map((each) => refusalOf(each)));
    const begin = performance.now();
    expect(await client.request('etcdList/disconnect', null)).toEqual({ state: 'disconnected' });
    expect((await answer).failure?.code).toBe('cancelled');
    expect((await codes).map(({ failure }) => failure.code)).toEqual([
      'cancelled',
      'cancelled',
      'notConnected',
    ]);
    expect(performance.now() - begin).toBeLessThan(10_000);
    await waitFor(() => call.cancelled);
    expect((await refusalOf(list(client))).failure.code).toBe('notConnected');
  });

  it('again and again leaves the last one', async () => {
    const { etcd } = await stalling();
    const client = await server.start();
    const names = ['one', 'two', 'three', 'four', 'five'];
    const answers = await Promise.allSettled(
      names.map((name) => connectTo(client, etcd.endpoint, name)),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    for (const answer of answers.slice(0, -1)) {
      const { failure } = await refusalOf(
        Promise.reject((answer as PromiseRejectedResult).reason as Error),
      );
      expect(failure).toEqual({ code: 'cancelled', sentence: 'Connecting was stopped.' });
    }
    const status = await client.request('etcdList/status', null);
    expect(status).toMatchObject({ state: 'connected', name: 'five' });
    expect(client.statuses.at(-1)).toMatchObject({ state: 'connected', name: 'five' });
  });

  it('during the probe of the one before wins over it', async () => {
    const { etcd, stall, heal } = await stalling();
    const client = await server.start();
    stall();
    const first = refusalOf(connectTo(client, etcd.endpoint, 'first'));
    await waitFor(() => etcd.calls.some(({ method }) => method.endsWith('/RangeStream')));
    heal();
    const second = await connectTo(client, etcd.endpoint, 'second');
    expect((await first).failure).toEqual({
      code: 'cancelled',
      sentence: 'Connecting was stopped.',
    });
    expect(second).toMatchObject({ state: 'connected', name: 'second' });
  });

  it('to nobody leaves what was there', async () => {
    const { etcd } = await stalling();
    const client = await server.start();
    const before = await connectTo(client, etcd.endpoint);
    const { failure } = await refusalOf(connectTo(client, '127.0.0.1:1'));
    expect(failure.sentence).toContain('stays connected');
    expect(await client.request('etcdList/status', null)).toEqual(before);
    expect((await list(client)).total.error).toBeUndefined();
  });
});

describe('a probe that is cancelled', () => {
  const probing = (etcd: DemoEtcd, from: number) =>
    waitFor(() => etcd.calls.slice(from).find(({ method }) => method.endsWith('/RangeStream')));

  it('answers so, ends its call, and leaves what was known', async () => {
    const { etcd, stall, heal } = await stalling();
    const client = await server.start();
    const before = await connectTo(client, etcd.endpoint);
    expect(before).toMatchObject({ rangeStream: { answer: 'supported' }, probing: false });
    stall();
    const source = new CancellationTokenSource();
    const from = etcd.calls.length;
    const answer = refusalOf(client.request('etcdList/probe', null, source.token));
    const call = await probing(etcd, from);
    source.cancel();
    expect((await answer).failure.code).toBe('cancelled');
    await waitFor(() => call.cancelled);
    expect(await client.request('etcdList/status', null)).toEqual(before);
    heal();
    expect(await client.request('etcdList/probe', null)).toMatchObject({
      rangeStream: { answer: 'supported' },
    });
  });

  it('by the end of its connection says so', async () => {
    const { etcd, stall } = await stalling();
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    stall();
    const from = etcd.calls.length;
    const answer = refusalOf(client.request('etcdList/probe', null));
    await probing(etcd, from);
    await client.request('etcdList/disconnect', null);
    expect((await answer).failure).toEqual({
      code: 'notConnected',
      sentence: 'The connection was closed.',
    });
  });

  it('with the request to connect leaves no connection', async () => {
    const { etcd, stall } = await stalling();
    const client = await server.start();
    stall();
    const source = new CancellationTokenSource();
    const connection = { name: 'x', endpoints: [etcd.endpoint] };
    const answer = refusalOf(client.request('etcdList/connect', { connection }, source.token));
    const call = await probing(etcd, 0);
    source.cancel();
    const { failure } = await answer;
    expect(failure).toEqual({ code: 'cancelled', sentence: 'Connecting was stopped.' });
    await waitFor(() => call.cancelled);
    const status = { state: 'disconnected', failure };
    expect(await client.request('etcdList/status', null)).toEqual(status);
    expect(client.statuses.at(-1)).toEqual(status);
  });
});

describe('the gate', () => {
  it('turned while a list runs holds for the next one', async () => {
    const { etcd } = await stalling();
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    client.events.splice(0);
    const running = list(client, { limit: '2' }, { follow: true });
    await waitFor(() => rowsOf(client).length > 0);
    await client.request('etcdList/setRangeStreamGate', { on: false });
    const done = await running;
    expect(done.failure).toBeUndefined();
    expect(done.total).toMatchObject({ returned: 200, streamed: true });
    expect((await list(client)).total.streamed).toBe(false);
    await client.request('etcdList/setRangeStreamGate', { on: true });
    expect((await list(client)).total.streamed).toBe(true);
  });
});

describe('an untrusted workspace', () => {
  const requests: Readonly<Record<LspRequest, unknown>> = {
    'etcdList/connect': undefined,
    'etcdList/connectDemo': { pods: 10 },
    'etcdList/disconnect': null,
    'etcdList/status': null,
    'etcdList/probe': null,
    'etcdList/setRangeStreamGate': { on: true },
    'etcdList/resources': null,
    'etcdList/namespaces': null,
    'etcdList/check': query(),
    'etcdList/measure': query(),
    'etcdList/list': { listId: 'l', query: query(), follow: false, confirmed: true },
    'etcdList/forecastWays': { query: query(), toTheEnd: false },
    'etcdList/compareWays': { query: query(), toTheEnd: false },
    'etcdList/stopWatchCache': { resource: 'pods' },
    'etcdList/commands': query(),
    'etcdList/queries': { uri: 'file:///a' },
    'etcdList/explain': { uri: 'file:///a', version: 1, index: 0 },
    'etcdList/metrics': null,
    'etcdList/accessVariables': null,
    'etcdList/scrapePart': { scrape: 'a', name: 'a', text: '', first: true },
    'etcdList/readMetrics': {
      newer: [{ kind: 'file', path: join(import.meta.dirname, '../cli/scrapes/1.33.txt') }],
      older: [],
      sort: 'fetched',
      byServer: false,
    },
    'etcdList/hoverMetric': { lines: ['up 1'], index: 0 },
    'etcdList/explainList': {
      query: query(),
      follow: true,
      measure: true,
      given: { keys: '', matchRate: '', objectSize: '', clustered: false },
    },
    'textDocument/hover': {
      textDocument: { uri: 'file:///a' },
      position: { line: 0, character: 0 },
    },
    'etcdList/openObject': { key: '2f', revision: '', resource: '', reveal: true },
    'etcdList/decodeToken': {
      text: 'eyJ2IjoibWV0YSJ9',
      resource: '',
      namespace: '',
      askEtcd: true,
    },
    'etcdList/encodeToken': {
      version: 'v',
      resourceVersion: '1',
      start: 'a',
      resource: '',
      namespace: '',
    },
    'etcdList/hoverToken': { line: 'x', character: 0 },
  };
  const networked: readonly LspRequest[] = [
    'etcdList/connect',
    'etcdList/connectDemo',
    'etcdList/probe',
    'etcdList/namespaces',
    'etcdList/measure',
    'etcdList/explainList',
    'etcdList/list',
    'etcdList/forecastWays',
    'etcdList/compareWays',
    'etcdList/openObject',
  ];

  it('opens no socket whatever is asked, and works without a restart once it is trusted', async () => {
    const etcd = await startDemoEtcd();
    server.after(() => etcd.stop());
    const { createServer } = await import('node:net');
    let sockets = 0;
    const listener = createServer((socket) => {
      sockets += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    server.after(() => listener.close());
    const counted = `127.0.0.1:${(listener.address() as { port: number }).port}`;
    const client = await server.start({ trusted: false });
    const connection = {
      name: 'x',
      endpoints: [counted, `https://${counted}`],
      tls: { ca: '/nowhere' },
    };
    const all = { ...requests, 'etcdList/connect': { connection } };
    for (const method of Object.keys(all) as LspRequest[]) {
      const answer = await client.rpc.sendRequest(method, all[method]).then(
        () => 'answered',
        async (error: unknown) => (await refusalOf(Promise.reject(error as Error))).failure.code,
      );
      expect([method, answer]).toEqual([
        method,
        networked.includes(method) ? 'untrusted' : 'answered',
      ]);
    }
    expect(sockets).toBe(0);
    expect(new Set(client.statuses.map(({ state }) => state))).toEqual(new Set(['disconnected']));
    await client.notify('etcdList/trustGranted', null);
    expect(await connectTo(client, etcd.endpoint)).toMatchObject({ state: 'connected' });
    await refusalOf(connectTo(client, counted));
    expect(sockets).toBeGreaterThan(0);
  });

  it.each([{ trusted: 'true' }, { trusted: 1 }, { trusted: {} }, null, 'trusted', []])(
    'is one whose client says %j',
    async (initializationOptions) => {
      const client = await server.start({ initialize: false });
      await client.rpc.sendRequest('initialize', {
        processId: null,
        rootUri: null,
        capabilities: {},
        initializationOptions,
      });
      const { failure } = await refusalOf(connectTo(client, '127.0.0.1:1'));
      expect(failure.code).toBe('untrusted');
    },
  );
});

describe('messages with a bad header', () => {
  it.each([
    ['without a length', 'Content-Type: x\r\n\r\n'],
    ['with a length that is no number', 'Content-Length: many\r\n\r\n'],
    ['of HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['with an unknown charset', 'Content-Length: 2\r\nContent-Type: x; charset=none\r\n\r\n{}'],
  ])('%s are passed over', async (_, bytes) => {
    const client = await server.start();
    client.child.stdin.write(bytes);
    // What came in one piece with the bad header waits for the next piece.
    let answered = false;
    await waitFor(() => {
      const answer = client.request('etcdList/status', null);
      // Those that still wait when the process is ended fail, as they should.
      answer.then(
        () => {
          answered = true;
        },
        () => undefined,
      );
      return answered;
    });
    expect(client.stderr()).not.toMatch(/^\s+at /m);
  });

  it('and odd parameters of every kind are refused, and the server lives', async () => {
    const client = await server.start();
    const odd: unknown[] = [
      null,
      true,
      0,
      -1.5,
      'x',
      [],
      [[]],
      {},
      { __proto__: null, constructor: 1 },
      JSON.parse('{"__proto__":{"listId":"x"},"query":{"__proto__":{}}}'),
    ];
    const free = new Set<LspRequest>([
      'etcdList/disconnect',
      'etcdList/status',
      'etcdList/resources',
    ]);
    for (const method of [
      'etcdList/connect',
      'etcdList/connectDemo',
      'etcdList/disconnect',
      'etcdList/status',
      'etcdList/probe',
      'etcdList/setRangeStreamGate',
      'etcdList/resources',
      'etcdList/namespaces',
      'etcdList/check',
      'etcdList/list',
      'etcdList/commands',
      'etcdList/openObject',
      'etcdList/decodeToken',
      'etcdList/encodeToken',
      'etcdList/hoverToken',
    ] as const) {
      for (const params of odd) {
        const answer = client.rpc.sendRequest(method, params);
        if (free.has(method)) {
          await answer;
          continue;
        }
        const { rpcCode, failure } = await refusalOf(answer);
        expect([method, params, failure.sentence]).toEqual([
          method,
          params,
          expect.stringMatching(/^[^\n]+\.$/),
        ]);
        const wanted = failure.code === 'notConnected' ? -32803 : ErrorCodes.InvalidParams;
        expect([method, params, rpcCode]).toEqual([method, params, wanted]);
      }
    }
    expect(client.stderr()).toBe('');
  });
});
