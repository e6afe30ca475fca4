import { getEventListeners, setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import { openLane } from '../../../server/etcd/client';
import { connect, type ConnectionConfig } from '../../../server/etcd/connect';
import { EtcdError, type EtcdErrorCode } from '../../../server/etcd/errors';
import type { EtcdReader, RangeStreamChunk } from '../../../server/etcd/interfaces';
import { parseEndpoints } from '../../../server/etcd/endpoints';
import type { KeyValue } from '../../../server/etcd/rpc/messages';
import { methods } from '../../../server/etcd/rpc/methods';
import { waitFor } from '../../support/waitFor';
import {
  deadEndpoint,
  encodeChunk,
  etcdRefusals,
  Refusal,
  sendLast,
  startFakeEtcd,
  type FakeEtcd,
  type Handlers,
  type StreamCall,
} from './fakeEtcd';

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const close of closers.splice(0)) close();
});

async function fake(handlers: Handlers): Promise<FakeEtcd> {
  const server = await startFakeEtcd(handlers);
  closers.push(() => {
    server.stop();
  });
  return server;
}

function open(config: ConnectionConfig): EtcdReader {
  const reader = connect({ deadlineMs: 10_000, connectTimeoutMs: 2_000, ...config });
  closers.push(() => {
    reader.close();
  });
  return reader;
}

async function failureOf(work: Promise<unknown>): Promise<EtcdError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EtcdError)) throw new Error(`not an EtcdError: ${String(error)}`);
  return error;
}

const kv = (name: string, value = 'v'): KeyValue => ({
  key: utf8(name),
  value: utf8(value),
  createRevision: 1n,
  modRevision: 2n,
  version: 1n,
  lease: 0n,
});
const key = utf8('/registry/');
const oneKey = { kvs: [kv('/registry/a')], count: 9n, more: true };
const header = { clusterId: 1n, memberId: 2n, revision: 77n, raftTerm: 3n };
const refuse = (error: Refusal) => () => Promise.reject(error);
const auth = { username: 'reader', password: 'correct horse battery' };

