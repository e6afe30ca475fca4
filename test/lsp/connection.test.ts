import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import type { LspRequest } from '../../server/protocol/lsp';
import type { ConnectionStatus } from '../../server/protocol/model';
import { certificatesMissing, makeCertificates } from '../support/certificates';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import { waitFor } from '../support/waitFor';
import {
  buildServer,
  connectTo,
  query,
  refusalOf,
  startClient,
  statusWhere,
  type BuiltServer,
  type Client,
  type StartOptions,
} from './client';

let server: BuiltServer;
const clients: Client[] = [];

beforeAll(async () => {
  server = await buildServer();
});

afterAll(() => {
  server.remove();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.stop()));
});

async function start(options: StartOptions = {}): Promise<Client> {
  const client = await startClient(server.main, options);
  clients.push(client);
  return client;
}

const connected = (status: ConnectionStatus) => (status.state === 'connected' ? status : undefined);

describe('an untrusted workspace', () => {
  let etcd: DemoEtcd;
  beforeAll(async () => {
    etcd = await startDemoEtcd();
  });
  afterAll(() => etcd.stop());

  it('keeps the network off until trust is granted', async () => {
    const client = await start({ trusted: false });
    const object = { key: '2f', revision: '', resource: 'pods', reveal: false };
    const list = { listId: 'l', query: query(), follow: false, confirmed: false };
    const connection = { name: 'x', endpoints: [etcd.endpoint] };
    const asked: [LspRequest, unknown][] = [
      ['etcdList/connect', { connection }],
      ['etcdList/connectDemo', { pods: 10 }],
      ['etcdList/probe', null],
      ['etcdList/list', list],
      ['etcdList/namespaces', null],
      ['etcdList/openObject', object],
    ];
    for (const [method, params] of asked) {
      const { failure } = await refusalOf(client.rpc.sendRequest(method, params));
      expect([method, failure.code]).toEqual([method, 'untrusted']);
    }
    expect(etcd.calls).toHaveLength(0);
    expect((await client.request('etcdList/check', query())).problems).toEqual([]);
    expect(await client.request('etcdList/status', null)).toEqual({ state: 'disconnected' });
    await client.notify('etcdList/trustGranted', null);
    expect(connected(await connectTo(client, etcd.endpoint))?.name).toBe('test');
  });

  it('is what a client that says nothing has', async () => {
    const client = await startClient(server.main, { initialize: false });
    clients.push(client);
    await client.rpc.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    const { failure } = await refusalOf(connectTo(client, etcd.endpoint));
    expect(failure.code).toBe('untrusted');
  });
});

