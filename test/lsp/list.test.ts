import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDemoEtcd, type DemoEtcd } from '../../server/demo/demoEtcd';
import { seedCluster } from '../../server/demo/seed';
import { waitFor } from '../support/waitFor';
import {
  buildServer,
  connectTo,
  hasGaps,
  query,
  refusalOf,
  startClient,
  type BuiltServer,
  type Client,
} from './client';

const pods = 3000;

/** Holds calls of one method until released. */
class Gatekeeper {
  private held: string | undefined;
  private release: () => void = () => undefined;
  private open: Promise<void> = Promise.resolve();

  hold(method: string): void {
    this.held = method;
    this.open = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  letGo(): void {
    this.held = undefined;
    this.release();
  }

  readonly onCall = (method: string): Promise<void> | undefined =>
    this.held !== undefined && method.endsWith(this.held) ? this.open : undefined;
}

describe('a list', () => {
  const gate = new Gatekeeper();
  let server: BuiltServer;
  let etcd: DemoEtcd;
  let client: Client;

  beforeAll(async () => {
    server = await buildServer();
    etcd = await startDemoEtcd({ onCall: gate.onCall });
    await seedCluster(etcd.store, { pods });
    client = await startClient(server.main, { progress: true });
    await connectTo(client, etcd.endpoint);
  });

  afterAll(async () => {
    await client.stop();
    await etcd.stop();
    server.remove();
  });

  afterEach(() => {
    gate.letGo();
    client.events.splice(0);
  });

  const rowsOf = (listId: string) =>
    client.events.flatMap(({ listId: id, body }) =>
      id === listId && body.kind === 'rows' ? body.rows : [],
    );

  it('sends every row before it is answered, in batches, numbered without gaps', async () => {
    const params = { listId: 'all', query: query(), follow: false, confirmed: false };
    const done = await client.request('etcdList/list', params);
    expect(done.failure).toBeUndefined();
    expect(done.total).toMatchObject({ returned: pods, streamed: true, requests: 1 });
    expect(rowsOf('all')).toHaveLength(pods);
    expect(hasGaps(client.events)).toBe(false);
    const batches = client.events.flatMap(({ body }) =>
      body.kind === 'rows' ? body.rows.length : [],
    );
    expect(Math.max(...batches)).toBeLessThanOrEqual(500);
    const keys = rowsOf('all').map(({ key }) => key);
    expect(keys).toEqual([...keys].sort());
    expect(rowsOf('all')[0]).toMatchObject({ created: expect.stringMatching(/^20/) as string });
  });

  it('shows each page double as it happens', async () => {
    const asked = query({ limit: '100', labelSelector: 'no=such' });
    const params = { listId: 'pages', query: asked, follow: false, confirmed: false };
    const done = await client.request('etcdList/list', params);
    const finished = client.events.flatMap(({ body }) =>
      body.kind === 'request' && body.done ? [body.request] : [],
    );
    expect(finished.map(({ limit }) => limit)).toEqual([100, 200, 400, 800, 1600]);
    expect(finished.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
    expect(finished.reduce((sum, { keys }) => sum + keys, 0)).toBe(pods);
    expect(done.total).toMatchObject({ returned: 0, fetched: pods, naiveRequests: 30 });
    // The first is told at once; one that ends within its batch is told of as ended.
    expect(client.events[0]?.body).toMatchObject({
      kind: 'request',
      request: { n: 1 },
      done: false,
    });
  });

  it('follows all tokens, sums the totals and reports progress', async () => {
    client.progress.splice(0);
    const asked = query({ limit: '700' });
    const params = { listId: 'follow', query: asked, follow: true, confirmed: false };
    const done = await client.request('etcdList/list', params);
    expect(done.total).toMatchObject({ returned: pods, continue: '', requests: 5 });
    const sums = client.events.flatMap(({ body }) =>
      body.kind === 'totals' ? body.total.returned : [],
    );
    // Sums of pages that follow each other quickly travel as the last of them.
    const pages = [700, 1400, 2100, 2800, 3000];
    expect(sums).toEqual(pages.filter((sum) => sums.includes(sum)));
    expect(sums.at(-1)).toBe(pods);
    expect(new Set(rowsOf('follow').map(({ key }) => key)).size).toBe(pods);
    expect(hasGaps(client.events)).toBe(false);
    await waitFor(() =>
      client.progress.some((value) => (value as { kind: string }).kind === 'end'),
    );
    expect(client.progress[0]).toMatchObject({ kind: 'begin', title: 'Listing to the end' });
    expect(done.commands.kubectl).toBe('kubectl get pods --all-namespaces --chunk-size=700');
    expect(done.commands.etcdList).toContain(' --limit=700 --follow ');
  });

  it('shows no progress of its own to a client that shows it', async () => {
    client.progress.splice(0);
    const asked = query({ limit: '700' });
    const params = { listId: 'silent', query: asked, follow: true, confirmed: false, silent: true };
    const { total } = await client.request('etcdList/list', params);
    expect(total.returned).toBe(pods);
    await client.request('etcdList/status', null);
    expect(client.progress).toEqual([]);
  });

  it('ends the etcd call when it is cancelled', async () => {
    gate.hold('/Range');
    const source = new CancellationTokenSource();
    const asked = query({ limit: '10', readMode: 'pages' });
    const before = etcd.calls.length;
    const running = client.request(
      'etcdList/list',
      { listId: 'stop', query: asked, follow: false, confirmed: false },
      source.token,
    );
    const call = await waitFor(() => etcd.calls[before]);
    source.cancel();
    const done = await running;
    expect(done.failure).toEqual({ code: 'cancelled', sentence: 'Stopped.' });
    expect(done.total).toMatchObject({ requests: 1, error: { code: 'cancelled' } });
    await waitFor(() => call.cancelled);
  });

  it('ends the lists of a connection that is switched', async () => {
    gate.hold('/RangeStream');
    const before = etcd.calls.length;
    const params = { listId: 'switch', query: query(), follow: false, confirmed: false };
    const running = client.request('etcdList/list', params);
    const call = await waitFor(() =>
      etcd.calls.slice(before).find(({ method }) => method.endsWith('/RangeStream')),
    );
    const other = await startDemoEtcd({ rangeStream: false });
    const status = await connectTo(client, other.endpoint, 'other');
    const done = await running;
    expect(done.failure).toEqual({
      code: 'cancelled',
      sentence: 'The connection was closed while the list ran: run it again.',
    });
    await waitFor(() => call.cancelled);
    expect(status).toMatchObject({ state: 'connected', name: 'other' });
    await other.stop();
    gate.letGo();
    await connectTo(client, etcd.endpoint);
  });

  it('runs two at once, each with its own numbers', async () => {
    const list = (listId: string, labelSelector: string) =>
      client.request('etcdList/list', {
        listId,
        query: query({ limit: '50', labelSelector }),
        follow: true,
        confirmed: false,
      });
    const [one, two] = await Promise.all([list('one', ''), list('two', 'no=such')]);
    expect([one.total.returned, two.total.returned]).toEqual([pods, 0]);
    expect(hasGaps(client.events)).toBe(false);
    const params = { listId: 'one', query: query(), follow: false, confirmed: false };
    const both = [client.request('etcdList/list', params), client.request('etcdList/list', params)];
    const [first, second] = await Promise.allSettled(both);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
  });

  it.each([
    ['a selector', { labelSelector: 'a in (' }, 'The label selector is refused'],
    ['a field', { fieldSelector: 'spec.x=1' }, 'field label not supported: spec.x'],
    ['a limit', { limit: 'many' }, 'The limit "many" is not a whole number: write digits'],
    ['a resource', { resource: 'podz' }, 'There is no resource "podz"'],
    ['no resource', { resource: ' ' }, 'No resource is chosen'],
    ['an empty prefix', { resource: '//' }, 'An empty prefix'],
    [
      'a match without version',
      { resourceVersionMatch: 'Exact' },
      'resourceVersionMatch: Forbidden',
    ],
    ['a namespace that leaves its prefix', { namespace: '../secrets' }, 'invalid key'],
  ] as const)('is refused for %s', async (_, extra, text) => {
    const params = { listId: 'no', query: query(extra), follow: false, confirmed: false };
    const { failure } = await refusalOf(client.request('etcdList/list', params));
    expect(failure.code).toBe('badRequest');
    expect(failure.sentence).toContain(text);
  });

  it.each([
    ['a token', { continueToken: 'bm9wZQ' }, 'badRequest'],
    [
      'a version from the future',
      { resourceVersion: '99999999', resourceVersionMatch: 'Exact' },
      'tooLargeResourceVersion',
    ],
  ] as const)('ends with totals for %s', async (_, extra, code) => {
    const params = { listId: 'bad', query: query(extra), follow: false, confirmed: false };
    const done = await client.request('etcdList/list', params);
    expect(done.failure).toMatchObject({ code, upstream: expect.any(String) as string });
    expect(done.total.error).toBeDefined();
  });

  it('offers a token after a compaction', async () => {
    const first = await client.request('etcdList/list', {
      listId: 'c1',
      query: query({ limit: '10', resource: 'nodes' }),
      follow: false,
      confirmed: false,
    });
    etcd.store.put(Buffer.from('/registry/x'), Buffer.from('1'));
    etcd.store.compact(etcd.store.revision);
    const again = (continueToken: string) =>
      client.request('etcdList/list', {
        listId: 'c2',
        query: query({ limit: '10', resource: 'nodes', continueToken }),
        follow: false,
        confirmed: false,
      });
    const gone = await again(first.total.continue);
    expect(gone.failure).toMatchObject({ code: 'expiredWithContinue', status: 410 });
    const facts = await client.request('etcdList/decodeToken', {
      text: first.total.continue,
      resource: 'nodes',
      namespace: '',
      askEtcd: true,
    });
    expect(facts).toMatchObject({ verdict: 'ok', compacted: true });
    client.events.splice(0);
    const on = await again(gone.failure?.continueToken ?? '');
    expect(on.total.returned).toBe(10);
  });

  it('is not sent faster than the client takes it', async () => {
    const slow = await startClient(server.main);
    await connectTo(slow, etcd.endpoint);
    slow.child.stdout.pause();
    const params = {
      listId: 'slow',
      query: query({ limit: '100' }),
      follow: true,
      confirmed: false,
    };
    const before = etcd.calls.length;
    const running = slow.request('etcdList/list', params);
    const asked = () => etcd.calls.length - before;
    // Pages stop once the pipe is full: two looks at the same number of calls are enough to tell.
    let last = -1;
    await waitFor(
      () => {
        const now = asked();
        const still = now === last && now > 0;
        last = now;
        return still;
      },
      { intervalMs: 200 },
    );
    expect(asked()).toBeLessThan(30);
    slow.child.stdout.resume();
    expect((await running).total.returned).toBe(pods);
    await slow.stop();
  });

  it('does not keep the server from shutting down', async () => {
    const leaving = await startClient(server.main);
    await connectTo(leaving, etcd.endpoint);
    const before = etcd.calls.length;
    gate.hold('/RangeStream');
    const params = { listId: 'bye', query: query(), follow: false, confirmed: false };
    const running = leaving.request('etcdList/list', params).catch(() => undefined);
    const call = await waitFor(() =>
      etcd.calls.slice(before).find(({ method }) => method.endsWith('/RangeStream')),
    );
    await leaving.rpc.sendRequest('shutdown');
    await waitFor(() => call.cancelled);
    await running;
    await leaving.notify('exit', undefined);
    expect(await leaving.exited).toBe(0);
  });
});