describe('range', () => {
  it('answers with plain data, the reply length and who answered', async () => {
    const server = await fake({ range: () => ({ ...oneKey, header }) });
    const reply = await open({ endpoints: [server.endpoint] }).range({ key });
    expect(reply).toMatchObject({
      count: 9n,
      more: true,
      revision: 77n,
      endpoint: server.endpoint,
    });
    expect(Buffer.from(reply.kvs[0]!.key).toString()).toBe('/registry/a');
    expect(reply.bytes).toBeGreaterThan(20);
  });

  it('hands out keys and values as views into the message, without a copy', async () => {
    const server = await fake({ range: () => ({ kvs: [kv('a', 'x'.repeat(5000)), kv('b')] }) });
    const { kvs } = await open({ endpoints: [server.endpoint] }).range({ key });
    expect(kvs[0]!.value.buffer).toBe(kvs[1]!.key.buffer);
  });

  it('takes consistency from the call, else from the connection, and passes the flags on', async () => {
    const asked: [boolean, boolean, boolean, bigint][] = [];
    const server = await fake({
      range: (request) => {
        asked.push([request.serializable, request.keysOnly, request.countOnly, request.limit]);
        return {};
      },
    });
    const reader = open({ endpoints: [server.endpoint], serializable: true });
    await reader.range({ key, keysOnly: true, limit: 7n });
    await reader.range({ key, countOnly: true }, { serializable: false });
    expect(asked).toEqual([
      [true, true, false, 7n],
      [false, false, true, 0n],
    ]);
  });

  it.each([
    ['compacted', etcdRefusals.compacted],
    ['futureRevision', etcdRefusals.future],
    ['permissionDenied', etcdRefusals.denied],
    ['userEmpty', etcdRefusals.userEmpty],
  ] as const)("passes etcd's own failure out: %s", async (code, refusal) => {
    const server = await fake({ range: refuse(refusal) });
    const error = await failureOf(open({ endpoints: [server.endpoint] }).range({ key }));
    expect(error).toMatchObject({ code, message: refusal.details, endpoint: server.endpoint });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('calls a reply beyond the budget too large, and takes any size with -1', async () => {
    const server = await fake({ range: () => ({ kvs: [kv('a', 'x'.repeat(6_000_000))] }) });
    const small = open({ endpoints: [server.endpoint], byteBudget: 5_000_000 });
    expect((await failureOf(small.range({ key }))).code).toBe('replyTooLarge');
    const any = open({ endpoints: [server.endpoint], byteBudget: -1 });
    expect((await any.range({ key })).bytes).toBeGreaterThan(6_000_000);
  });

  it('calls bytes that are no message malformed', async () => {
    const server = await fake({ range: () => ({ kvs: [kv('a')] }) });
    const reader = open({ endpoints: [server.endpoint] });
    const broken = await fake({
      rangeStream: (call) => {
        call.write(Buffer.from([0x0a, 0xff, 0xff, 0x03]));
      },
    });
    expect((await reader.range({ key })).kvs).toHaveLength(1);
    const error = await failureOf(collect(open({ endpoints: [broken.endpoint] })));
    expect(error.code).toBe('malformedReply');
    await waitFor(() => broken.seen[0]!.cancelled, { what: 'the call to end' });
  });
});

describe('the allow-list', () => {
  it('refuses every path that is not a read, below any client', async () => {
    const server = await fake({ range: () => ({}) });
    const lane = openLane({
      endpoint: parseEndpoints([server.endpoint]).endpoints[0]!,
      credentials: credentials.createInsecure(),
      byteBudget: -1,
    });
    closers.push(() => {
      lane.close();
    });
    const writing = ['put', 'deleteRange', 'txn', 'compact'] as const;
    for (const path of [
      ...writing.map((name) => methods[name]),
      '/etcdserverpb.Lease/LeaseGrant',
    ]) {
      const started = lane.start((client) => {
        const bytes = (value: Buffer) => value;
        client.makeUnaryRequest(path, bytes, bytes, Buffer.of(), new Metadata(), () => undefined);
      });
      await expect(started).rejects.toThrow(`${path} is refused`);
    }
    expect(Object.keys(lane).sort()).toEqual(['close', 'drop', 'endpoint', 'start']);
    expect(server.seen).toEqual([]);
  });
});

describe('authentication', () => {
  /** Accepts only the newest of the tokens it gave. */
  function guarded(refusal: Refusal) {
    let issued = 0;
    const handlers: Handlers = {
      authenticate: () => ({ token: `token-${++issued}` }),
      range: (_request, token) => {
        if (token !== `token-${issued}`) throw refusal;
        return oneKey;
      },
      rangeStream: (call, _request, token) => {
        if (token !== `token-${issued}`) call.emit('error', refusal);
        else sendLast(call, oneKey);
      },
    };
    return { handlers, expire: () => issued++, issued: () => issued };
  }

  it('authenticates once for calls at the same time, and keeps the token', async () => {
    const { handlers } = guarded(etcdRefusals.invalidToken);
    const server = await fake(handlers);
    const reader = open({ endpoints: [server.endpoint], auth });
    await Promise.all([reader.range({ key }), reader.range({ key }), collect(reader)]);
    await reader.range({ key });
    expect(server.methods().filter((name) => name === 'authenticate')).toHaveLength(1);
  });

  it.each([
    ['invalid token', etcdRefusals.invalidToken],
    ['old revision', etcdRefusals.oldRevision],
    ['user empty', etcdRefusals.userEmpty],
  ])('renews a refused token once: %s', async (_name, refusal) => {
    const { handlers, expire } = guarded(refusal);
    const server = await fake(handlers);
    const reader = open({ endpoints: [server.endpoint], auth });
    await reader.range({ key });
    expire();
    await Promise.all([reader.range({ key }), reader.range({ key })]);
    expire();
    expect(await collect(reader)).toBe(1);
    expect(server.methods().filter((name) => name === 'authenticate')).toHaveLength(3);
  });

  it.each([
    ['invalidToken' as const, 'range'],
    ['userEmpty' as const, 'range'],
    ['invalidToken' as const, 'rangeStream'],
  ])('gives up after one renewal: %s on %s', async (refusal, method) => {
    const server = await fake({
      authenticate: () => ({ token: 'never good' }),
      range: refuse(etcdRefusals[refusal]),
      rangeStream: (call) => call.emit('error', etcdRefusals[refusal]),
    });
    const reader = open({ endpoints: [server.endpoint], auth });
    const error = await failureOf(method === 'range' ? reader.range({ key }) : collect(reader));
    expect(error.code).toBe('invalidAuthToken');
    expect(server.methods()).toEqual(['authenticate', method, 'authenticate', method]);
  });

  it('reports a wrong password as such, never with the password, and asks again next time', async () => {
    const server = await fake({ authenticate: refuse(etcdRefusals.authFailed), range: () => ({}) });
    const lines: string[] = [];
    const log = {
      debug: (t: string) => lines.push(t),
      info: (t: string) => lines.push(t),
      warn: (t: string) => lines.push(t),
    };
    const reader = open({ endpoints: [server.endpoint], auth, log });
    const error = await failureOf(reader.range({ key }));
    expect(error).toMatchObject({ code: 'authentication', method: 'authenticate' });
    expect(inspect(error, { depth: 9 }) + lines.join()).not.toContain(auth.password);
    await failureOf(reader.range({ key }));
    expect(server.methods()).toEqual(['authenticate', 'authenticate']);
  });

  it('goes on without a token where authentication is switched off', async () => {
    const off = new Refusal(
      status.FAILED_PRECONDITION,
      'etcdserver: authentication is not enabled',
    );
    const server = await fake({ authenticate: refuse(off), range: () => oneKey });
    await open({ endpoints: [server.endpoint], auth }).range({ key });
    expect(server.seen[1]).toMatchObject({ method: 'range', token: undefined });
  });

  it("does not end a shared authentication with one call's abort", async () => {
    let answer: (() => void) | undefined;
    const server = await fake({
      authenticate: () =>
        new Promise((resolve) => {
          answer = () => {
            resolve({ token: 't' });
          };
        }),
      range: () => oneKey,
    });
    const reader = open({ endpoints: [server.endpoint], auth });
    const stop = new AbortController();
    const aborted = failureOf(reader.range({ key }, { signal: stop.signal }));
    const other = reader.range({ key });
    await waitFor(() => answer);
    stop.abort();
    expect((await aborted).code).toBe('cancelled');
    answer!();
    expect((await other).count).toBe(9n);
  });
});

describe('several endpoints', () => {
  it('moves on from one that is unavailable, remembers the good one, and tries each once', async () => {
    const dead = await deadEndpoint();
    const busy = await fake({ range: refuse(etcdRefusals.noLeader) });
    const old = await fake({ range: refuse(etcdRefusals.notCapable) });
    const good = await fake({ range: () => oneKey });
    const endpoints = [dead, busy.endpoint, old.endpoint, good.endpoint];
    const reader = open({ endpoints });
    expect(reader.currentEndpoint).toBe(dead);
    expect((await reader.range({ key })).endpoint).toBe(good.endpoint);
    expect(reader.currentEndpoint).toBe(good.endpoint);
    await reader.range({ key });
    expect([busy, old, good].map(({ seen }) => seen.length)).toEqual([1, 1, 2]);
  });

  it('fails after one pass with every failure as its cause', async () => {
    const servers = await Promise.all(
      [1, 2].map(() => fake({ range: refuse(etcdRefusals.noLeader) })),
    );
    const reader = open({ endpoints: servers.map(({ endpoint }) => endpoint) });
    const error = await failureOf(reader.range({ key }));
    expect(error).toMatchObject({ code: 'unavailable', message: 'etcdserver: no leader' });
    expect((error.cause as AggregateError).errors).toHaveLength(2);
    expect(servers.map(({ seen }) => seen.length)).toEqual([1, 1]);
  });

  it.each([
    ['denied', 'permissionDenied'],
    ['compacted', 'compacted'],
  ] as const)('stays with an endpoint that refuses: %s', async (refusal, code) => {
    const first = await fake({ range: refuse(etcdRefusals[refusal]) });
    const second = await fake({ range: () => oneKey });
    const reader = open({ endpoints: [first.endpoint, second.endpoint] });
    expect((await failureOf(reader.range({ key }))).code).toBe(code satisfies EtcdErrorCode);
    expect(second.seen).toEqual([]);
  });

  it('moves a stream only before its first message', async () => {
    const broken = await fake({
      rangeStream: (call, { limit }) => {
        if (limit > 0n) call.write(encodeChunk(oneKey));
        call.emit('error', etcdRefusals.noLeader);
      },
    });
    const good = await fake({
      rangeStream: (call) => {
        sendLast(call, oneKey);
      },
    });
    const endpoints = [broken.endpoint, good.endpoint];
    expect(await collect(open({ endpoints }))).toBe(1);
    const error = await failureOf(collect(open({ endpoints }), { key, limit: 5n }));
    expect(error).toMatchObject({ code: 'unavailable', endpoint: broken.endpoint });
    expect(good.seen).toHaveLength(1);
  });

  it("asks each member's status of that very member, and no stranger's", async () => {
    const [a, b] = await Promise.all(
      ['3.5.1', '3.6.2'].map((version) => fake({ status: () => ({ version, header }) })),
    );
    const reader = open({ endpoints: [a!.endpoint, b!.endpoint] });
    expect((await reader.status(b!.endpoint)).version).toBe('3.6.2');
    expect(await reader.status(a!.endpoint)).toMatchObject({ version: '3.5.1', revision: 77n });
    expect((await failureOf(reader.status('evil:2379'))).code).toBe('other');
  });
});

describe('the end of a call from outside', () => {
  const never = () => new Promise<never>(() => undefined);

  it('cancels the gRPC call at once', async () => {
    const server = await fake({ range: never });
    const stop = new AbortController();
    const failed = failureOf(
      open({ endpoints: [server.endpoint] }).range({ key }, { signal: stop.signal }),
    );
    await waitFor(() => server.seen.length);
    stop.abort();
    expect((await failed).code).toBe('cancelled');
    await waitFor(() => server.seen[0]!.cancelled, { what: 'the cancellation on the server' });
  });

  it('starts nothing for a signal that is aborted already', async () => {
    const server = await fake({ range: () => ({}), rangeStream: (call) => call.end() });
    const reader = open({ endpoints: [server.endpoint], auth });
    const options = { signal: AbortSignal.abort() };
    expect((await failureOf(reader.range({ key }, options))).code).toBe('cancelled');
    expect((await failureOf(collect(reader, { key }, options))).code).toBe('cancelled');
    expect((await failureOf(first(reader.watch({ key, startRevision: 1n }, options)))).code).toBe(
      'cancelled',
    );
    expect(server.seen).toEqual([]);
  });

  it('keeps to one deadline for the whole call', async () => {
    const server = await fake({ range: never });
    const reader = open({ endpoints: [server.endpoint], deadlineMs: 600_000 });
    const error = await failureOf(reader.range({ key }, { deadlineMs: 150 }));
    expect(error.code).toBe('deadline');
  });

  it('asks anew at each call how long it may take', async () => {
    const server = await fake({ range: never });
    let deadlineMs = 600_000;
    const reader = open({ endpoints: [server.endpoint], deadlineMs: () => deadlineMs });
    const patient = reader.range({ key });
    patient.catch(() => undefined);
    deadlineMs = 150;
    const error = await failureOf(reader.range({ key }));
    expect(error.code).toBe('deadline');
    reader.close();
    expect((await failureOf(patient)).code).not.toBe('deadline');
  });

  it('takes longer than a connection may take, once there is one', async () => {
    const answers: (() => void)[] = [];
    const server = await fake({
      range: () =>
        new Promise((resolve) => {
          answers.push(() => {
            resolve(oneKey);
          });
        }),
      rangeStream: (call) => {
        answers.push(() => {
          sendLast(call, oneKey);
        });
      },
    });
    const timers = handTimers();
    const reader = open({ endpoints: [server.endpoint], connectTimeoutMs: 2_000 });
    const running = Promise.all([reader.range({ key }), collect(reader)]);
    await waitFor(() => answers.length === 2);
    timers.advance(6_000);
    for (const answer of answers) answer();
    expect(await running).toMatchObject([{}, 1]);
  });

  it.each([Number.NaN, -1, 0])(
    'takes a deadline of %s for one that is over',
    async (deadlineMs) => {
      const server = await fake({ range: () => ({}) });
      const reader = open({ endpoints: [server.endpoint], auth });
      expect((await failureOf(reader.range({ key }, { deadlineMs }))).code).toBe('deadline');
      expect(server.seen).toEqual([]);
    },
  );

  it('takes an endless deadline for a very long one', async () => {
    const server = await fake({
      authenticate: () => ({ token: 't' }),
      range: () => oneKey,
      rangeStream: (call) => {
        sendLast(call, oneKey);
      },
    });
    const reader = open({ endpoints: [server.endpoint], auth });
    const options = { deadlineMs: Infinity };
    expect((await reader.range({ key }, options)).count).toBe(9n);
    expect(await collect(reader, { key }, options)).toBe(1);
  });

  it('waits for a late answer when the deadline is endless', async () => {
    let answer: () => void = () => undefined;
    const server = await fake({
      range: () =>
        new Promise((resolve) => {
          answer = () => {
            resolve(oneKey);
          };
        }),
      status: () => ({}),
    });
    const reader = open({ endpoints: [server.endpoint] });
    await reader.status(server.endpoint);
    const running = reader.range({ key }, { deadlineMs: Infinity });
    await waitFor(() => server.methods().includes('range'));
    // A timer that overflows fires at once, on either side, hence before these are done.
    for (let i = 0; i < 50; i++) await reader.status(server.endpoint);
    answer();
    expect((await running).count).toBe(9n);
  });

  it('leaves no listener behind on a signal', async () => {
    const server = await fake({
      range: () => ({}),
      rangeStream: (call) => {
        sendLast(call, oneKey);
      },
    });
    const reader = open({ endpoints: [server.endpoint] });
    const { signal } = new AbortController();
    setMaxListeners(50, signal);
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 20 }, () => reader.range({ key }, { signal })));
    }
    for (let i = 0; i < 50; i++) await collect(reader, { key }, { signal });
    await waitFor(() => getEventListeners(signal, 'abort').length === 0);
  });

  it('ends running calls when the connection is closed, and starts no more', async () => {
    const server = await fake({
      range: never,
      rangeStream: () => undefined,
      watch: () => undefined,
    });
    const reader = open({ endpoints: [server.endpoint] });
    const running = [
      failureOf(reader.range({ key })),
      failureOf(collect(reader)),
      failureOf(first(reader.watch({ key, startRevision: 1n }))),
    ];
    await waitFor(() => server.seen.length === 3);
    reader.close();
    for (const error of await Promise.all(running)) {
      expect(error).toMatchObject({ code: 'cancelled', message: 'the connection is closed' });
    }
    expect((await failureOf(reader.range({ key }))).code).toBe('cancelled');
    await waitFor(() => server.seen.every(({ cancelled }) => cancelled));
  });
});

