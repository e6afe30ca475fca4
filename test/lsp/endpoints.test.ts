import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { describe, expect, it } from 'vitest';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import type { ConnectionStatus } from '../../server/protocol/model';
import type { ConnectionSetting } from '../../server/protocol/names';
import { etcdMissing, etcdVersions, startEtcd } from '../support/etcdServer';
import { waitFor } from '../support/waitFor';
import { startFakeEtcd } from '../unit/etcd/fakeEtcd';
import { connectTo, list, refusalOf, statusWhere, useServer, type Client } from './client';

const server = useServer();

async function listening(made: Server): Promise<string> {
  const open = new Set<Socket>();
  made.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
  });
  made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  server.after(() => {
    for (const socket of open) socket.destroy();
    made.close();
  });
  return `127.0.0.1:${(made.address() as { port: number }).port}`;
}

const connect = (client: Client, setting: Partial<ConnectionSetting>) =>
  client.request('etcdList/connect', {
    connection: { name: 'x', endpoints: [], ...setting },
  });

const connected = (status: ConnectionStatus | undefined) =>
  status?.state === 'connected' ? status : undefined;

describe('what is no etcd', () => {
  it('is told by what answers', async () => {
    const client = await server.start();
    const web = await listening(createHttpServer((_, reply) => reply.end('hello')));
    const ssh = await listening(createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')));
    const closing = await listening(createServer((socket) => socket.destroy()));
    const cases: readonly (readonly [string, RegExp])[] = [
      ['127.0.0.1:1', /cannot be reached .*ECONNREFUSED.*: check the address and/],
      ['no-such-host.invalid', /cannot be reached .*Name resolution failed.*: check the address/],
      [web, /is not etcd's gRPC port \(.*\): check the address and whether it needs https/],
      [ssh, /is not etcd's gRPC port \(.*\): check the address and whether it needs https/],
      [closing, /cannot be reached or cannot serve now \(.+\): check the address/],
      [`https://${web}`, /TLS connection .* failed \(.*\): if the port speaks plain text, write/],
    ];
    for (const [endpoint, sentence] of cases) {
      const { failure } = await refusalOf(connect(client, { endpoints: [endpoint] }));
      expect(failure).toEqual({
        code: 'etcd',
        sentence: expect.stringMatching(sentence) as string,
      });
      expect(failure.sentence).not.toContain('\n');
    }
  });

  it.each(['', 'https://'])(
    'and never answers %s is given up after the deadline',
    async (scheme) => {
      const silent = scheme + (await listening(createServer(() => undefined)));
      const client = await server.start({ deadlineSeconds: 1 });
      const begin = performance.now();
      const { failure } = await refusalOf(connect(client, { endpoints: [silent] }));
      expect(failure.code).toBe('timeout');
      expect(failure.sentence).toMatch(
        /did not answer in time \(no answer within \d+ ms\): try again, or raise the deadline \(the setting etcdList\.deadlineSeconds\)\.$/,
      );
      expect(performance.now() - begin).toBeLessThan(5000);
    },
  );

  it('and never answers is left at once when the person says so', async () => {
    const silent = await listening(createServer(() => undefined));
    const client = await server.start({ deadlineSeconds: 60 });
    const source = new CancellationTokenSource();
    const connection = { name: 'x', endpoints: [silent] };
    const running = refusalOf(client.request('etcdList/connect', { connection }, source.token));
    await statusWhere(client, ({ state }) => state === 'connecting');
    const begin = performance.now();
    source.cancel();
    expect((await running).failure.code).toBe('cancelled');
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(await client.request('etcdList/status', null)).toMatchObject({ state: 'disconnected' });
  });
});

describe('endpoints that are nonsense', () => {
  it.each([
    [[], /^The connection names no endpoint: write host:port/],
    [[' ', ''], /^The connection names no endpoint: write host:port/],
    [[','], /^No etcd endpoint is given: name one as host:port\.$/],
    [['a b'], /^The endpoint "a b" has no valid host: write/],
    [['ftp://a'], /has the unknown scheme "ftp": use http or https\.$/],
    [['http://me:hunter2@h:1'], /^An endpoint contains user info .*: give user and password sep/],
    [['h:0'], /^The endpoint "h:0" has no valid port: use 1 to 65535\.$/],
    [['::1:2379'], /^The IPv6 address "::1:2379" needs brackets: \[::1\]:2379\.$/],
    [
      ['a\n\u202eb:1'],
      /^The endpoint "a\\n\\u202eb:1" has no valid host: write it as host:port\.$/,
    ],
    [['https://a', 'http://b'], /^The endpoints mix http/],
    [['h:1/path'], /has a path: etcd's gRPC takes only host:port\.$/],
    [['\0'], /^The endpoint "\\x00" has no valid host/],
  ])('%j give one sentence', async (endpoints, sentence) => {
    const client = await server.start();
    const { failure } = await refusalOf(connect(client, { endpoints }));
    expect(failure).toEqual({
      code: 'badRequest',
      sentence: expect.stringMatching(sentence) as string,
    });
    expect(failure.sentence).not.toContain('hunter2');
  });

  it('of any length give a short sentence', async () => {
    const client = await server.start();
    const { failure } = await refusalOf(connect(client, { endpoints: ['x'.repeat(1_000_000)] }));
    expect(failure.sentence.length).toBeLessThan(1000);
    const root = `/${'../'.repeat(100)}etc\0`;
    const etcd = await startDemoEtcd();
    server.after(() => etcd.stop());
    const status = connected(await connect(client, { endpoints: [etcd.endpoint], root }));
    expect(status?.root.startsWith('/')).toBe(true);
    expect(status?.root).not.toContain('..');
    expect((await list(client)).failure).toBeUndefined();
  });
});

describe('an etcd that lacks what is needed', () => {
  it('but says an old version is read with pages', async () => {
    const etcd = await startDemoEtcd({ version: '3.3.27', rangeStream: false });
    server.after(() => etcd.stop());
    const client = await server.start();
    const status = connected(await connectTo(client, etcd.endpoint));
    expect(status).toMatchObject({
      members: [{ version: '3.3.27', problem: '' }],
      rangeStream: { answer: 'notSupported' },
    });
    expect((await list(client)).failure).toBeUndefined();
  });

  it('is refused when it cannot even tell its version', async () => {
    const etcd = await startFakeEtcd({});
    server.after(() => {
      etcd.stop();
    });
    const client = await server.start();
    const { failure } = await refusalOf(connectTo(client, etcd.endpoint));
    expect(failure.code).toBe('etcd');
    expect(failure.sentence).toMatch(
      /speaks gRPC but is no etcd, or one older than 3\.0 \(.*\): check/,
    );
  });

  it('says so of each list when it cannot read ranges', async () => {
    const etcd = await startFakeEtcd({ status: () => ({ version: '2.3.8\n\x1b[31m' }) });
    server.after(() => {
      etcd.stop();
    });
    const client = await server.start();
    const status = connected(await connectTo(client, etcd.endpoint));
    expect(status?.members[0]?.version).toBe('2.3.8\\n\\x1b[31m');
    const done = await list(client);
    expect(done.failure?.code).toBe('etcd');
    expect(done.failure?.sentence).toMatch(/speaks gRPC but is no etcd, or one older than 3\.0 /);
    expect(done.total.error).toBeDefined();
  });
});

describe.each(etcdVersions.map((version) => ({ version })))('etcd $version', ({ version }) => {
  it.skipIf(etcdMissing(version))('says what it is, and what becomes of a stream', async () => {
    const etcd = await startEtcd(version);
    server.after(() => etcd.stop());
    const client = await server.start();
    const status = connected(await connectTo(client, etcd.endpoint));
    const streams = version === '3.7';
    expect(status).toMatchObject({
      endpoints: [etcd.endpoint],
      members: [{ endpoint: etcd.endpoint, problem: '' }],
      rangeStream: { answer: streams ? 'supported' : 'notSupported' },
      probing: false,
    });
    expect(status?.members[0]?.version).toMatch(
      new RegExp(`^${version.replace('.', '\\.')}\\.\\d+$`),
    );
    expect(status?.rangeStream).not.toHaveProperty('retryAt');
    client.statuses.splice(0);
    const before = Date.now();
    const done = await list(client);
    expect(done.failure).toBeUndefined();
    expect(done.total.streamed).toBe(streams);
    if (streams) return;
    const marked = await waitFor(() => connected(client.statuses.at(-1)));
    const { retryAt = 0 } = marked.rangeStream as { retryAt?: number };
    expect(retryAt - before).toBeGreaterThanOrEqual(600_000);
    expect(retryAt - before).toBeLessThan(610_000);
    // A second list and a probe leave the mark as it is.
    const again = await list(client);
    expect(again.total.requests).toBe(done.total.requests - 1);
    const probed = connected(await client.request('etcdList/probe', null));
    expect(probed?.rangeStream).toEqual({ answer: 'notSupported', retryAt });
    await client.request('etcdList/setRangeStreamGate', { on: false });
    const on = connected(await client.request('etcdList/setRangeStreamGate', { on: true }));
    expect(on?.rangeStream).toEqual({ answer: 'notSupported', retryAt });
  });

  it.skipIf(etcdMissing(version))('that is one of two endpoints is enough', async () => {
    const etcd = await startEtcd(version);
    server.after(() => etcd.stop());
    const client = await server.start();
    const endpoints = ['127.0.0.1:1', etcd.endpoint];
    const status = connected(await connect(client, { endpoints }));
    expect(
      status?.members.map(({ version: said, problem }) => [said !== '', problem !== '']),
    ).toEqual([
      [false, true],
      [true, false],
    ]);
    expect((await list(client)).failure).toBeUndefined();
  });
});
