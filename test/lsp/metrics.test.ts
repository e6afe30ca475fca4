/** The server's own metrics, on request and on a port, and scrapes of API servers that it reads. */
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { startDemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { LONGEST_PART, type ScrapeSource } from '../../server/protocol/metrics';
import { waitFor } from '../support/waitFor';
import { connectTo, list, refusalOf, useServer, type Client } from './client';

const server = useServer();
const scrapes = join(import.meta.dirname, '..', 'cli', 'scrapes');
const file = (name: string): ScrapeSource => ({ kind: 'file', path: join(scrapes, name) });
const text = (name: string): string => readFileSync(join(scrapes, name), 'utf8');

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lsp-metrics-'));
  server.after(() => {
    rmSync(dir, { recursive: true });
  });
});

const read = (
  client: Client,
  newer: readonly ScrapeSource[],
  older: readonly ScrapeSource[] = [],
) => client.request('etcdList/readMetrics', { newer, older, sort: 'fetched', byServer: false });

/** Hands a text over in parts, one after another. */
async function sent(client: Client, whole: string, name = 'pasted'): Promise<ScrapeSource> {
  for (let at = 0; at === 0 || at < whole.length; at += LONGEST_PART) {
    const part = { scrape: name, name, text: whole.slice(at, at + LONGEST_PART), first: at === 0 };
    await client.request('etcdList/scrapePart', part);
  }
  return { kind: 'parts', scrape: name };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function listed(client: Client): Promise<Record<string, unknown>> {
  const etcd = await startDemoEtcd();
  server.after(() => etcd.stop());
  await seedCluster(etcd.store, { pods: 500 });
  await connectTo(client, etcd.endpoint);
  const { total } = await list(client, { labelSelector: 'app=nginx', limit: '2' });
  return total as unknown as Record<string, unknown>;
}

describe('its own metrics', () => {
  it('are those of all lists, under the names of an API server', async () => {
    const client = await server.start();
    expect((await client.request('etcdList/metrics', null)).text).not.toMatch(/^apiserver/m);
    const first = await listed(client);
    await list(client, { limit: '10' }, { listId: 'second' });
    const own = await client.request('etcdList/metrics', null);
    const { tables } = await read(client, [await sent(client, own.text)]);
    const [row] = tables[0]?.rows ?? [];
    const columns = tables[0]?.columns.map(({ header }) => header) ?? [];
    const told = Object.fromEntries(columns.map((column, i) => [column, row?.values[i]]));
    expect(told).toMatchObject({
      RESOURCE: 'pods',
      LISTS: 2,
      FETCHED: Number(first['fetched']) + 10,
      RETURNED: 12,
      REQUESTS: Number(first['requests']) + 1,
    });
  });
});

describe('the port', () => {
  const get = (port: number, path = '/metrics', init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, init);
  const isRefused = (port: number) =>
    get(port).then(
      () => false,
      () => true,
    );

  it('serves them on the loopback, and ends with the server', async () => {
    const port = await freePort();
    const client = await server.start({ metricsPort: port });
    await listed(client);
    const reply = await get(port);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await reply.text()).toContain('apiserver_storage_list_total{');
    const others = await Promise.all([
      get(port, '/'),
      get(port, '/metrics', { method: 'POST', body: 'x' }),
      get(port, '/metrics', { method: 'HEAD' }),
    ]);
    expect(others.map(({ status }) => status)).toEqual([404, 405, 200]);
    await client.request('etcdList/disconnect', null);
    await client.rpc.sendRequest('shutdown');
    expect(await isRefused(port)).toBe(true);
    await client.notify('exit', undefined);
    expect(await client.exited).toBe(0);
  });

  it('answers no page that calls it by another name', async () => {
    const port = await freePort();
    await server.start({ metricsPort: port });
    await waitFor(async () => !(await isRefused(port)), { what: 'the port' });
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const headers = { host: 'evil.example:80' };
      request({ host: '127.0.0.1', port, path: '/metrics', headers }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });

  it('is closed in a workspace that is not trusted, until it is', async () => {
    const port = await freePort();
    const client = await server.start({ metricsPort: port, trusted: false });
    await client.request('etcdList/metrics', null);
    expect(await isRefused(port)).toBe(true);
    await client.notify('etcdList/trustGranted', null);
    await waitFor(async () => !(await isRefused(port)), { what: 'the port' });
    await client.notify('etcdList/settings', { metricsPort: 0 });
    await waitFor(() => isRefused(port), { what: 'the end of the port' });
  });

  it('that is taken is said, and another one can be set', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    server.after(() => new Promise((resolve) => taken.close(resolve)));
    const { port } = taken.address() as AddressInfo;
    const client = await server.start();
    const messages: string[] = [];
    client.rpc.onNotification('window/showMessage', ({ message }: { message: string }) => {
      messages.push(message);
    });
    await client.notify('etcdList/settings', { metricsPort: port });
    await waitFor(() => messages.length > 0, { what: 'the warning' });
    expect(messages).toEqual([
      `Metrics are not served on port ${port} (etcdList.metrics.port): something else serves there, perhaps another window. Choose another port.`,
    ]);
    const other = await freePort();
    await client.notify('etcdList/settings', { metricsPort: other });
    await waitFor(async () => !(await isRefused(other)), { what: 'the port' });
  });
});

