import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import type { Log } from '../../../server/common/log';
import type { RangeReply, RangeRequest } from '../../../server/etcd/interfaces';
import { DecodeError } from '../../../server/kube/decode/errors';
import { ListFailedError, type RequestRecord } from '../../../server/store/interfaces';
import { overriding } from '../../support/readerOverride';
import { scriptedError, scriptedEtcd, scriptedValue } from '../../support/scriptedEtcd';
import { testDecoder } from '../../support/testObjects';
import { listOptions, testStore } from '../../support/testStore';

const even = new Map([['even', 'yes']]);
const key = (i: number): string => `/registry/pods/ns/pod-${i}`;
const value = (i: number) => scriptedValue(key(i), i % 2 === 0 ? even : new Map());

function reply(kvs: readonly number[], count: number, revision = 9n): RangeReply {
  return {
    kvs: kvs.map(value),
    count: BigInt(count),
    more: kvs.length < count,
    revision,
    bytes: 100 * kvs.length,
    endpoint: 'script:1',
  };
}

/** Answers Ranges from a list of replies and keeps the requests. */
function paged(replies: readonly RangeReply[]) {
  const requests: RangeRequest[] = [];
  const range = (request: RangeRequest): Promise<RangeReply> => {
    const next = replies[requests.push(request) - 1];
    return next === undefined
      ? Promise.reject(scriptedError('unavailable'))
      : Promise.resolve(next);
  };
  return { ...scriptedEtcd({ range, streams: [[scriptedError('unimplemented')]] }), requests };
}

async function failureOf(list: Promise<unknown>): Promise<ListFailedError> {
  const outcome = await list.catch((error: unknown) => error);
  if (outcome instanceof ListFailedError) return outcome;
  throw new Error(`expected a failed list, got ${String(outcome)}`);
}

function recordingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const add = (line: string): void => {
    lines.push(line);
  };
  return { lines, debug: add, info: add, warn: add };
}

describe('pages', () => {
  it('fail when an empty page claims more', async () => {
    const { reader } = paged([reply([], 3)]);
    const failed = await failureOf(testStore({ etcd: reader }).getList(listOptions()));
    expect(failed.message).toBe(
      'no results were found, but etcd indicated there were more values remaining',
    );
    expect(failed.cause.code).toBe('inconsistentReply');
  });

  it('fail when an endpoint gives the same page again, which would never end', async () => {
    const { reader } = paged([reply([1], 9), reply([1, 3], 9), reply([1, 3], 9)]);
    const options = listOptions({ limit: 9n, labelSelector: 'even=yes' });
    const failed = await failureOf(testStore({ etcd: reader }).getList(options));
    expect(failed.message).toBe('etcd returned keys from before the start of the page');
    expect(failed.cause.code).toBe('inconsistentReply');
    expect(failed.receipt.total.requests).toBe(3);
  });

  it('never report the store’s revision for a pinned read', async () => {
    const { reader } = paged([reply([0], 1, 50n)]);
    const options = { resourceVersion: '7', resourceVersionMatch: 'Exact' };
    const result = await testStore({ etcd: reader }).getList(listOptions(options));
    expect(result.resourceVersion).toBe(7n);
  });

  it('resume after the last key examined when the limit fills inside a page', async () => {
    const { reader, requests } = paged([reply([0, 1], 9), reply([2, 3, 4, 5], 7)]);
    const result = await testStore({ etcd: reader }).getList(
      listOptions({ limit: 2n, labelSelector: 'even=yes' }),
    );
    expect(requests.map((request) => request.limit)).toEqual([2n, 4n]);
    expect(result.items.map((item) => item.object.name)).toEqual(['pod-0', 'pod-2']);
    const json = Buffer.from(result.continueToken, 'base64url').toString();
    expect(json).toBe('{"v":"meta.k8s.io/v1","rv":9,"start":"ns/pod-2\\u0000"}');
    expect(result.receipt.total).toMatchObject({ fetched: 6, examined: 3, evaluated: 3 });
  });

  it('tell a consumer about each request as it starts and ends', async () => {
    const { reader } = paged([reply([0, 1], 4), reply([2, 3], 2)]);
    const told: [number, string, number][] = [];
    await testStore({ etcd: reader }).getList(
      listOptions({ limit: 2n, labelSelector: 'even=yes' }),
      {
        onRequest: (record, state) => {
          if (state !== 'progress') told.push([record.n, state, record.matched]);
        },
      },
    );
    expect(told).toEqual([
      [1, 'started', 0],
      [1, 'done', 1],
      [2, 'started', 0],
      [2, 'done', 1],
    ]);
  });

  it('keep what was selected out of the reply’s memory', async () => {
    const { reader } = paged([reply([0, 1], 2)]);
    const result = await testStore({ etcd: reader }).getList(
      listOptions({ labelSelector: 'even=yes' }),
    );
    expect(result.items[0]?.key.buffer.byteLength).toBe(key(0).length);
  });

  it('let a fault of the consumer pass as it is', async () => {
    const { reader } = paged([reply([0], 1)]);
    const consumer = testStore({ etcd: reader }).getList(listOptions(), {
      onItems: () => Promise.reject(new RangeError('mine')),
    });
    await expect(consumer).rejects.toThrow(RangeError);
  });

  it('write a receipt of totals also when etcd fails', async () => {
    const { reader } = paged([reply([0, 1], 4)]);
    const failed = await failureOf(
      testStore({ etcd: reader }).getList(listOptions({ limit: 2n, labelSelector: 'even=yes' })),
    );
    expect(failed.cause).toMatchObject({ code: 'etcd', message: 'etcdserver: leader changed' });
    const { requests, total } = failed.receipt;
    expect(requests.map((request) => request.error?.code)).toEqual([undefined, 'unavailable']);
    expect(total).toMatchObject({ requests: 2, fetched: 2, returned: 1, resourceVersion: 9n });
    expect(total.error).toEqual({ code: 'unavailable', message: 'etcdserver: leader changed' });
  });
});

