import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import type { DemoEtcd, DemoEtcdOptions } from '../../../server/demo/demoEtcd';
import * as kv from '../../../server/etcd/rpc/kvCodecs';
import { methods } from '../../../server/etcd/rpc/methods';
import { RawEtcd } from '../../support/rawEtcd';
import { waitFor } from '../../support/waitFor';
import { loadFiles, vectorsDir } from '../../vectors/harness';

const open: { etcd: DemoEtcd; client: RawEtcd }[] = [];

async function start(options: DemoEtcdOptions = {}): Promise<{ etcd: DemoEtcd; client: RawEtcd }> {
  const etcd = await startDemoEtcd(options);
  const pair = { etcd, client: new RawEtcd(etcd.endpoint) };
  open.push(pair);
  return pair;
}

afterEach(async () => {
  for (const { etcd, client } of open.splice(0)) {
    client.close();
    await etcd.stop();
  }
});

/** Keys `k/00000` and so on, each with a value of this many bytes. */
function fill(etcd: DemoEtcd, count: number, bytes = 1): void {
  etcd.store.bulkLoad(
    Array.from({ length: count }, (_, i) => ({
      key: utf8(`k/${String(i).padStart(6, '0')}`),
      value: new Uint8Array(bytes).fill(i),
    })),
  );
}

const all = { key: utf8('k/'), rangeEnd: utf8('k0') };

interface ChunkCase {
  readonly id: string;
  readonly input: { readonly objects: number; readonly limit: number };
  readonly expect: {
    readonly messages: readonly {
      returned: number;
      header: boolean;
      more: boolean;
      count: number;
    }[];
  };
}

const vectors = loadFiles(vectorsDir()).find(({ topic }) => topic === 'range-stream');
const chunkCases = (
  vectors !== undefined && 'cases' in vectors
    ? (vectors.cases as (ChunkCase & { kind: string })[])
    : []
).filter(({ kind }) => kind === 'server-chunks');

describe('RangeStream of the embedded etcd', () => {
  it.each(chunkCases)('cuts $input.objects keys with limit $input.limit', async (one) => {
    const { etcd, client } = await start();
    fill(etcd, one.input.objects);
    const { messages, error } = await client.rangeStream({
      ...all,
      limit: BigInt(one.input.limit),
    });
    expect(error).toBeUndefined();
    expect(
      messages.map(({ kvs, header, more, count }) => ({
        returned: kvs.length,
        header: header !== undefined,
        more,
        count: Number(count),
      })),
    ).toEqual(one.expect.messages);
  });

  it('has vectors to go by', () => {
    expect(chunkCases.length).toBeGreaterThan(5);
  });

  it('stays at the revision of its first message, whatever is written meanwhile', async () => {
    const { etcd, client } = await start();
    fill(etcd, 25);
    const before = etcd.store.revision;
    const call = client.openRangeStream(all);
    const seen: string[] = [];
    let last: bigint | undefined;
    for await (const { rangeResponse } of call as AsyncIterable<{ rangeResponse: kvReply }>) {
      if (seen.length === 0) etcd.store.delete(utf8('k/000024'));
      seen.push(...rangeResponse.kvs.map((one) => Buffer.from(one.key).toString()));
      last = rangeResponse.header?.revision;
    }
    expect(seen).toHaveLength(25);
    expect(last).toBe(before);
  });

  it('ends with the compacted error when its revision goes in the middle', async () => {
    const { etcd, client } = await start();
    fill(etcd, 2000, 20_000);
    const call = client.openRangeStream(all);
    let messages = 0;
    const failure = await (async (): Promise<unknown> => {
      try {
        for await (const message of call as AsyncIterable<object>) {
          expect(message).toBeDefined();
          if (messages++ > 0) continue;
          etcd.store.put(utf8('later'), utf8(''));
          etcd.store.compact(etcd.store.revision);
        }
        return undefined;
      } catch (error) {
        return error;
      }
    })();
    expect(messages).toBeGreaterThan(0);
    expect(failure).toMatchObject({
      code: status.OUT_OF_RANGE,
      details: 'etcdserver: mvcc: required revision has been compacted',
    });
  });

  it('produces no faster than the client reads, and stops when it cancels', async () => {
    const { etcd, client } = await start();
    fill(etcd, 3000, 100_000);
    const call = client.openRangeStream(all);
    const failed = new Promise<void>((resolve) => {
      call.on('error', () => {
        resolve();
      });
    });
    call.once('data', () => call.pause());
    const record = await waitFor(() =>
      etcd.calls.find((one) => one.method === methods.rangeStream),
    );
    await waitFor(() => record.messages > 0);
    const settled = await unchanged(() => record.messages);
    expect(settled).toBeLessThan(100);
    expect(record.endedAt).toBeUndefined();
    call.cancel();
    await failed;
    await waitFor(() => record.cancelled);
    // Unhindered it would have sent more than twice as many.
    expect(record.messages).toBeLessThan(100);
    expect(record.endedAt).toBeGreaterThanOrEqual(record.startedAt);
  });

  it('is unknown when switched off, as to an old server', async () => {
    const { etcd, client } = await start({ rangeStream: false });
    const { messages, error } = await client.rangeStream({ ...all, limit: 1n });
    expect(messages).toEqual([]);
    expect(error?.code).toBe(status.UNIMPLEMENTED);
    expect(error?.details).toBe('unknown method RangeStream for service etcdserverpb.KV');
    expect((await client.status()).version).toBe('3.6.16');
    expect(etcd.calls[0]).toMatchObject({
      request: { limit: 1n },
      failure: { code: status.UNIMPLEMENTED },
      messages: 0,
    });
  });

  it('refuses custom orders and revision filters', async () => {
    const { client } = await start();
    const orders = await client.rangeStream({ ...all, sortOrder: 2 });
    expect(orders.error).toMatchObject({
      code: status.UNIMPLEMENTED,
      details: 'RangeStream does not support custom sort orders',
    });
    const filters = await client.rangeStream({ ...all, minModRevision: 2n });
    expect(filters.error?.details).toBe('RangeStream does not support revision filters');
  });
});