describe('scrapes', () => {
  it('are read from files and from texts alike', async () => {
    const client = await server.start({ trusted: false });
    const fromFile = await read(client, [file('1.33.txt')]);
    const fromText = await read(client, [await sent(client, text('1.33.txt'), '1.33.txt')]);
    expect(fromText).toEqual(fromFile);
    expect(fromFile.heads[0]).toBe('1 API server: 1.33.txt (v1.33.1)');
    expect(fromFile.tables.map(({ rows }) => rows.map(({ resource }) => resource))).toEqual([
      ['events', 'pods', 'deployments.apps'],
      ['/pods', '/configmaps'],
    ]);
    expect(fromFile.text).toBe(text('../golden/metrics-1.33.txt'));
  });

  it('of two times tell what came in between', async () => {
    const client = await server.start();
    const between = await read(client, [file('1.37.txt')], [file('1.37-older.txt')]);
    expect(between.heads[1]).toBe('Counted in 60.0 s between the two scrapes');
    const { failure } = await refusalOf(read(client, [file('1.37-older.txt')], [file('1.37.txt')]));
    expect(failure.sentence).toContain('change their places');
  });

  it('that are none are refused in a sentence', async () => {
    const client = await server.start();
    writeFileSync(join(dir, 'x\u202e.txt'), 'up 1\n');
    const cases: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => read(client, [{ kind: 'file', path: join(dir, 'none') }]), 'there is no such file'],
      [() => read(client, [{ kind: 'file', path: dir }]), 'it is a folder'],
      [() => read(client, [{ kind: 'file', path: '/dev/zero' }]), 'it is no file'],
      [() => read(client, [{ kind: 'parts', scrape: 'never' }]), 'This text is gone'],
      [
        () => read(client, [{ kind: 'file', path: join(dir, 'x\u202e.txt') }]),
        'x\\u202e.txt holds metrics',
      ],
      [() => sent(client, 'a\0b'), 'it is no text'],
      [() => read(client, []), '"newer" of the parameters is empty'],
      [() => client.request('etcdList/readMetrics', null as never), 'must be an object'],
      [
        () => client.request('etcdList/hoverMetric', { lines: ['x'.repeat(5000)], index: 0 }),
        'too long',
      ],
    ];
    for (const [ask, sentence] of cases) {
      expect((await refusalOf(ask())).failure.sentence).toContain(sentence);
    }
  });

  it('of tens of megabytes hold up nobody, and stop on request', async () => {
    const client = await server.start();
    const line = `apiserver_request_total{verb="LIST",resource="r",code="200"} 1\n`;
    const large = join(dir, 'large.txt');
    writeFileSync(large, `${line.repeat(600_000)}${text('1.37.txt')}`);
    const started = performance.now();
    let slowest = 0;
    let asked = 0;
    const reading = read(client, [{ kind: 'file', path: large }]);
    const state = { isRead: false };
    void reading.then(() => (state.isRead = true));
    while (!state.isRead) {
      const before = performance.now();
      await client.request('etcdList/status', null);
      slowest = Math.max(slowest, performance.now() - before);
      asked++;
    }
    const ms = performance.now() - started;
    process.stdout.write(
      `read 38 MB in ${ms.toFixed(0)} ms; meanwhile ${asked} other requests, the slowest ${slowest.toFixed(0)} ms\n`,
    );
    expect((await reading).tables[0]?.rows[0]?.resource).toBe('pods');
    expect(asked).toBeGreaterThan(3);
    const stop = new CancellationTokenSource();
    const params = { newer: [{ kind: 'file' as const, path: large }], older: [] };
    const stopped = client.request(
      'etcdList/readMetrics',
      { ...params, sort: 'time', byServer: true },
      stop.token,
    );
    stop.cancel();
    expect((await refusalOf(stopped)).failure.code).toBe('cancelled');
  });
});

describe('a hover', () => {
  const lines = text('1.33.txt')
    .split('\n')
    .filter((line) => line.includes('="pods"') && !line.startsWith('apiserver_request'));
  const at = (part: string) => lines.findIndex((line) => line.startsWith(part));

  it('says what a number means, with those beside it', async () => {
    const client = await server.start();
    const index = at('apiserver_storage_list_fetched');
    const told = await client.request('etcdList/hoverMetric', { lines, index });
    const plain = told?.markdown.replace(/&#(\d+);/g, (_, code) =>
      String.fromCharCode(Number(code)),
    );
    expect(plain).toContain('3,048,000 objects were read from etcd');
    expect(plain).toContain('3,048,000 fetched : 2,376,240 tested : 24,000 returned');
    expect(plain).toContain('selector death spiral');
  });

  it('says nothing of other lines, and breaks out of nothing', async () => {
    const client = await server.start();
    const hover = (line: string) =>
      client.request('etcdList/hoverMetric', { lines: [line], index: 0 });
    expect(await hover('up 1')).toBeNull();
    expect(await hover('apiserver_storage_list_total{resource="pods"')).toBeNull();
    const evil = 'apiserver_storage_list_total{resource="[x](command:y)<b>`"} 5';
    expect((await hover(evil))?.markdown).not.toMatch(/\]\(command:|<b>/);
  });
});