describe('a connection', () => {
  it('is needed by whatever reads', async () => {
    const client = await start();
    const list = { listId: 'l', query: query(), follow: false, confirmed: false };
    expect((await refusalOf(client.request('etcdList/list', list))).failure.code).toBe(
      'notConnected',
    );
    const builtIn = await client.request('etcdList/resources', null);
    expect(builtIn.find(({ name }) => name === 'pods')).toEqual({
      name: 'pods',
      kind: 'Pod',
      namespaced: true,
      stored: false,
    });
  });

  it('says each step, and the answer of the probe', async () => {
    const etcd = await startDemoEtcd();
    const client = await start();
    const status = connected(await connectTo(client, etcd.endpoint));
    expect(status).toMatchObject({
      endpoints: [etcd.endpoint],
      root: '/registry',
      members: [{ endpoint: etcd.endpoint, version: '3.7.3', problem: '' }],
      rangeStream: { answer: 'supported' },
      probing: false,
    });
    expect(client.statuses.map(({ state }) => state)).toEqual([
      'connecting',
      'connected',
      'connected',
    ]);
    expect(connected(client.statuses[1]!)?.probing).toBe(true);
    await etcd.stop();
  });

  it('has a number of its own, also after the server was started anew', async () => {
    const etcd = await startDemoEtcd();
    const client = await start();
    const numbers = [];
    for (let n = 0; n < 2; n++) {
      client.statuses.splice(0);
      const answer = connected(await connectTo(client, etcd.endpoint));
      await client.request('etcdList/setRangeStreamGate', { on: n > 0 });
      await client.request('etcdList/probe', null);
      // Whoever keeps to the notifications knows as much as whoever asks.
      expect(client.statuses.at(-1)).toEqual(await client.request('etcdList/status', null));
      const said = client.statuses.flatMap((each) => connected(each)?.connectionNumber ?? []);
      expect(said.length).toBeGreaterThan(3);
      expect(new Set(said)).toEqual(new Set([answer?.connectionNumber]));
      numbers.push(answer?.connectionNumber);
    }
    const after = await start();
    numbers.push(connected(await connectTo(after, etcd.endpoint))?.connectionNumber);
    expect(new Set(numbers).size).toBe(3);
    await etcd.stop();
  });

  it('remembers that a list fell back, until it would be tried again', async () => {
    const etcd = await startDemoEtcd({ rangeStream: false });
    const client = await start();
    const status = connected(await connectTo(client, etcd.endpoint));
    expect(status?.rangeStream).toEqual({ answer: 'notSupported' });
    client.statuses.splice(0);
    const list = { listId: 'l', query: query(), follow: false, confirmed: false };
    const before = Date.now();
    await client.request('etcdList/list', list);
    const marked = connected(await statusWhere(client, (each) => each.state === 'connected'));
    const { rangeStream } = marked!;
    const retryAt = rangeStream.answer === 'notSupported' ? (rangeStream.retryAt ?? 0) : 0;
    expect(retryAt - before).toBeGreaterThanOrEqual(600_000);
    expect(retryAt - before).toBeLessThan(610_000);
    const said = client.events.flatMap(({ body }) => (body.kind === 'notice' ? body.text : []));
    expect(said).toEqual([
      'etcd server does not support RangeStream for pods; falling back to paginated list',
    ]);
    await etcd.stop();
  });

  it('obeys the gate', async () => {
    const etcd = await startDemoEtcd();
    const client = await start({ rangeStreamGate: false });
    const off = connected(await connectTo(client, etcd.endpoint));
    expect(off?.rangeStream).toEqual({ answer: 'gateOff' });
    const list = { listId: 'l', query: query(), follow: false, confirmed: false };
    expect((await client.request('etcdList/list', list)).total.streamed).toBe(false);
    const on = connected(await client.request('etcdList/setRangeStreamGate', { on: true }));
    expect(on?.rangeStream).toEqual({ answer: 'supported' });
    expect((await client.request('etcdList/list', list)).total.streamed).toBe(true);
    client.statuses.splice(0);
    await client.notify('etcdList/settings', { rangeStreamGate: false, byteBudgetMiB: 'x' });
    await statusWhere(client, (each) => connected(each)?.rangeStream.answer === 'gateOff');
    await waitFor(() =>
      client.logged.some((text) => text.includes('etcdList.byteBudgetMiB must be a whole number')),
    );
    await etcd.stop();
  });

  it('that nobody answers is given up with the reason', async () => {
    const client = await start();
    const { failure } = await refusalOf(connectTo(client, '127.0.0.1:1'));
    expect(failure).toMatchObject({ code: 'etcd' });
    expect(failure.sentence).toContain('cannot be reached');
    expect(await client.request('etcdList/status', null)).toEqual({
      state: 'disconnected',
      failure,
    });
  });

  it('to a port that never answers ends with the request', async () => {
    const silent = createServer(() => undefined);
    const port = await new Promise<number>((resolve) => {
      silent.listen(0, '127.0.0.1', () => {
        resolve((silent.address() as { port: number }).port);
      });
    });
    const client = await start();
    const first = refusalOf(connectTo(client, `127.0.0.1:${port}`, 'silent'));
    await statusWhere(client, ({ state }) => state === 'connecting');
    const etcd = await startDemoEtcd();
    const second = connectTo(client, etcd.endpoint, 'second');
    expect((await first).failure).toEqual({
      code: 'cancelled',
      sentence: 'Connecting was stopped.',
    });
    expect(connected(await second)?.name).toBe('second');
    expect(await client.request('etcdList/disconnect', null)).toEqual({ state: 'disconnected' });
    await etcd.stop();
    silent.close();
  });

  it('stays, and its lists go on, until another has answered', async () => {
    let hangs = false;
    const onCall = () => (hangs ? new Promise<void>(() => undefined) : undefined);
    const etcd = await startDemoEtcd({ onCall });
    const client = await start();
    const first = connected(await connectTo(client, etcd.endpoint, 'first'));
    client.statuses.splice(0);
    const silent = createServer(() => undefined);
    const port = await new Promise<number>((resolve) => {
      silent.listen(0, '127.0.0.1', () => {
        resolve((silent.address() as { port: number }).port);
      });
    });
    const second = refusalOf(connectTo(client, `127.0.0.1:${port}`, 'silent'));
    await statusWhere(client, ({ state }) => state === 'connecting');
    const list = { listId: 'l', query: query(), follow: false, confirmed: false };
    expect((await client.request('etcdList/list', list)).total.requests).toBeGreaterThan(0);
    const third = refusalOf(connectTo(client, '127.0.0.1:1', 'dead'));
    expect((await second).failure.code).toBe('cancelled');
    const { failure } = await third;
    expect(failure.sentence).toMatch(/cannot be reached.*\. "first" stays connected\.$/);
    // The same one, so that what was read over it can be gone on with.
    expect(await client.request('etcdList/status', null)).toEqual(first);
    expect(client.statuses.at(-1)).toEqual(first);
    expect((await client.request('etcdList/list', list)).total.requests).toBeGreaterThan(0);
    hangs = true;
    const unanswered = client.request('etcdList/list', list);
    const other = await startDemoEtcd();
    const last = connected(await connectTo(client, other.endpoint, 'other'));
    expect(last?.connectionNumber).not.toBe(first?.connectionNumber);
    expect((await unanswered).failure?.sentence).toMatch(/^The connection was closed/);
    await Promise.all([etcd.stop(), other.stop()]);
    silent.close();
  });

  it.each([
    ['no endpoint', { endpoints: [''] }, 'names no endpoint'],
    ['nonsense', { endpoints: ['http://a b'] }, 'http://a b'],
    [
      'a file that is not there',
      { endpoints: ['a:1'], tls: { ca: '/no/such.pem' } },
      'there is no such file',
    ],
    ['a relative file', { endpoints: ['a:1'], tls: { ca: 'ca.pem' } }, 'must be a whole path'],
    [
      'half a certificate',
      { endpoints: ['a:1'], tls: { cert: import.meta.filename } },
      'belong together',
    ],
  ])('is refused for %s', async (_, setting, text) => {
    const client = await start();
    const connection = { name: 'x', ...setting };
    const { failure } = await refusalOf(client.request('etcdList/connect', { connection }));
    expect(failure.code).toBe('badRequest');
    expect(failure.sentence).toContain(text);
    expect(failure.sentence).not.toContain('\n');
  });

  it.skipIf(certificatesMissing())('asks for the passphrase of a key', async () => {
    const made = makeCertificates();
    const client = await start();
    const tls = { ca: made.ca, cert: made.clientCert, key: made.encryptedClientKey };
    const connection = { name: 'x', endpoints: ['https://127.0.0.1:1'], tls };
    const { failure } = await refusalOf(client.request('etcdList/connect', { connection }));
    expect(failure).toMatchObject({ code: 'badRequest', needs: 'passphrase' });
    const wrong = { connection, passphrase: 'wrong' };
    expect((await refusalOf(client.request('etcdList/connect', wrong))).failure.needs).toBe(
      'passphrase',
    );
  });
});

