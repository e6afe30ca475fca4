import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { describe, expect, it } from 'vitest';
import type { ListEvent } from '../../server/protocol/model';
import { etcdMissing, startEtcd, type RunningEtcd } from '../support/etcdServer';
import { startFaultProxy } from '../support/faultProxy';
import { startRecordingProxy, type RecordedCall } from '../support/recordingProxy';
import { waitFor } from '../support/waitFor';
import { connectTo, hasGaps, list, rowsOf, useServer, type Client } from './client';

const server = useServer();

const pod = (name: string, extra: object = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', name, ...extra } });

/** Pods of about 1 KiB each. */
async function withPods(count: number, version: '3.6' | '3.7' = '3.7'): Promise<RunningEtcd> {
  const etcd = await startEtcd(version);
  server.after(() => etcd.stop());
  const annotations = { filler: 'x'.repeat(900) };
  await etcd.writer.bulkLoad(
    Array.from({ length: count }, (_, i) => {
      const name = `p-${String(i).padStart(6, '0')}`;
      return [`/registry/pods/a/${name}`, pod(name, { annotations })] as const;
    }),
  );
  return etcd;
}

const rowCounts = (events: readonly ListEvent[]) =>
  events.flatMap(({ body }) => (body.kind === 'rows' ? body.rows.length : []));

const CANCEL = 8;

describe.skipIf(etcdMissing('3.7'))('a list that is stopped', () => {
  it.each([
    ['a stream', { readMode: 'stream' }, 'RangeStream'],
    ['pages', { readMode: 'pages', limit: '50' }, 'Range'],
    ['one unlimited page', { readMode: 'pages' }, 'Range'],
  ] as const)('in the middle of %s ends the call at etcd', async (_, asked, method) => {
    const etcd = await withPods(4000);
    // Slow enough that the call is under way when it is stopped.
    const slow = await startFaultProxy(etcd.endpoint);
    server.after(() => slow.close());
    const proxy = await startRecordingProxy(slow.endpoint);
    server.after(() => proxy.close());
    const client = await server.start();
    await connectTo(client, proxy.endpoint);
    proxy.clear();
    slow.slow(200_000);
    const source = new CancellationTokenSource();
    const running = list(client, asked, { follow: true, confirmed: true }, source.token);
    const call = await waitFor<RecordedCall | undefined>(() =>
      proxy.calls.find((each) => each.method === method && each.endedAt === undefined),
    );
    await waitFor(() => slow.passed('toClient') > 20_000);
    const begin = performance.now();
    source.cancel();
    const done = await running;
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(done.failure).toMatchObject({ code: 'cancelled', sentence: 'Stopped.' });
    expect(done.total.error?.code).toBe('cancelled');
    expect(done.total.returned).toBe(rowsOf(client).length);
    const reset = await waitFor(() =>
      proxy.calls.find(({ clientReset }) => clientReset !== undefined),
    );
    expect(reset.clientReset).toBe(CANCEL);
    expect(call.method).toBe(method);
    const calls = proxy.calls.length;
    expect(await client.request('etcdList/status', null)).toMatchObject({ state: 'connected' });
    expect(proxy.calls).toHaveLength(calls);
    slow.slow(Infinity);
    client.events.splice(0);
    expect((await list(client, asked, { confirmed: true })).failure).toBeUndefined();
    expect(hasGaps(client.events)).toBe(false);
  });

  it('as soon as it is asked for leaves no call open', async () => {
    const etcd = await withPods(200);
    const silent = await startFaultProxy(etcd.endpoint);
    server.after(() => silent.close());
    const proxy = await startRecordingProxy(silent.endpoint);
    server.after(() => proxy.close());
    const client = await server.start();
    await connectTo(client, proxy.endpoint);
    proxy.clear();
    silent.stall('toClient');
    const source = new CancellationTokenSource();
    const running = list(client, {}, {}, source.token);
    source.cancel();
    const done = await running;
    expect(done.failure?.code).toBe('cancelled');
    expect(done.total.returned).toBe(0);
    await waitFor(() => proxy.calls.every(({ clientReset }) => clientReset === CANCEL));
  });
});

describe.skipIf(etcdMissing('3.7'))('two lists at once', () => {
  it('keep their numbers and batches apart, and one may be stopped', async () => {
    const etcd = await withPods(3000);
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    const source = new CancellationTokenSource();
    const [one, two, three] = await Promise.all([
      list(client, { limit: '7' }, { listId: 'one', follow: true }, source.token),
      list(client, { readMode: 'stream' }, { listId: 'two' }),
      list(client, { limit: '400', readMode: 'pages' }, { listId: 'three', follow: true }),
      waitFor(() => rowsOf(client, 'one').length > 0).then(() => {
        source.cancel();
      }),
    ]);
    expect(one.failure?.code).toBe('cancelled');
    expect([two.failure, three.failure]).toEqual([undefined, undefined]);
    expect([two.total.returned, three.total.returned]).toEqual([3000, 3000]);
    expect(rowsOf(client, 'one').length).toBe(one.total.returned);
    expect(hasGaps(client.events)).toBe(false);
    expect(Math.max(...rowCounts(client.events))).toBeLessThanOrEqual(500);
    for (const id of ['one', 'two', 'three']) {
      const keys = rowsOf(client, id).map(({ key }) => key);
      expect(keys).toEqual([...new Set(keys)].sort());
    }
  });
});

describe.skipIf(etcdMissing('3.6'))('an unlimited read', () => {
  it('that would pass the byte budget is counted and refused, with its figures', async () => {
    const etcd = await withPods(3000, '3.6');
    const proxy = await startRecordingProxy(etcd.endpoint);
    server.after(() => proxy.close());
    const client = await server.start({ byteBudgetMiB: 1 });
    await connectTo(client, proxy.endpoint);
    proxy.clear();
    const done = await list(client, { readMode: 'pages' });
    expect(done.failure).toMatchObject({ code: 'overBudget' });
    expect(done.failure?.sentence).toMatch(
      /^Too large for one reply: reading 3,000 keys at once would be about [\d.]+ MB, more than the byte budget of 1 MiB; set a limit, or raise the setting etcdList\.byteBudgetMiB and connect again\.$/,
    );
    expect(rowsOf(client)).toEqual([]);
    // A count and a few keys, but never the read itself.
    expect(proxy.methods()).toEqual(['Range', 'Range']);
    expect(proxy.calls.flatMap(({ replyLengths }) => replyLengths).every((n) => n < 200_000)).toBe(
      true,
    );
    const forced = await list(client, { readMode: 'pages' }, { confirmed: true });
    expect(forced.failure).toMatchObject({ code: 'overBudget' });
    expect(forced.failure?.sentence).toMatch(
      /raise the setting etcdList.byteBudgetMiB|1 MiB are allowed/,
    );
    await client.notify('etcdList/settings', { byteBudgetMiB: 64 });
    await connectTo(client, proxy.endpoint);
    const allowed = await list(client, { readMode: 'pages' });
    expect(allowed.failure).toBeUndefined();
    expect(allowed.total.returned).toBe(3000);
  });
});

describe.skipIf(etcdMissing('3.7'))('a list on an etcd that fails', () => {
  it.each([
    ['pages', { readMode: 'pages', limit: '5' }],
    ['a stream', { readMode: 'stream' }],
  ] as const)('in the middle of %s says so, keeps its rows, and works again', async (_, asked) => {
    const etcd = await withPods(4000);
    const slow = await startFaultProxy(etcd.endpoint);
    server.after(() => slow.close());
    const client = await server.start({ deadlineSeconds: 10 });
    await connectTo(client, slow.endpoint);
    slow.slow(400_000);
    const running = list(client, asked, { follow: true, confirmed: true });
    await waitFor(() => rowsOf(client).length > 0);
    await etcd.kill();
    slow.cut();
    const done = await running;
    expect(done.failure?.code).toBe('etcd');
    expect(done.failure?.sentence).toMatch(/cannot be reached or cannot serve now .*: check the/);
    expect(done.total.returned).toBe(rowsOf(client).length);
    expect(done.total.returned).toBeLessThan(4000);
    await slow.heal();
    await etcd.restart();
    client.events.splice(0);
    const again = await waitFor(async () => {
      const answer = await list(client, { limit: '5' });
      return answer.failure === undefined ? answer : undefined;
    });
    expect(again.total.returned).toBe(5);
  });

  it('that stands still runs into the deadline', async () => {
    const etcd = await withPods(10);
    const client = await server.start({ deadlineSeconds: 1 });
    await connectTo(client, etcd.endpoint);
    await etcd.pause();
    const done = await list(client, { readMode: 'pages', limit: '5' });
    etcd.resume();
    expect(done.failure?.code).toBe('timeout');
    expect(done.failure?.sentence).toMatch(/try again, or raise .*etcdList\.deadlineSeconds/);
  });

  it('that compacts offers a token, which goes on', async () => {
    const etcd = await withPods(30);
    const client = await server.start();
    await connectTo(client, etcd.endpoint);
    const first = await list(client, { limit: '10' });
    await etcd.writer.put('/registry/pods/a/p-000020a', pod('p-000020a'));
    await etcd.writer.compact(await etcd.writer.revision());
    const gone = await list(client, { limit: '10', continueToken: first.total.continue });
    expect(gone.failure).toMatchObject({
      code: 'expiredWithContinue',
      status: 410,
      upstream: expect.stringContaining('continue parameter is too old') as string,
      sentence: expect.stringMatching(
        /: start again, or continue at the latest revision/,
      ) as string,
    });
    expect(rowsOf(client)).toHaveLength(10);
    const rest = await list(
      client,
      { limit: '10', continueToken: gone.failure?.continueToken ?? '' },
      { follow: true },
    );
    expect(rest.failure).toBeUndefined();
    expect(rest.total.returned).toBe(21);
    expect(new Set(rowsOf(client).map(({ key }) => key)).size).toBe(31);
    const old = await list(client, { resourceVersion: '2', resourceVersionMatch: 'Exact' });
    expect(old.failure).toMatchObject({ code: 'expired', status: 410 });
    expect(old.failure?.sentence).toMatch(/: start again at the current state\.$/);
  });
});

describe.skipIf(etcdMissing('3.7'))('stored values', () => {
  const hostile = {
    __proto__: 'polluted',
    constructor: '<img src=x onerror=alert(1)>',
    app: '[x](command:evil) \u001b[31m\u202e\n',
  };
  const entries = async (
    client: Client,
    etcd: RunningEtcd,
    values: [string, string | Uint8Array][],
  ) => {
    await etcd.writer.bulkLoad(values, { putsPerTxn: 1 });
    await connectTo(client, etcd.endpoint);
  };

  it('with markup, control characters and odd label names come as they are', async () => {
    const etcd = await startEtcd('3.7');
    server.after(() => etcd.stop());
    const client = await server.start();
    const name = '<b onclick=x>&"\'\u0007';
    const json = `{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"a","name":${JSON.stringify(name)},"labels":{${Object.entries(
      hostile,
    )
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join(',')},"__proto__":"polluted"}}}`;
    await entries(client, etcd, [['/registry/pods/a/odd', json]]);
    for (const asked of [{}, { labelSelector: 'constructor' }, { labelSelector: 'toString!=x' }]) {
      client.events.splice(0);
      const done = await list(client, asked);
      expect(done.failure).toBeUndefined();
      const [row] = rowsOf(client);
      expect(row?.name).toBe(name);
      expect([...(row?.labels ?? [])].sort()).toEqual(
        [
          ['__proto__', 'polluted'],
          ['app', hostile.app],
          ['constructor', hostile.constructor],
        ].sort(),
      );
      for (const text of Object.values(done.commands)) expect(text).not.toMatch(/\p{Cc}/u);
    }
    client.events.splice(0);
    expect((await list(client, { labelSelector: 'hasOwnProperty' })).total.returned).toBe(0);
    const opened = await client.request('etcdList/openObject', {
      key: rowsOf(client)[0]?.key ?? Buffer.from('/registry/pods/a/odd').toString('hex'),
      revision: '',
      resource: 'pods',
      reveal: false,
    });
    expect(opened.text).toContain('"__proto__": "polluted"');
    expect(opened.text).toContain('<img src=x onerror=alert(1)>');
    expect(opened.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ['noise', Uint8Array.of(0xff, 0xfe, 0, 1, 2)],
    ['a text', 'hello'],
    ['cut JSON', '{"apiVersion":"v1","kind":"Pod","meta'],
    ['JSON of another form', '[1,2,3]'],
    ['cut protobuf', Uint8Array.of(0x6b, 0x38, 0x73, 0, 0x0a, 0xff)],
    ['encrypted', 'k8s:enc:aescbc:v1:key1:\u0001\u0002'],
  ])('that are %s end the list with their key, or are left out', async (_, value) => {
    const etcd = await startEtcd('3.7');
    server.after(() => etcd.stop());
    const client = await server.start();
    await entries(client, etcd, [
      ['/registry/pods/a/1', pod('1')],
      ['/registry/pods/a/2', value],
      ['/registry/pods/a/3', pod('3')],
    ]);
    const done = await list(client);
    expect(done.failure).toMatchObject({ code: 'unreadable', key: '/registry/pods/a/2' });
    expect(done.failure?.sentence).toMatch(
      /^\/registry\/pods\/a\/2 cannot be read: .+\. Leave out unreadable objects to go on without it\.$/,
    );
    client.events.splice(0);
    const skipping = await list(client, { skipUnreadable: true });
    expect(skipping.failure).toBeUndefined();
    expect(rowsOf(client).map(({ name }) => name)).toEqual(['1', '3']);
    expect(skipping.unreadable.map(({ key }) => key)).toEqual(['/registry/pods/a/2']);
    const opened = await client.request('etcdList/openObject', {
      key: Buffer.from('/registry/pods/a/2').toString('hex'),
      revision: '',
      resource: 'pods',
      reveal: false,
    });
    expect(opened.warning).not.toBe('');
  });
});