describe('streams', () => {
  it('fall back unseen, log it once per mark, and keep it out of the metrics', async () => {
    const { reader, requests, streamsOpened } = paged([reply([0], 1), reply([0], 1)]);
    const log = recordingLog();
    const store = testStore({ etcd: reader, stream: true, log });
    const first = await store.getList(listOptions());
    const second = await store.getList(listOptions());
    expect(first.receipt.requests.map((r) => [r.operation, r.refused, r.keys])).toEqual([
      ['listStream', true, 0],
      ['list', undefined, 1],
    ]);
    expect(second.receipt.requests).toHaveLength(1);
    expect(streamsOpened()).toBe(1);
    expect(requests).toHaveLength(2);
    expect(log.lines).toEqual([
      'etcd server does not support RangeStream for pods; falling back to paginated list',
    ]);
    const text = await store.metrics.registry.metrics();
    expect(text).not.toContain('listStream');
    expect(text).toContain('etcd_requests_total{operation="list",group="",resource="pods"} 2');
  });

  it('ignore the mark when they are asked for, and say that they fell back', async () => {
    const { reader, streamsOpened } = paged([reply([0], 1), reply([0], 1)]);
    const store = testStore({ etcd: reader });
    const notices: string[] = [];
    for (let i = 0; i < 2; i++) {
      await store.getList(listOptions(), {
        stream: 'on',
        onFallback: (reason) => {
          notices.push(reason);
        },
      });
    }
    expect(streamsOpened()).toBe(2);
    expect(notices).toHaveLength(2);
  });

  it('fail instead of falling back when they are forced', async () => {
    const { reader, requests } = paged([reply([0], 1)]);
    const failed = await failureOf(
      testStore({ etcd: reader }).getList(listOptions(), { stream: 'force' }),
    );
    expect(failed.cause.code).toBe('streamUnsupported');
    expect(requests).toHaveLength(0);
    expect(failed.receipt.requests[0]).toMatchObject({ refused: true });
  });

  it('never carry a filtered page, even when they are forced', async () => {
    const { reader, streamsOpened } = paged([reply([0], 1)]);
    await testStore({ etcd: reader }).getList(
      listOptions({ limit: 1n, labelSelector: 'even=yes' }),
      { stream: 'force' },
    );
    expect(streamsOpened()).toBe(0);
  });

  it('are one record that grows with each message', async () => {
    const chunk = (i: number, revision?: bigint) => ({
      kvs: [value(i)],
      count: revision === undefined ? 0n : 3n,
      more: false,
      ...(revision === undefined ? {} : { revision }),
    });
    const { reader } = scriptedEtcd({ streams: [[chunk(0), chunk(1), chunk(2, 5n)]] });
    const seen: RequestRecord[] = [];
    const result = await testStore({ etcd: reader, stream: true }).getList(listOptions(), {
      onRequest: (record) => {
        seen.push(record);
      },
    });
    expect(result.receipt.requests).toHaveLength(1);
    expect(result.receipt.requests[0]).toMatchObject({ chunks: 3, keys: 3, matched: 3 });
    expect(new Set(seen.map((record) => record.chunks))).toEqual(new Set([0, 1, 2, 3]));
  });
});

