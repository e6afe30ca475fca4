/** What stands at the other end of an address when it is no healthy etcd. */
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2, type Http2Server } from 'node:http2';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { createServer } from 'node:net';
import { ServerCredentials, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { utf8 } from '../../../server/common/bytes';
import { ConnectionConfigError } from '../../../server/etcd/configError';
import { startDemoEtcd } from '../../../server/demo/demoEtcd';
import { connect, type ConnectionConfig } from '../../../server/etcd/connect';
import { describeEtcdError } from '../../../server/etcd/describe';
import { EtcdError } from '../../../server/etcd/errors';
import { probeRangeStream } from '../../../server/etcd/probe';
import type * as m from '../../../server/etcd/rpc/messages';
import type { TlsConfig } from '../../../server/etcd/tls';
import {
  certificatesMissing,
  makeCertificates,
  type Certificates,
} from '../../support/certificates';
import {
  deadEndpoint,
  etcdRefusals,
  Refusal,
  sendLast,
  startFakeEtcd,
  type Handlers,
} from './fakeEtcd';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const key = utf8('/registry/');

async function failure(config: ConnectionConfig): Promise<EtcdError> {
  const reader = connect({ deadlineMs: 8_000, ...config });
  closers.push(() => {
    reader.close();
  });
  try {
    await reader.range({ key });
  } catch (error) {
    if (error instanceof EtcdError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

async function listen(server: NetServer | Http2Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const rawServer = (onSocket: (socket: Socket) => void): Promise<string> =>
  listen(
    createServer((socket) => {
      socket.on('error', () => undefined);
      onSocket(socket);
    }),
  );

async function http2Server(status: number, contentType: string, body: string): Promise<string> {
  const server = createHttp2();
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': status, 'content-type': contentType });
    stream.end(body);
  });
  return listen(server);
}

describe('an address that is no etcd', () => {
  it('nothing listens: unavailable, with the reason', async () => {
    const endpoint = await deadEndpoint();
    const error = await failure({ endpoints: [endpoint] });
    expect(error).toMatchObject({
      code: 'unavailable',
      message: `connect ECONNREFUSED ${endpoint}`,
    });
  });

  it('no such host: unavailable', async () => {
    const error = await failure({ endpoints: ['no-such-host.invalid'], connectTimeoutMs: 6_000 });
    expect(error.code).toBe('unavailable');
    expect(error.message).toMatch(/no-such-host\.invalid/);
  });

  it('a server that says nothing: the connection has a limit of its own', async () => {
    const endpoint = await rawServer(() => undefined);
    const error = await failure({
      endpoints: [endpoint],
      connectTimeoutMs: 200,
      deadlineMs: 60_000,
    });
    expect(error).toMatchObject({ code: 'unavailable', message: 'no connection within 200 ms' });
  });

  it('a silent first endpoint does not keep the second from answering', async () => {
    const silent = await rawServer(() => undefined);
    const good = await startFakeEtcd({ range: () => ({ count: 3n }) });
    const reader = connect({ endpoints: [silent, good.endpoint], connectTimeoutMs: 3_000 });
    closers.push(() => {
      reader.close();
      good.stop();
    });
    expect((await reader.range({ key })).endpoint).toBe(good.endpoint);
  });

  it('an HTTP/1 server: not etcd', async () => {
    const endpoint = await listen(createHttp((_request, response) => response.end('<html>')));
    expect((await failure({ endpoints: [endpoint] })).code).toBe('notEtcd');
  });

  it('a server of garbage: not etcd', async () => {
    const endpoint = await rawServer((socket) => {
      socket.write(Buffer.alloc(64, 'SSH-2.0-OpenSSH_9.6\r\n'));
    });
    expect((await failure({ endpoints: [endpoint] })).code).toBe('notEtcd');
  });

  it('a server that hangs up: unavailable, in a useful sentence', async () => {
    const endpoint = await rawServer((socket) => socket.destroy());
    const error = await failure({ endpoints: [endpoint] });
    expect(error.code).toBe('unavailable');
    expect(describeEtcdError(error)).toContain(endpoint);
  });

  it.each([
    [404, 'text/html', 'notEtcd'],
    [401, 'text/plain', 'notEtcd'],
    [200, 'text/html', 'notEtcd'],
    [500, 'text/html', 'notEtcd'],
    [503, 'text/html', 'unavailable'],
  ])('an HTTP/2 server that answers %i %s: %s', async (httpStatus, contentType, code) => {
    const endpoint = await http2Server(httpStatus, contentType, '<html><body>sorry</body></html>');
    const error = await failure({ endpoints: [endpoint] });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(httpStatus === 200 ? /text\/html/ : String(httpStatus));
  });
});

describe('the RangeStream probe', () => {
  async function probe(handlers: Handlers, config: Partial<ConnectionConfig> = {}) {
    const server = await startFakeEtcd(handlers);
    const reader = connect({ endpoints: [server.endpoint], deadlineMs: 3_000, ...config });
    closers.push(() => {
      reader.close();
      server.stop();
    });
    return probeRangeStream(reader, key);
  }

  it('asks for one key without its value below the prefix', async () => {
    let asked: m.RangeRequest | undefined;
    const answer = await probe({
      rangeStream: (call, request) => {
        asked = request;
        sendLast(call, {});
      },
    });
    expect(answer.answer).toBe('supported');
    expect(asked).toMatchObject({ limit: 1n, keysOnly: true });
    expect(Buffer.from(asked!.rangeEnd).toString()).toBe('/registry0');
  });

  it("takes the RPC's own refusal for support", async () => {
    const answer = await probe({ rangeStream: (call) => call.emit('error', etcdRefusals.denied) });
    expect(answer.answer).toBe('supported');
  });

  it('does not take a refused authentication for support', async () => {
    const answer = await probe(
      { authenticate: () => Promise.reject(etcdRefusals.authFailed) },
      { auth: { username: 'u', password: 'p' } },
    );
    expect(answer.answer).toBe('unknown');
  });

  it('takes Unimplemented from a gRPC server for no support, and names the proxy', async () => {
    expect(await probe({ range: () => ({}) })).toMatchObject({
      answer: 'notSupported',
      proxy: false,
    });
    const words = new Refusal(
      status.UNIMPLEMENTED,
      'RangeStream is not supported by the gRPC proxy',
    );
    const proxy = await probe({ rangeStream: (call) => call.emit('error', words) });
    expect(proxy).toMatchObject({ answer: 'notSupported', proxy: true });
  });

  it.each([
    ['an HTTP 404', () => http2Server(404, 'text/html', 'gone')],
    ['nothing', deadEndpoint],
    ['silence', () => rawServer(() => undefined)],
  ])('knows nothing from %s', async (_what, start) => {
    const reader = connect({ endpoints: [await start()], connectTimeoutMs: 300 });
    closers.push(() => {
      reader.close();
    });
    const answer = await probeRangeStream(reader, key);
    expect(answer).toMatchObject({
      answer: 'unknown',
      reason: expect.stringMatching(/\.$/) as string,
    });
  });

  it('knows nothing when it is cancelled or its stream is empty', async () => {
    const reader = connect({ endpoints: ['127.0.0.1:1'] });
    const cancelled = await probeRangeStream(reader, key, { signal: AbortSignal.abort() });
    expect(cancelled.answer).toBe('unknown');
    expect(
      (
        await probe({
          rangeStream: (call) => {
            call.end();
          },
        })
      ).answer,
    ).toBe('unknown');
  });
});

describe.skipIf(certificatesMissing())('TLS', () => {
  let files: Certificates;
  beforeAll(() => {
    files = makeCertificates();
  });
  afterAll(() => {
    files.remove();
  });
  const read = (path: string) => readFileSync(path);

  async function secureEtcd(mutual: boolean): Promise<string> {
    const pair = { private_key: read(files.serverKey), cert_chain: read(files.serverCert) };
    const credentials = ServerCredentials.createSsl(mutual ? read(files.ca) : null, [pair], mutual);
    const server = await startFakeEtcd({ range: () => ({ count: 5n }) }, credentials);
    closers.push(() => {
      server.stop();
    });
    return server.endpoint;
  }

  async function count(endpoint: string, tls: TlsConfig): Promise<bigint> {
    const reader = connect({ endpoints: [`https://${endpoint}`], tls });
    closers.push(() => {
      reader.close();
    });
    return (await reader.range({ key })).count;
  }

  it('trusts the given authority, and it alone', async () => {
    const endpoint = await secureEtcd(false);
    expect(await count(endpoint, { rootCertificate: read(files.ca) })).toBe(5n);
    const wrong = { endpoints: [endpoint], tls: { rootCertificate: read(files.wrongCa) } };
    expect((await failure(wrong)).code).toBe('tls');
    expect((await failure({ endpoints: [`https://${endpoint}`] })).code).toBe('tls');
  });

  it('checks the name, which can be overridden', async () => {
    const endpoint = await secureEtcd(false);
    const tls = { rootCertificate: read(files.ca) };
    expect(await count(endpoint, { ...tls, serverName: 'localhost' })).toBe(5n);
    const other = { endpoints: [endpoint], tls: { ...tls, serverName: 'etcd.example' } };
    const error = await failure(other);
    expect(error.code).toBe('tls');
    expect(error.message).toMatch(/etcd\.example/);
  });

  it('skips verification only when told', async () => {
    const endpoint = await secureEtcd(false);
    expect(await count(endpoint, { skipVerify: true })).toBe(5n);
    expect(await count(endpoint, { skipVerify: true, serverName: 'etcd.example' })).toBe(5n);
    expect((await failure({ endpoints: [endpoint], tls: { skipVerify: false } })).code).toBe('tls');
  });

  it('shows its client certificate, with a plain or an encrypted key', async () => {
    const endpoint = await secureEtcd(true);
    const base = { rootCertificate: read(files.ca), clientCertificate: read(files.clientCert) };
    expect(await count(endpoint, { ...base, clientKey: read(files.clientKey) })).toBe(5n);
    const { passphrase } = files;
    const encrypted = { ...base, clientKey: read(files.encryptedClientKey), passphrase };
    expect(await count(endpoint, encrypted)).toBe(5n);
    const error = await failure({
      endpoints: [endpoint],
      tls: { rootCertificate: read(files.ca) },
    });
    expect(error.code).toBe('tls');
  });

  it('plain to a TLS port, TLS to a plain port: both say what is wrong', async () => {
    const secure = await secureEtcd(false);
    const error = await failure({ endpoints: [secure] });
    expect(error.code).toBe('unavailable');
    expect(describeEtcdError(error)).toMatch(/perhaps it expects TLS/);
    const plain = await startFakeEtcd({ range: () => ({}) });
    closers.push(() => {
      plain.stop();
    });
    const tls = { rootCertificate: read(files.ca) };
    expect((await failure({ endpoints: [plain.endpoint], tls })).code).toBe('tls');
  });

  it.each<[string, () => Partial<TlsConfig>, RegExp]>([
    [
      'no passphrase',
      () => ({ clientKey: read(files.encryptedClientKey) }),
      /needs its passphrase/,
    ],
    [
      'wrong passphrase',
      () => ({ clientKey: read(files.encryptedClientKey), passphrase: 'guess' }),
      /passphrase does not open/,
    ],
    ['no key at all', () => ({ clientKey: utf8('nonsense') }), /key cannot be read/],
    [
      "another's key",
      () => ({ clientKey: read(files.serverKey) }),
      /does not belong to the client certificate/,
    ],
    ['a certificate alone', () => ({}), /belong together/],
    [
      'a root that is no PEM',
      () => ({ clientKey: read(files.clientKey), rootCertificate: utf8('x') }),
      /not a PEM/,
    ],
  ])('refuses %s before any connection', (_what, tls, sentence) => {
    const open = () =>
      connect({
        endpoints: ['https://127.0.0.1:1'],
        tls: { clientCertificate: read(files.clientCert), ...tls() },
      });
    expect(open).toThrow(ConnectionConfigError);
    expect(open).toThrow(sentence);
    expect(open).not.toThrow(/guess/);
  });
});

describe('the configuration', () => {
  it.each([
    [{ endpoints: ['http://a'], tls: {} }, /http:\/\//],
    [{ endpoints: ['a'], deadlineMs: 0 }, /deadlineMs/],
    [{ endpoints: ['a'], connectTimeoutMs: Number.NaN }, /connectTimeoutMs/],
    [{ endpoints: ['a'], byteBudget: 0 }, /byteBudget/],
    [{ endpoints: ['a'], auth: { username: '', password: 'x' } }, /user name/],
  ] satisfies [ConnectionConfig, RegExp][])('%j is refused', (config, sentence) => {
    expect(() => connect(config)).toThrow(ConnectionConfigError);
    expect(() => connect(config)).toThrow(sentence);
  });

  it('warns when a password would travel in the clear, and not on this machine', () => {
    const warnings: string[] = [];
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: (text: string) => warnings.push(text),
    };
    const auth = { username: 'u', password: 'secret' };
    connect({ endpoints: ['localhost'], auth, log });
    expect(warnings).toEqual([]);
    connect({ endpoints: ['etcd.example'], auth, log });
    expect(warnings).toEqual([expect.stringContaining('unencrypted')]);
    expect(warnings.join()).not.toContain('secret');
  });
});

describe('an etcd that comes back', () => {
  it('answers the next call, without the pause between two tries of one channel', async () => {
    const endpoint = await deadEndpoint();
    const reader = connect({ endpoints: [endpoint], deadlineMs: 8_000 });
    closers.push(() => {
      reader.close();
    });
    await expect(reader.range({ key })).rejects.toMatchObject({ code: 'unavailable' });
    const port = Number(endpoint.split(':')[1]);
    const etcd = await startDemoEtcd({ port });
    closers.push(() => void etcd.stop());
    const { count } = await reader.range({ key });
    expect(count).toBe(0n);
  });
});
