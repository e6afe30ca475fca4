import { getEventListeners } from 'node:events';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import { connect, type ConnectionConfig } from '../../../server/etcd/connect';
import type { EtcdReader, WatchBatch } from '../../../server/etcd/interfaces';
import type * as m from '../../../server/etcd/rpc/messages';
import { waitFor } from '../../support/waitFor';
import {
  etcdRefusals,
  startFakeEtcd,
  type FakeEtcd,
  type Handlers,
  type WatchCall,
} from './fakeEtcd';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function setUp(
  handlers: Handlers,
  config: Partial<ConnectionConfig> = {},
): Promise<{ server: FakeEtcd; reader: EtcdReader }> {
  const server = await startFakeEtcd(handlers);
  const reader = connect({ endpoints: [server.endpoint], deadlineMs: 5_000, ...config });
  closers.push(() => {
    reader.close();
    server.stop();
  });
  return { server, reader };
}

const at = (revision: bigint): m.ResponseHeader => ({
  clusterId: 0n,
  memberId: 0n,
  revision,
  raftTerm: 0n,
});
const put = (key: string): m.Event => ({
  type: 0,
  kv: {
    key: utf8(key),
    value: utf8('v'),
    createRevision: 1n,
    modRevision: 1n,
    version: 1n,
    lease: 0n,
  },
  prevKv: undefined,
});
const request = { key: utf8('/a/'), rangeEnd: utf8('/a0'), startRevision: 5n };

/** Answers a create request as etcd does, then lets the test go on. */
function acknowledging(
  then: (call: WatchCall, create: m.WatchCreateRequest) => void,
  progress: (call: WatchCall) => void = () => undefined,
): Handlers {
  return {
    watch: (call) => {
      call.on('data', (message: m.WatchRequest) => {
        if (message.progressRequest) progress(call);
        if (!message.createRequest) return;
        call.write({ created: true, header: at(9n) });
        then(call, message.createRequest);
      });
    },
  };
}

const keysOf = (batch: WatchBatch) => batch.events.map(({ kv }) => Buffer.from(kv.key).toString());

async function take(stream: AsyncIterable<WatchBatch>, count: number): Promise<WatchBatch[]> {
  const taken: WatchBatch[] = [];
  for await (const batch of stream) {
    taken.push(batch);
    if (taken.length === count) break;
  }
  return taken;
}

