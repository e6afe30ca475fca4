/**
 * The contract of a LIST, exported as cases that run over every etcd, with the stream on and off. A
 * recorder stands between engine and etcd, so requests are counted as they go over the wire.
 */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { nextKey, prefixEnd, utf8, utf8Lossy } from '../../server/common/bytes';
import { connect } from '../../server/etcd/connect';
import type { EtcdReader } from '../../server/etcd/interfaces';
import { rangeRequest } from '../../server/etcd/rpc/kvCodecs';
import { encodeContinue } from '../../server/store/continueToken';
import type { ListResult } from '../../server/store/interfaces';
import { failureOf, listContract } from './listContract';
import { startFaultProxy } from '../support/faultProxy';
import { overriding } from '../support/readerOverride';
import { startRecordingProxy, type RecordingProxy } from '../support/recordingProxy';
import { canStream, type StoreSubject } from '../support/storeSubjects';
import { encodeTestObject, testDecoder, type TestObject } from '../support/testObjects';
import { listOptions, testStore, type ListInput, type TestStore } from '../support/testStore';
import { waitFor } from '../support/waitFor';

export interface SuiteRig {
  readonly subject: StoreSubject;
  readonly proxy: RecordingProxy;
  readonly reader: EtcdReader;
}

const big = 'big';
const bigCount = 100_000;
const nameOf = (i: number): string => `pod-${String(i).padStart(6, '0')}`;
const keyOf = (namespace: string, i: number): string => `/registry/pods/${namespace}/${nameOf(i)}`;

/** 100,000 objects: the first of each hundred `rate=1`, of each thousand `rare=yes`, 50 at the end `late=yes`. */
function bigObject(i: number): Uint8Array {
  const labels = new Map<string, string>();
  if (i % 100 === 0) labels.set('rate', '1');
  if (i % 1000 === 0) labels.set('rare', 'yes');
  if (i >= bigCount - 50) labels.set('late', 'yes');
  return encodeTestObject({ name: nameOf(i), namespace: big, labels });
}

/** Loads what the cases read. Cases that write use namespaces of their own. */
export async function loadSuite({ writer }: StoreSubject): Promise<void> {
  const entries = Array.from(
    { length: bigCount },
    (_, i) => [keyOf(big, i), bigObject(i)] as const,
  );
  await writer.bulkLoad(entries);
}

async function loadSmall({ writer }: StoreSubject, namespace: string, count: number) {
  for (let i = 0; i < count; i++) {
    const labels = new Map(i % 2 === 0 ? [['even', 'yes']] : []);
    await writer.put(keyOf(namespace, i), encodeTestObject({ name: nameOf(i), namespace, labels }));
  }
}

const keysOf = (result: ListResult<TestObject>): string[] =>
  result.items.map((item) => utf8Lossy(item.key));

/** Whether an unfiltered list of this rig goes over the stream. */
const streams = ({ subject }: SuiteRig, stream: boolean): boolean =>
  stream && subject.hasRangeStream;

interface Case {
  readonly rig: () => SuiteRig;
  readonly stream: boolean;
  readonly store: () => TestStore;
}

type Lister = (
  input: ListInput,
  hooks?: Parameters<TestStore['getList']>[1],
) => Promise<ListResult<TestObject>>;

function lister({ rig, store }: Case): Lister {
  return (input, hooks) => {
    rig().proxy.clear();
    return store().getList(listOptions(input), hooks);
  };
}

/** `[start, limit]` of each Range or RangeStream that went over the wire. */
function wire(rig: SuiteRig): [string, number][] {
  return rig.proxy.calls.map((call) => {
    const request = rangeRequest.decode(call.requests[0] ?? new Uint8Array(0));
    return [utf8Lossy(request.key), Number(request.limit)];
  });
}

export function listSuite(name: string, stream: boolean, getRig: () => SuiteRig): void {
  describe(`${name}, stream ${stream ? 'on' : 'off'}`, () => {
    let store: TestStore;
    const one: Case = { rig: getRig, stream, store: () => store };
    const list = lister(one);
    beforeAll(async () => {
      store = testStore({ etcd: getRig().reader, stream });
      if (!stream || getRig().subject.hasRangeStream) return;
      // The first list on an old server learns that it has no stream.
      await list({ key: '/pods/none' });
      expect(getRig().proxy.methods()).toEqual(['RangeStream', 'Range']);
    });

    listContract('store', stream ? 's' : 'p', () => ({
      writer: getRig().subject.writer,
      store,
      anew: () => Promise.resolve(store),
    }));
    pagingCases(one, list);
    unfilteredCases(one, list);
    versionCases(one, list);
    compactionCases(one);
    keyCases(one, list);
    cancelCases(one);
    if (stream && canStream(name)) leavingCase(one);
    receiptCases(one, list);
  });
}