describe('range stream', () => {
  it('yields the messages in order; header, count and more only where they are', async () => {
    const server = await fake({
      rangeStream: (call) => {
        call.write(encodeChunk({ kvs: [kv('a')] }));
        sendLast(call, { kvs: [kv('b')], header, count: 2n, more: false });
      },
    });
    const chunks: RangeStreamChunk[] = [];
    for await (const chunk of open({ endpoints: [server.endpoint] }).rangeStream({ key })) {
      chunks.push(chunk);
    }
    expect(chunks.map(({ revision }) => revision)).toEqual([undefined, 77n]);
    expect(chunks.map(({ count }) => count)).toEqual([0n, 2n]);
    expect(chunks[1]!.endpoint).toBe(server.endpoint);
  });

  it('cancels the call when the loop is left early', async () => {
    const server = await fake({ rangeStream: (call) => call.write(encodeChunk(oneKey)) });
    for await (const chunk of open({ endpoints: [server.endpoint] }).rangeStream({ key })) {
      expect(chunk.kvs).toHaveLength(1);
      break;
    }
    await waitFor(() => server.seen[0]!.cancelled, { what: 'the cancellation on the server' });
  });

  it('holds the server back while the consumer does nothing', async () => {
    const message = encodeChunk({ kvs: [kv('a', 'x'.repeat(1024 * 1024))] });
    const total = 100;
    let sent = 0;
    const server = await fake({
      rangeStream: (call: StreamCall) => {
        const pump = (): void => {
          while (sent < total) {
            sent++;
            if (!call.write(message)) {
              call.once('drain', pump);
              return;
            }
          }
          call.end();
        };
        pump();
      },
    });
    const stream = open({ endpoints: [server.endpoint] }).rangeStream({ key });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    await settled(() => sent);
    // The window is 8 MiB; the rest lies in buffers of the server and of this process.
    expect(sent).toBeLessThan(25);
    let received = 1;
    while ((await iterator.next()).done !== true) received++;
    expect(received).toBe(total);
  });

  it('lets other calls through while a stream is stalled', async () => {
    const message = encodeChunk({ kvs: [kv('a', 'x'.repeat(1024 * 1024))] });
    const server = await fake({
      range: () => oneKey,
      rangeStream: (call) => {
        for (let i = 0; i < 40; i++) call.write(message);
        call.end();
      },
    });
    const reader = open({ endpoints: [server.endpoint] });
    const iterator = reader.rangeStream({ key })[Symbol.asyncIterator]();
    await iterator.next();
    expect((await reader.range({ key }, { deadlineMs: 3_000 })).count).toBe(9n);
    await iterator.return?.();
  });

  it('limits the silence between messages, not the whole', async () => {
    const limitMs = 4_000;
    const calls: StreamCall[] = [];
    const server = await fake({ rangeStream: (call) => calls.push(call) });
    const timers = handTimers();
    const reader = open({ endpoints: [server.endpoint] });
    const iterator = reader.rangeStream({ key }, { deadlineMs: limitMs })[Symbol.asyncIterator]();
    const first = iterator.next();
    await waitFor(() => calls.length === 1);
    calls[0]!.write(encodeChunk(oneKey));
    expect((await first).done).toBe(false);
    for (let i = 0; i < 7; i++) {
      const message = iterator.next();
      await waitFor(() => timers.isSet(limitMs));
      timers.advance(limitMs - 1_000);
      calls[0]!.write(encodeChunk(oneKey));
      expect((await message).done).toBe(false);
    }
    const silence = failureOf(iterator.next());
    await waitFor(() => timers.isSet(limitMs));
    timers.advance(limitMs - 1);
    expect(server.seen[0]!.cancelled).toBe(false);
    timers.advance(1);
    expect((await silence).code).toBe('deadline');
    await waitFor(() => server.seen[0]!.cancelled);
  });

  it('aborts while the consumer waits and while it does not', async () => {
    const server = await fake({ rangeStream: (call) => call.write(encodeChunk(oneKey)) });
    const reader = open({ endpoints: [server.endpoint] });
    const stop = new AbortController();
    const iterator = reader.rangeStream({ key }, { signal: stop.signal })[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = failureOf(iterator.next());
    stop.abort();
    expect((await waiting).code).toBe('cancelled');
    await waitFor(() => server.seen[0]!.cancelled);
  });

  it('says unimplemented at the first message', async () => {
    const server = await fake({ range: () => ({}) });
    const error = await failureOf(collect(open({ endpoints: [server.endpoint] })));
    expect(error).toMatchObject({ code: 'unimplemented', method: 'rangeStream' });
  });
});

async function collect(
  reader: EtcdReader,
  request: Parameters<EtcdReader['rangeStream']>[0] = { key },
  options?: Parameters<EtcdReader['rangeStream']>[1],
): Promise<number> {
  let chunks = 0;
  for await (const chunk of reader.rangeStream(request, options))
    chunks += chunk.kvs.length > 0 ? 1 : 0;
  return chunks;
}

/** Timers that pass time only when told, for the rest of a test; `waitFor` keeps the real ones. */
function handTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const set = vi.spyOn(globalThis, 'setTimeout');
  return {
    /** Whether a timer of this length was set since time passed last. */
    isSet: (ms: number): boolean => set.mock.calls.some(([, length]) => length === ms),
    advance: (ms: number): void => {
      set.mockClear();
      vi.advanceTimersByTime(ms);
    },
  };
}

async function first<T>(stream: AsyncIterable<T>): Promise<T | undefined> {
  for await (const one of stream) return one;
  return undefined;
}

/** Waits until a number has not changed for a while: there is no event for nothing happening. */
async function settled(read: () => number): Promise<void> {
  let last = -1;
  let same = 0;
  await waitFor(
    () => {
      same = read() === last ? same + 1 : 0;
      last = read();
      return same >= 15;
    },
    { what: 'standstill' },
  );
}