type kvReply = Awaited<ReturnType<RawEtcd['range']>>;

/** Waits until a number stays the same for ten looks in a row. */
async function unchanged(read: () => number): Promise<number> {
  let same = 0;
  let last = read();
  await waitFor(() => {
    const now = read();
    same = now === last ? same + 1 : 0;
    last = now;
    return same >= 10;
  });
  return last;
}

describe('the embedded etcd', () => {
  it('takes a NUL key and a NUL end as "from the start" and "to the end"', async () => {
    const { etcd, client } = await start();
    for (const name of ['a', 'b', 'c']) etcd.store.put(utf8(name), utf8(''));
    const nul = Uint8Array.of(0);
    const keysOf = async (key: Uint8Array, rangeEnd: Uint8Array) =>
      (await client.range({ key, rangeEnd })).kvs.map((one) => Buffer.from(one.key).toString());
    expect(await keysOf(nul, nul)).toEqual(['a', 'b', 'c']);
    expect(await keysOf(utf8('b'), nul)).toEqual(['b', 'c']);
    expect(await keysOf(utf8('b'), new Uint8Array(0))).toEqual(['b']);
    expect(await keysOf(utf8('b'), utf8('a'))).toEqual([]);
    expect(await keysOf(nul, utf8('c'))).toEqual(['a', 'b']);
  });

  it('answers with a hundred thousand keys at once', async () => {
    const { etcd, client } = await start();
    fill(etcd, 100_000, 100);
    const reply = await client.range(all);
    expect(reply.kvs).toHaveLength(100_000);
    expect(reply.count).toBe(100_000n);
  });

  it('counts the whole range, whatever the limit', async () => {
    const { etcd, client } = await start();
    fill(etcd, 30);
    const page = await client.range({ ...all, limit: 10n, keysOnly: true });
    expect([page.kvs.length, page.count, page.more]).toEqual([10, 30n, true]);
    expect(page.kvs.every((one) => one.value.length === 0)).toBe(true);
  });

  it('refuses leases, a key put twice, too many operations and too large requests', async () => {
    const { client } = await start({ maxRequestBytes: 1000 });
    await expect(client.put({ key: utf8('a'), lease: 5n })).rejects.toMatchObject({
      code: status.NOT_FOUND,
      details: 'etcdserver: requested lease not found',
    });
    const put = {
      ...{ requestRange: undefined, requestDeleteRange: undefined, requestTxn: undefined },
      requestPut: kv.putRequest.decode(kv.putRequest.encode({ key: utf8('a') })),
    };
    await expect(client.txn({ success: [put, put] })).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'etcdserver: duplicate key given in txn request',
    });
    await expect(
      client.txn({ failure: Array.from({ length: 129 }, () => put) }),
    ).rejects.toMatchObject({ details: 'etcdserver: too many operations in txn request' });
    await expect(client.put({ key: utf8('a'), value: new Uint8Array(1001) })).rejects.toMatchObject(
      { details: 'etcdserver: request is too large' },
    );
  });

  it('says who it is, and that it has no authentication', async () => {
    const { etcd, client } = await start({ version: '3.5.13' });
    fill(etcd, 3, 10);
    const state = await client.status();
    expect([state.version, state.leader === state.header?.memberId]).toEqual(['3.5.13', true]);
    expect(state.dbSize).toBe(BigInt(etcd.store.size));
    expect((await client.memberList()).members).toMatchObject([
      { clientUrls: [`http://${etcd.endpoint}`] },
    ]);
    await expect(client.authenticate({ name: 'root', password: 'x' })).rejects.toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: 'etcdserver: authentication is not enabled',
    });
  });

  it('answers Unimplemented for the rest of the API', async () => {
    const { client } = await start();
    const request = [kv.compactionRequest, {}] as const;
    const call = client.unary('/etcdserverpb.Lease/LeaseGrant', request, kv.compactionResponse);
    await expect(call).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
      details: 'unknown method LeaseGrant for service etcdserverpb.Lease',
    });
  });

  it('runs the hook before each call and fails the call with what it throws', async () => {
    const seen: string[] = [];
    const { client } = await start({
      onCall: async (method) => {
        seen.push(method);
        await Promise.resolve();
        if (method === methods.status) throw new Error('not today');
      },
    });
    await client.range({ key: utf8('a') });
    await expect(client.status()).rejects.toMatchObject({
      code: status.UNKNOWN,
      details: 'not today',
    });
    expect(seen).toEqual([methods.range, methods.status]);
  });

  it('keeps no log of calls when told so', async () => {
    const { etcd, client } = await start({ logCalls: false });
    await client.range({ key: utf8('a') });
    expect(etcd.calls).toEqual([]);
  });

  it('rejects when its port is taken', async () => {
    const { etcd } = await start();
    const port = Number(etcd.endpoint.split(':')[1]);
    await expect(startDemoEtcd({ port })).rejects.toThrow(/EADDRINUSE|No address/);
  });
});