function pagingCases(one: Case, list: Lister): void {
  const { rig } = one;

  it('doubles pages: 1 % at limit 100 takes 7 pages and 12,700 keys', async () => {
    const result = await list({ key: '/pods/big', limit: 100n, labelSelector: 'rate=1' });
    expect(wire(rig()).map(([, limit]) => limit)).toEqual([100, 200, 400, 800, 1600, 3200, 6400]);
    const { fetched, examined, returned, naiveRequests } = result.receipt.total;
    expect({ fetched, examined, returned, naiveRequests }).toEqual({
      fetched: 12_700,
      examined: 9_901,
      returned: 100,
      naiveRequests: 100,
    });
    expect(result.remainingItemCount).toBeNull();
  });

  it('stops growing at 10,000: 0.1 % at limit 100 takes 16 pages', async () => {
    const result = await list({ key: '/pods/big', limit: 100n, labelSelector: 'rare=yes' });
    const limits = wire(rig()).map(([, limit]) => limit);
    expect(limits).toEqual([
      100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000,
      10000,
    ]);
    expect(result.items).toHaveLength(100);
    expect(result.receipt.total.naiveRequests).toBe(1000 - 9);
  });

  it('keeps a limit above 10,000 as it is', async () => {
    await list({ key: '/pods/big', limit: 15_000n, labelSelector: 'late=yes' });
    expect(wire(rig()).map(([, limit]) => limit)).toEqual(Array(7).fill(15_000));
  });

  it('never prefetches when the list is satisfied', async () => {
    await list({ key: '/pods/big', limit: 1n, labelSelector: 'rate=1' });
    expect(wire(rig())).toEqual([['/registry/pods/big/', 1]]);
  });

  it('starts each page right after the last key of the one before', async () => {
    await list({ key: '/pods/big', limit: 2n, labelSelector: 'rate=1' });
    const starts = wire(rig()).map(([start]) => start);
    expect(starts.slice(0, 3)).toEqual([
      '/registry/pods/big/',
      `${keyOf(big, 1)}\0`,
      `${keyOf(big, 5)}\0`,
    ]);
  });

  it('pins every page after the first to its revision while writes go on', async () => {
    const { subject, proxy, reader } = rig();
    let written = 0n;
    const writing = pausedBefore(2, async () => {
      written = await subject.writer.put('/other', utf8('x'));
    });
    proxy.clear();
    const result = await testStore({ etcd: writing(reader), stream: one.stream }).getList(
      listOptions({ key: '/pods/big', limit: 2n, labelSelector: 'rate=1' }),
    );
    const revisions = proxy.calls.map(
      (call) => rangeRequest.decode(call.requests[0] ?? new Uint8Array(0)).revision,
    );
    expect(revisions.length).toBeGreaterThan(2);
    expect(revisions[0]).toBe(0n);
    expect(new Set(revisions.slice(1))).toEqual(new Set([result.resourceVersion]));
    expect(written).toBeGreaterThan(result.resourceVersion);
  });
}

function unfilteredCases(one: Case, list: Lister): void {
  const { rig, stream } = one;
  const method = (): string => (streams(rig(), stream) ? 'RangeStream' : 'Range');

  it('reads an unfiltered page with one request and counts the rest', async () => {
    const result = await list({ key: '/pods/big', limit: 500n });
    expect(rig().proxy.methods()).toEqual([method()]);
    expect(result.items).toHaveLength(500);
    expect(result.remainingItemCount).toBe(BigInt(bigCount - 500));
    expect(result.receipt.total.streamed).toBe(streams(rig(), stream));
  });

  it('reads everything with one request when there is no limit', async () => {
    const result = await list({ key: '/pods/big' });
    expect(rig().proxy.methods()).toEqual([method()]);
    expect(result.items).toHaveLength(bigCount);
    expect(result.continueToken).toBe('');
    expect(result.remainingItemCount).toBeNull();
  });

  it('filters without a limit in the same single request', async () => {
    const result = await list({ key: '/pods/big', labelSelector: 'late=yes' });
    expect(rig().proxy.methods()).toEqual([method()]);
    expect(keysOf(result)).toEqual(
      Array.from({ length: 50 }, (_, i) => keyOf(big, bigCount - 50 + i)),
    );
    expect(result.receipt.total.evaluated).toBe(bigCount);
  });

  it('pages a filtered list with a limit, whatever the server could stream', async () => {
    await list({ key: '/pods/big', limit: 10n, labelSelector: 'rate=1' });
    expect(new Set(rig().proxy.methods())).toEqual(new Set(['Range']));
  });

  it('hands rows out chunk by chunk and keeps none', async () => {
    const sizes: number[] = [];
    const result = await list(
      { key: '/pods/big', labelSelector: 'rate=1' },
      {
        onItems: (items) => {
          sizes.push(items.length);
        },
      },
    );
    expect(sizes.reduce((a, b) => a + b)).toBe(1000);
    expect(result.items).toEqual([]);
    expect(sizes.length > 1).toBe(streams(rig(), stream));
  });

  it('reads one key for a list that is not recursive, streaming or not', async () => {
    const result = await list({ key: `/pods/big/${nameOf(7)}`, recursive: false, limit: 3n });
    expect(rig().proxy.methods()).toEqual(['Range']);
    expect(keysOf(result)).toEqual([keyOf(big, 7)]);
    const [only] = rig().proxy.calls;
    const request = rangeRequest.decode(only?.requests[0] ?? new Uint8Array(0));
    expect(request.rangeEnd).toHaveLength(0);
    expect(request.limit).toBe(1n);
  });
}