describe('watch', () => {
  it('creates one watch as asked, requires a leader, and cancels when the loop is left', async () => {
    let created: m.WatchCreateRequest | undefined;
    const { server, reader } = await setUp(
      acknowledging((call, create) => {
        created = create;
        call.write({
          header: at(10n),
          events: [put('/a/x'), { ...put('/a/y'), type: 1, prevKv: put('/a/y').kv }],
        });
      }),
    );
    const asked = { ...request, prevKv: true, progressNotify: true, fragment: true };
    const [batch] = await take(reader.watch(asked), 1);
    expect(created).toMatchObject({
      startRevision: 5n,
      prevKv: true,
      progressNotify: true,
      fragment: true,
    });
    expect(server.seen[0]!.metadata.get('hasleader')).toEqual(['true']);
    expect(batch!.revision).toBe(10n);
    expect(batch!.events.map(({ type }) => type)).toEqual(['put', 'delete']);
    expect(batch!.events.map(({ prevKv }) => prevKv !== undefined)).toEqual([false, true]);
    await waitFor(() => server.seen[0]!.cancelled);
  });

  it('hands on the parts of a message that the server has cut', async () => {
    const { reader } = await setUp(
      acknowledging((call) => {
        call.write({ header: at(10n), events: [put('1')], fragment: true });
        call.write({ header: at(10n), events: [put('2')], fragment: true });
        call.write({ header: at(10n), events: [put('3')] });
        call.write({ header: at(11n), events: [put('4')] });
      }),
    );
    const batches = await take(reader.watch(request), 4);
    expect(batches.map(keysOf)).toEqual([['1'], ['2'], ['3'], ['4']]);
    expect(batches.map(({ partial }) => partial)).toEqual([true, true, false, false]);
  });

  it('tells what the server acknowledged', async () => {
    const { server, reader } = await setUp(acknowledging(() => undefined));
    const stream = reader.watch(request);
    const { endpoint } = server;
    expect(await stream.opened).toEqual({ revision: 9n, clusterId: 0n, endpoint });
    stream.cancel();
    await waitFor(() => server.seen[0]!.cancelled);
  });

  it('takes no message beyond the budget', async () => {
    const { reader } = await setUp(
      acknowledging((call) => {
        call.write({ events: Array.from({ length: 400 }, (_, i) => put(`/a/${i}`)) });
      }),
      { byteBudget: 8_000 },
    );
    await expect(take(reader.watch(request), 1)).rejects.toMatchObject({ code: 'replyTooLarge' });
  });

  it('asks for progress, also before the watch is acknowledged', async () => {
    const { reader } = await setUp(
      acknowledging(
        () => undefined,
        (call) => call.write({ header: at(42n), watchId: -1n }),
      ),
    );
    const stream = reader.watch(request);
    stream.requestProgress();
    const progress = { revision: 42n, events: [], partial: false };
    expect(await take(stream, 1)).toEqual([{ ...progress, requested: true }]);
  });

  it("knows the server's own notices of progress", async () => {
    const { reader } = await setUp(acknowledging((call) => call.write({ header: at(42n) })));
    const [notice] = await take(reader.watch(request), 1);
    expect(notice).toEqual({ revision: 42n, events: [], partial: false, requested: false });
  });

  it('can be iterated once', async () => {
    const { reader } = await setUp(acknowledging((call) => call.write({ header: at(10n) })));
    const stream = reader.watch(request);
    await take(stream, 1);
    await expect(take(stream, 1)).rejects.toThrow('iterated once');
  });

  it('ends quietly when it is cancelled, waited for or not', async () => {
    const { server, reader } = await setUp(acknowledging(() => undefined));
    const waiting = reader.watch(request);
    const done = take(waiting, 1);
    await waitFor(() => server.seen.length === 1);
    waiting.cancel();
    expect(await done).toEqual([]);
    const early = reader.watch(request);
    early.cancel();
    early.cancel();
    expect(await take(early, 1)).toEqual([]);
    await waitFor(() => server.seen.every(({ cancelled }) => cancelled));
  });

  it("fails with the caller's abort and leaves no listener on its signal", async () => {
    const { server, reader } = await setUp(acknowledging(() => undefined));
    const stop = new AbortController();
    const done = take(reader.watch(request, { signal: stop.signal }), 1);
    await waitFor(() => server.seen.length === 1);
    stop.abort();
    await expect(done).rejects.toMatchObject({ code: 'cancelled' });
    const other = new AbortController();
    for (let i = 0; i < 5; i++) {
      const stream = reader.watch(request, { signal: other.signal });
      stream.cancel();
      await take(stream, 1);
    }
    await waitFor(() => getEventListeners(other.signal, 'abort').length === 0);
  });

  it.each([
    [
      'compacted',
      { canceled: true, compactRevision: 8n },
      'etcdserver: mvcc: required revision has been compacted',
    ],
    [
      'futureRevision',
      { canceled: true },
      'etcdserver: mvcc: required revision is a future revision',
    ],
    ['other', { canceled: true, cancelReason: 'odd' }, 'odd'],
  ] as const)('ends with what the server says: %s', async (code, response, message) => {
    const { reader } = await setUp(
      acknowledging((call) => call.write({ ...response, header: at(9n) })),
    );
    await expect(take(reader.watch(request), 1)).rejects.toMatchObject({ code, message });
  });

  it('fails when the server ends the stream or breaks it', async () => {
    const ended = await setUp(
      acknowledging((call) => {
        call.end();
      }),
    );
    await expect(take(ended.reader.watch(request), 1)).rejects.toMatchObject({
      code: 'unavailable',
    });
    const broken = await setUp(acknowledging((call) => call.emit('error', etcdRefusals.noLeader)));
    await expect(take(broken.reader.watch(request), 1)).rejects.toMatchObject({
      message: 'etcdserver: no leader',
    });
  });

  it('does not wait for an acknowledgement for ever', async () => {
    const { reader } = await setUp({ watch: () => undefined });
    const done = take(reader.watch(request, { deadlineMs: 150 }), 1);
    await expect(done).rejects.toMatchObject({ code: 'deadline' });
  });

  it('renews the token when the first message refuses it', async () => {
    let tokens = 0;
    const refuse = 'rpc error: code = Unauthenticated desc = etcdserver: invalid auth token';
    const { server, reader } = await setUp(
      {
        authenticate: () => ({ token: `t${++tokens}` }),
        watch: (call, token) => {
          call.on('data', () => {
            const bad = token === 't1';
            call.write({ created: true, canceled: bad, ...(bad && { cancelReason: refuse }) });
            if (!bad) call.write({ header: at(3n), events: [put('k')] });
          });
        },
      },
      { auth: { username: 'u', password: 'p' } },
    );
    expect((await take(reader.watch(request), 1)).map(keysOf)).toEqual([['k']]);
    expect(server.methods()).toEqual(['authenticate', 'watch', 'authenticate', 'watch']);
  });

  it('reports a refused range as permission denied, after one renewal', async () => {
    const cancelReason = 'rpc error: code = PermissionDenied desc = etcdserver: permission denied';
    const { server, reader } = await setUp(
      {
        authenticate: () => ({ token: 't' }),
        watch: (call) => {
          call.on('data', () => call.write({ created: true, canceled: true, cancelReason }));
        },
      },
      { auth: { username: 'u', password: 'p' } },
    );
    const stream = reader.watch(request);
    await expect(take(stream, 1)).rejects.toMatchObject({
      code: 'permissionDenied',
      denied: { user: 'u', key: request.key, rangeEnd: request.rangeEnd },
    });
    await expect(stream.opened).rejects.toMatchObject({ code: 'permissionDenied' });
    expect(server.methods().filter((name) => name === 'authenticate')).toHaveLength(2);
  });

  it('is unimplemented where the server has no Watch', async () => {
    const { reader } = await setUp({ range: () => ({}) });
    await expect(take(reader.watch(request), 1)).rejects.toMatchObject({
      code: 'unimplemented',
      grpcCode: status.UNIMPLEMENTED,
    });
  });
});
