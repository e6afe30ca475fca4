import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { Client, credentials, status } from '@grpc/grpc-js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { etcdMissing, startEtcd } from '../support/etcdServer';
import type { RunningEtcd } from '../support/etcdServer';
import { EtcdWriter } from '../support/etcdWriter';
import { startFaultProxy } from '../support/faultProxy';
import type { FaultProxy } from '../support/faultProxy';
import { decodeRange } from '../support/rangeRequest';
import { startRecordingProxy } from '../support/recordingProxy';
import type { RecordingProxy } from '../support/recordingProxy';
import { waitFor } from '../support/waitFor';

const raw = (message: Buffer): Buffer => message;
const rangePath = '/etcdserverpb.KV/Range';
const watchPath = '/etcdserverpb.Watch/Watch';

describe.skipIf(etcdMissing('3.7'))('recording proxy', () => {
  async function setUp(): Promise<{ etcd: RunningEtcd; proxy: RecordingProxy; client: Client }> {
    const etcd = await startEtcd('3.7');
    const proxy = await startRecordingProxy(etcd.endpoint);
    const client = new Client(proxy.endpoint, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
    onTestFinished(async () => {
      client.close();
      await proxy.close();
      await etcd.stop();
    });
    return { etcd, proxy, client };
  }

  function unary(client: Client, path: string, request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, raw, raw, request, (error, reply) => {
        if (error) reject(error);
        else resolve(reply ?? Buffer.alloc(0));
      });
    });
  }

  it('records methods and request messages, in order', async () => {
    const { etcd, proxy } = await setUp();
    const writer = new EtcdWriter({ endpoint: `http://${proxy.endpoint}` });
    onTestFinished(() => {
      writer.close();
    });
    expect(await writer.put('/a', 'b')).toBe(2n);
    expect(await writer.revision()).toBe(await etcd.writer.revision());
    expect(proxy.methods()).toEqual(['Put', 'Range']);
    expect(proxy.calls[0]).toMatchObject({ path: '/etcdserverpb.KV/Put', status: status.OK });
    expect(decodeRange(proxy.calls[1]!.requests[0]!)).toMatchObject({
      key: Buffer.of(0),
      countOnly: true,
      keysOnly: false,
      otherFields: [],
    });
    proxy.clear();
    expect(proxy.methods()).toEqual([]);
  });

  it('passes replies of many megabytes and the status of a refusal on', async () => {
    const { etcd, proxy, client } = await setUp();
    const value = 'v'.repeat(100_000);
    await etcd.writer.bulkLoad(Array.from({ length: 300 }, (_, i) => [`/a/${i}`, value] as const));
    // key "/a/", range end "/a0"
    const reply = await unary(client, rangePath, Buffer.from('0a032f612f12032f6130', 'hex'));
    expect(reply.length).toBeGreaterThan(30_000_000);
    expect(proxy.calls[0]?.replyLengths).toEqual([reply.length]);

    await expect(unary(client, '/etcdserverpb.KV/Nonsense', Buffer.alloc(0))).rejects.toMatchObject(
      {
        code: status.UNIMPLEMENTED,
      },
    );
    // Revision 99 is in the future: the refusal's text comes in the trailers.
    await expect(
      unary(client, rangePath, Buffer.from('0a012f20e707', 'hex')),
    ).rejects.toMatchObject({
      code: status.OUT_OF_RANGE,
      details: 'etcdserver: mvcc: required revision is a future revision',
    });
    expect(proxy.calls.map((call) => call.status)).toEqual([0, 12, 11]);
  });

  it('carries a cancellation to the server and says so', async () => {
    const { etcd, proxy, client } = await setUp();
    const call = client.makeBidiStreamRequest(watchPath, raw, raw);
    call.on('error', () => undefined);
    call.write(Buffer.from('0a050a032f612f', 'hex'));
    await once(call, 'data');
    expect(proxy.calls[0]?.endedAt).toBeUndefined();
    call.cancel();
    await waitFor(() => proxy.calls[0]?.endedAt);
    expect(proxy.calls[0]).toMatchObject({
      method: 'Watch',
      clientReset: 8,
      serverReset: undefined,
    });
    await waitFor(async () => {
      const metrics = await (await fetch(`${etcd.metricsUrl}/metrics`)).text();
      return /grpc_server_handled_total\{grpc_code="(Canceled|OK)",grpc_method="Watch".*\} 1/.test(
        metrics,
      );
    });
  });

  it('tells the client when the server is gone', async () => {
    const { etcd, client } = await setUp();
    const call = client.makeBidiStreamRequest(watchPath, raw, raw);
    const failed = new Promise((resolve) => call.once('error', resolve));
    call.write(Buffer.from('0a050a032f612f', 'hex'));
    await once(call, 'data');
    await etcd.kill();
    expect(await failed).toMatchObject({ code: status.UNAVAILABLE });
  });
});

describe('fault proxy', () => {
  /** A client of an echo server behind the proxy. */
  async function setUp(): Promise<{ proxy: FaultProxy; dial: () => Socket }> {
    const echo = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address() as { port: number };
    const proxy = await startFaultProxy(`127.0.0.1:${address.port}`);
    onTestFinished(async () => {
      await proxy.close();
      echo.close();
    });
    const dial = (): Socket => {
      const socket = connect(Number(proxy.endpoint.split(':')[1]), '127.0.0.1');
      onTestFinished(() => {
        socket.destroy();
      });
      return socket;
    };
    return { proxy, dial };
  }

  it('passes bytes both ways, and ends on a cut', async () => {
    const { proxy, dial } = await setUp();
    const socket = dial();
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    const closed = once(socket, 'close');
    proxy.cut();
    await closed;
    await waitFor(() => proxy.open === 0);
    const again = dial();
    again.write('again');
    expect(String((await once(again, 'data'))[0])).toBe('again');
    expect(proxy.accepted).toBe(2);
  });

  it('cuts after a number of bytes', async () => {
    const { proxy, dial } = await setUp();
    proxy.cutAfter(1000);
    const socket = dial();
    let got = 0;
    socket.on('data', (chunk: Buffer) => {
      got += chunk.length;
    });
    const closed = once(socket, 'close');
    socket.write(Buffer.alloc(5000));
    await closed;
    expect(got).toBe(1000);
    expect(proxy.passed('toClient')).toBe(1000);
  });

  it('stalls one way until healed', async () => {
    const { proxy, dial } = await setUp();
    proxy.stall('toClient');
    const socket = dial();
    let got = '';
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString();
    });
    socket.write('held');
    await waitFor(() => proxy.passed('toServer') === 4);
    expect(got).toBe('');
    await proxy.heal();
    await waitFor(() => got === 'held');
  });

  it('slows down to a rate', async () => {
    const { proxy, dial } = await setUp();
    proxy.slow(20_000);
    const socket = dial();
    let got = 0;
    socket.on('data', (chunk: Buffer) => {
      got += chunk.length;
    });
    const start = performance.now();
    socket.write(Buffer.alloc(10_000));
    await waitFor(() => got === 10_000);
    expect(performance.now() - start).toBeGreaterThan(450);
  });

  it('refuses until healed', async () => {
    const { proxy, dial } = await setUp();
    await proxy.refuse();
    const refused = dial();
    const error = await new Promise((resolve) => refused.once('error', resolve));
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.heal();
    const socket = dial();
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
  });
});