function versionCases(one: Case, list: Lister): void {
  const { rig, stream } = one;

  it('refuses a revision of the future with the current one, asked by one more read', async () => {
    const current = await rig().subject.writer.revision();
    const failed = await failureOf(
      list({
        key: '/pods/big',
        resourceVersion: '4611686018427387904',
        resourceVersionMatch: 'Exact',
      }),
    );
    expect(failed.message).toBe(
      `Timeout: Too large resource version: 4611686018427387904, current: ${String(current)}`,
    );
    expect(failed.cause.code).toBe('tooLargeResourceVersion');
    expect(failed.receipt.requests.map((request) => request.operation)).toEqual([
      streams(rig(), stream) ? 'listStream' : 'list',
      'getCurrentResourceVersion',
    ]);
    expect(wire(rig()).at(-1)).toEqual(['/registry/pods/', 1]);
  });

  it('refuses an answer older than asked for without another read', async () => {
    const failed = await failureOf(
      list({
        key: '/pods/none',
        resourceVersion: '4611686018427387904',
        resourceVersionMatch: 'NotOlderThan',
      }),
    );
    expect(failed.message).toMatch(/^Timeout: Too large resource version: 4611686018427387904, /);
    expect(failed.receipt.requests).toHaveLength(1);
  });

  it('makes no request and records no metric when options are refused', async () => {
    const before = await one.store().metrics.registry.metrics();
    const failed = await failureOf(list({ continueToken: 'garbled!' }));
    expect(failed.cause.code).toBe('badRequest');
    expect(failed.receipt.total.requests).toBe(0);
    expect(rig().proxy.calls).toHaveLength(0);
    expect(await one.store().metrics.registry.metrics()).toBe(before);
  });
}

function compactionCases({ rig, stream }: Case): void {
  const namespace = `compact-${stream ? 's' : 'p'}`;

  it('starts the recovery token at the internal page that failed', async () => {
    const { writer } = rig().subject;
    await loadSmall(rig().subject, namespace, 8);
    const revision = await writer.revision();
    const prefix = utf8(`/registry/pods/${namespace}/`);
    const start = encodeContinue(nextKey(utf8(keyOf(namespace, 0))), prefix, revision);
    const paused = pausedBefore(2, async () => {
      await writer.put('/other', utf8('w'));
      await writer.compact(await writer.revision());
    });
    const failed = await failureOf(
      testStore({ etcd: paused(rig().reader), stream }).getList(
        listOptions({
          key: `/pods/${namespace}`,
          limit: 2n,
          labelSelector: 'even=yes',
          continueToken: start,
        }),
      ),
    );
    expect(failed.cause.continueToken).toBe(
      encodeContinue(nextKey(utf8(keyOf(namespace, 2))), prefix, -1n),
    );
  });
}

/** A reader that does something before its n-th Range. */
function pausedBefore(n: number, work: () => Promise<void>) {
  return (reader: EtcdReader): EtcdReader => {
    let calls = 0;
    return overriding(reader, {
      range: async (request, options) => {
        if (++calls === n) await work();
        return reader.range(request, options);
      },
    });
  };
}

function keyCases({ rig }: Case, list: Lister): void {
  it('reads nothing beyond its own prefix, whatever the token says', async () => {
    const prefix = utf8('/registry/pods/big/');
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"zzz"}').toString('base64url');
    const result = await list({ key: '/pods/big', continueToken: token, limit: 5n });
    expect(result.items).toEqual([]);
    const request = rangeRequest.decode(rig().proxy.calls[0]?.requests[0] ?? new Uint8Array(0));
    expect(Buffer.from(request.rangeEnd)).toEqual(Buffer.from(prefixEnd(prefix)));
  });
}