describe('objects that cannot be read', () => {
  const decoder = testDecoder({
    onDecode: (item) => {
      if (String.fromCharCode(item.key.at(-1) ?? 0) === '1') throw new DecodeError('bad bytes');
    },
  });

  it('end the list with the decoder’s own text, and the key as a field', async () => {
    const { reader } = paged([reply([0, 1, 2], 3)]);
    const store = testStore({ etcd: reader, decoder });
    const failed = await failureOf(store.getList(listOptions()));
    expect(failed.message).toBe('bad bytes');
    expect(failed.cause).toMatchObject({ code: 'undecodable', key: utf8(key(1)) });
    expect(failed.items).toHaveLength(1);
    expect(failed.receipt.total).toMatchObject({ examined: 2, evaluated: 1 });
    expect(await store.metrics.registry.metrics()).toContain(
      'apiserver_storage_decode_errors_total{group="",resource="pods"} 1',
    );
  });

  it('leave what was evaluated of their chunk out of the metric, as upstream does', async () => {
    const { reader } = paged([reply([0], 3), reply([2, 1], 2)]);
    const store = testStore({ etcd: reader, decoder });
    await failureOf(store.getList(listOptions()));
    const text = await store.metrics.registry.metrics();
    const value = (name: string) =>
      Number(
        new RegExp(`^apiserver_storage_list_${name}_objects_total.* (\\d+)$`, 'm').exec(text)?.[1],
      );
    expect(['fetched', 'evaluated', 'returned'].map(value)).toEqual([3, 1, 2]);
  });

  it('are listed beside the readable rows under our own policy', async () => {
    const { reader } = paged([reply([0, 1, 2], 3)]);
    const result = await testStore({ etcd: reader, decoder }).getList(listOptions(), {
      unreadable: 'skip',
    });
    expect(result.items.map((item) => item.object.name)).toEqual(['pod-0', 'pod-2']);
    expect(result.unreadable.map((item) => item.error.message)).toEqual(['bad bytes']);
    expect(result.receipt.total).toMatchObject({ examined: 3, evaluated: 2, returned: 2 });
  });

  it('are causes of one error under the gate, in upstream’s words', async () => {
    const { reader } = paged([reply([0, 1, 2], 3)]);
    const failed = await failureOf(
      testStore({ etcd: reader, decoder, aggregate: true }).getList(listOptions()),
    );
    expect(failed.cause).toMatchObject({
      code: 'storeRead',
      status: 500,
      reason: 'StorageReadError',
    });
    expect(failed.message).toBe(
      'failed to read one or more pods from the storage: StorageError: corrupt object, Code: 7, ' +
        'Key: /registry/pods/ns/pod-1, ResourceVersion: 0, ' +
        'AdditionalErrorMsg: object not decodable revision=1: bad bytes',
    );
  });
});

describe('the guard of unlimited reads', () => {
  it('counts and measures first, and refuses what would be over the budget', async () => {
    const { reader, requests } = paged([reply([], 1000), reply([0, 1], 1000)]);
    const etcd = overriding(reader, { byteBudget: 50_000 });
    const failed = await failureOf(testStore({ etcd, guard: true }).getList(listOptions()));
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ countOnly: true });
    expect(requests[1]).toMatchObject({ limit: 100n });
    expect(failed.cause.code).toBe('overBudget');
    expect(failed.message).toContain('reading 1000 keys at once would be about 100000 bytes');
  });

  it('lets a small read pass after one count', async () => {
    const { reader, requests } = paged([reply([], 2), reply([0, 1], 2)]);
    const etcd = overriding(reader, { byteBudget: 50_000 });
    const result = await testStore({ etcd, guard: true }).getList(listOptions());
    expect(requests).toHaveLength(2);
    expect(result.receipt.requests.map((request) => request.operation)).toEqual([
      'listWithCount',
      'list',
    ]);
  });

  it('does not touch lists with a limit, streams or single keys', async () => {
    const { reader, requests } = paged([reply([0], 1), reply([0], 1)]);
    const store = testStore({ etcd: overriding(reader, { byteBudget: 1 }), guard: true });
    await store.getList(listOptions({ limit: 5n }));
    await store.getList(listOptions({ key: '/pods/ns/pod-0', recursive: false }));
    expect(requests).toHaveLength(2);
  });
});

describe('an aborted list', () => {
  it('stops before the next decode and gives way so that an abort can arrive', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => i);
    const { reader } = paged([reply(many, many.length)]);
    const abort = new AbortController();
    let decoded = 0;
    const decoder = testDecoder({
      onDecode: () => {
        decoded++;
        // Long enough that the whole page takes many turns of the event loop.
        for (const until = performance.now() + 0.02; performance.now() < until;);
      },
    });
    const running = testStore({ etcd: reader, decoder }).getList(listOptions(), {
      signal: abort.signal,
      onRequest: (_, state) => {
        if (state === 'progress')
          setImmediate(() => {
            abort.abort();
          });
      },
    });
    const failed = await failureOf(running);
    expect(failed.cause.code).toBe('cancelled');
    expect(decoded).toBeLessThan(many.length);
  });

  it('is a timeout when the signal says so', async () => {
    const { reader } = paged([reply([0], 1)]);
    const failed = await failureOf(
      testStore({ etcd: reader }).getList(listOptions(), {
        signal: AbortSignal.abort(new DOMException('late', 'TimeoutError')),
      }),
    );
    expect(failed.cause.code).toBe('timeout');
  });
});