describe('the demo', () => {
  it('runs in a process of its own and ends with the server', async () => {
    const client = await start({ progress: true });
    const status = connected(await client.request('etcdList/connectDemo', { pods: 500 }));
    expect(status).toMatchObject({
      name: 'demo',
      isDemo: true,
      rangeStream: { answer: 'supported' },
    });
    const list = { listId: 'l', query: query(), follow: false, confirmed: false };
    expect((await client.request('etcdList/list', list)).total.returned).toBe(500);
    await waitFor(() =>
      client.progress.some((value) => (value as { kind: string }).kind === 'end'),
    );
    const endpoint = status?.endpoints[0] ?? '';
    const other = await start();
    expect(connected(await connectTo(other, endpoint))?.state).toBe('connected');
    client.child.kill('SIGKILL');
    await client.exited;
    await waitFor(async () => {
      try {
        await connectTo(other, endpoint);
        return false;
      } catch {
        return true;
      }
    });
  });

  it('is stopped by another connection', async () => {
    const client = await start();
    const first = connected(await client.request('etcdList/connectDemo', { pods: 10 }));
    const second = connected(await client.request('etcdList/connectDemo', { pods: 20 }));
    expect(second?.endpoints).not.toEqual(first?.endpoints);
    const { failure } = await refusalOf(connectTo(client, first?.endpoints[0] ?? ''));
    expect(failure.code).toBe('etcd');
  });
});

describe.skipIf(etcdMissing('3.4'))('etcd 3.4', () => {
  it('has no RangeStream', async () => {
    const etcd = await startEtcd('3.4');
    const client = await start();
    const status = connected(await connectTo(client, etcd.endpoint));
    expect(status?.rangeStream).toEqual({ answer: 'notSupported' });
    expect(status?.members[0]?.version).toMatch(/^3\.4\./);
    await etcd.stop();
  });
});

describe.skipIf(etcdMissing('3.7'))('etcd 3.7', () => {
  it('has it, and a server that goes away is said so', async () => {
    const etcd = await startEtcd('3.7');
    const client = await start({ deadlineSeconds: 3 });
    const status = connected(await connectTo(client, etcd.endpoint));
    expect(status?.rangeStream).toEqual({ answer: 'supported' });
    expect(status?.members[0]?.version).toMatch(/^3\.7\./);
    await etcd.kill();
    const gone = connected(await client.request('etcdList/probe', null));
    expect(gone?.rangeStream).toMatchObject({
      answer: 'unknown',
      reason: expect.stringContaining('cannot be reached') as string,
    });
    expect(gone?.members[0]?.problem).toContain('cannot be reached');
    await etcd.restart();
    const back = await waitFor(async () => {
      const again = connected(await client.request('etcdList/probe', null));
      return again?.rangeStream.answer === 'supported' ? again : undefined;
    });
    expect(back.members[0]?.problem).toBe('');
    await etcd.stop();
  });
});