/** Only where the list is a stream: a page is over before its rows are handed out. */
function leavingCase({ rig, stream }: Case): void {
  it('ends the etcd call when the consumer fails in the middle of a stream', async () => {
    const { proxy, reader } = rig();
    proxy.clear();
    const running = testStore({ etcd: reader, stream }).getList(listOptions({ key: '/pods/big' }), {
      onItems: () => {
        throw new Error('consumer gave up');
      },
    });
    await expect(running).rejects.toThrow('consumer gave up');
    await waitFor(() => proxy.calls[0]?.clientReset === cancelCode);
  });
}

function cancelCases({ rig, stream }: Case): void {
  it('stops in the middle of the rows when it is aborted', async () => {
    const { proxy, reader } = rig();
    proxy.clear();
    const abort = new AbortController();
    let decoded = 0;
    const decoder = testDecoder({
      onDecode: () => {
        if (++decoded === 5000) abort.abort();
      },
    });
    const store = testStore({ etcd: reader, stream, decoder });
    const failed = await failureOf(
      store.getList(listOptions({ key: '/pods/big' }), { signal: abort.signal }),
    );
    expect(decoded).toBe(5000);
    expect(failed.cause.code).toBe('cancelled');
    expect(failed.message).toContain('Code: 6');
    expect(failed.message).toContain('request did not complete within requested timeout');
    expect(failed.receipt.total.error?.code).toBe('cancelled');
    // One unlimited Range is over before its rows are read.
    if (streams(rig(), stream)) await waitFor(() => proxy.calls[0]?.clientReset === cancelCode);
  });

  it('ends the Range that is in flight when it is aborted between two pages', async () => {
    const slow = await startFaultProxy(rig().subject.endpoint);
    const proxy = await startRecordingProxy(slow.endpoint);
    const reader = connect({ endpoints: [proxy.endpoint] });
    onTestFinished(async () => {
      reader.close();
      await proxy.close();
      await slow.close();
    });
    const stalling = pausedBefore(3, () => {
      slow.stall('toClient');
      return Promise.resolve();
    });
    const abort = new AbortController();
    const failing = failureOf(
      testStore({ etcd: stalling(reader), stream }).getList(
        listOptions({ key: '/pods/big', limit: 100n, labelSelector: 'late=yes' }),
        { signal: abort.signal },
      ),
    );
    await waitFor(() => proxy.calls[2]?.requests.length === 1, { timeoutMs: 60_000 });
    expect(proxy.calls[2]?.endedAt).toBeUndefined();
    abort.abort();
    const failed = await failing;
    expect(failed.cause.code).toBe('cancelled');
    expect(failed.receipt.requests.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      'cancelled',
    ]);
    await waitFor(() => proxy.calls[2]?.clientReset === cancelCode);
    expect(proxy.methods()).toEqual(['Range', 'Range', 'Range']);
  });
}

/** HTTP/2's code of a reset that cancels. */
const cancelCode = 8;

function receiptCases(one: Case, list: Lister): void {
  const { rig } = one;

  it('counts in the receipt what went over the wire', async () => {
    const result = await list({ key: '/pods/big', limit: 1000n, labelSelector: 'rare=yes' });
    const { requests, total } = result.receipt;
    const { calls } = rig().proxy;
    expect(requests.map((request) => request.bytes)).toEqual(
      calls.map((call) => call.replyLengths.reduce((a, b) => a + b, 0)),
    );
    expect(total.requests).toBe(calls.length);
    expect(total.fetched).toBe(requests.reduce((sum, request) => sum + request.keys, 0));
    expect(total.returned).toBe(requests.reduce((sum, request) => sum + request.matched, 0));
    expect(total.largestReplyBytes).toBe(Math.max(...requests.map((request) => request.bytes)));
  });

  it('records metrics under upstream’s names, on failure too', async () => {
    const metrics = testStore({ etcd: rig().reader, stream: one.stream });
    await metrics.getList(listOptions({ key: '/pods/big', limit: 100n, labelSelector: 'rate=1' }));
    await failureOf(
      metrics.getList(
        listOptions({ key: '/pods/big', resourceVersion: '1', resourceVersionMatch: 'Exact' }),
      ),
    );
    const text = await metrics.metrics.registry.metrics();
    const labels = 'group="",resource="pods"';
    expect(text).toContain(`apiserver_storage_list_total{${labels},storage="etcd",index=""} 2`);
    expect(text).toContain(
      `apiserver_storage_list_fetched_objects_total{${labels},storage="etcd",index=""} 12700`,
    );
    expect(text).toContain(
      `apiserver_storage_list_evaluated_objects_total{${labels},storage="etcd"} 9901`,
    );
    expect(text).toContain(
      `apiserver_storage_list_returned_objects_total{${labels},storage="etcd"} 100`,
    );
    const failing = streams(rig(), one.stream) ? 'listStream' : 'list';
    expect(text).toContain(`etcd_request_errors_total{operation="${failing}",${labels}} 1`);
  });
}
