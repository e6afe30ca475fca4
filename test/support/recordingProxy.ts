import { once } from 'node:events';
import { connect, constants, createServer } from 'node:http2';
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Stream,
} from 'node:http2';

/** One gRPC call as it went over the wire. Times are milliseconds of `performance.now()`. */
export interface RecordedCall {
  /** `/etcdserverpb.KV/Range` */
  readonly path: string;
  /** `Range` */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Request messages without gRPC frames. */
  readonly requests: readonly Buffer[];
  /** Lengths of the reply messages passed on so far, without gRPC frames. */
  readonly replyLengths: readonly number[];
  /** The gRPC status code of the trailers, once seen. */
  readonly status: number | undefined;
  readonly startedAt: number;
  /** When the call was over on the client's side, however it ended. */
  readonly endedAt: number | undefined;
  /** The HTTP/2 error code with which the client reset the call; 8 is CANCEL. */
  readonly clientReset: number | undefined;
  /** The HTTP/2 error code with which the server reset the call. */
  readonly serverReset: number | undefined;
}

export interface RecordingProxy {
  /** `127.0.0.1:port`, HTTP/2 without TLS. */
  readonly endpoint: string;
  /** In the order they arrived. */
  readonly calls: readonly RecordedCall[];
  /** The method of each call, in order. */
  methods(): string[];
  /** The paths of all calls, also of those from before `clear()`. */
  readonly everPaths: ReadonlySet<string>;
  clear(): void;
  close(): Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Recording = Mutable<RecordedCall> & { requests: Buffer[]; replyLengths: number[] };

/** Takes gRPC frames (flag, 4 bytes of length, message) out of a byte stream. */
class GrpcDeframer {
  private parts: Buffer[] = [];
  private held = 0;
  /** Bytes without which there is nothing to do, so that a long message is joined only once. */
  private wanted = 5;

  /** The messages that this chunk completes. */
  push(chunk: Buffer): Buffer[] {
    this.parts.push(chunk);
    this.held += chunk.length;
    if (this.held < this.wanted) return [];
    const messages: Buffer[] = [];
    let rest = Buffer.concat(this.parts);
    for (;;) {
      this.wanted = rest.length < 5 ? 5 : 5 + rest.readUInt32BE(1);
      if (rest.length < this.wanted) break;
      messages.push(rest.subarray(5, this.wanted));
      rest = rest.subarray(this.wanted);
    }
    this.parts = [rest];
    this.held = rest.length;
    return messages;
  }
}

/** Headers that belong to one hop and that node sets itself. */
function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'connection');
  return Object.fromEntries(kept);
}

function newRecording(headers: IncomingHttpHeaders): Recording {
  const path = headers[':path'] ?? '';
  return {
    path,
    method: path.slice(path.lastIndexOf('/') + 1),
    headers,
    requests: [],
    replyLengths: [],
    status: undefined,
    startedAt: performance.now(),
    endedAt: undefined,
    clientReset: undefined,
    serverReset: undefined,
  };
}

function noteStatus(call: Recording, headers: IncomingHttpHeaders): void {
  const status = headers['grpc-status'];
  if (status !== undefined) call.status = Number(status);
}

/** Passes the server's answer on: headers, messages, trailers, or headers that are trailers too. */
function forwardReply(call: Recording, back: ClientHttp2Stream, front: ServerHttp2Stream): void {
  const deframer = new GrpcDeframer();
  let trailers: OutgoingHttpHeaders = {};
  back.on('response', (headers, flags) => {
    noteStatus(call, headers);
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    if (front.destroyed || front.closed) return;
    front.respond(passedOn(headers), { endStream, waitForTrailers: !endStream });
    if (!endStream) back.pipe(front);
  });
  back.on('trailers', (headers: IncomingHttpHeaders) => {
    noteStatus(call, headers);
    trailers = passedOn(headers);
  });
  back.on('data', (chunk: Buffer) => {
    call.replyLengths.push(...deframer.push(chunk).map((message) => message.length));
  });
  front.on('wantTrailers', () => {
    front.sendTrailers(trailers);
  });
}

/** Passes the request on and lets a reset of either side reach the other. */
function forward(
  front: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  session: ClientHttp2Session,
): Recording {
  const call = newRecording(headers);
  const deframer = new GrpcDeframer();
  const back = session.request(passedOn(headers), { endStream: false });
  front.on('data', (chunk: Buffer) => {
    call.requests.push(...deframer.push(chunk));
  });
  front.pipe(back);
  forwardReply(call, back, front);
  // Each error is followed by `close`, where the reset is passed on.
  front.on('error', () => undefined);
  back.on('error', () => undefined);
  front.on('close', () => {
    call.endedAt = performance.now();
    if (front.rstCode === constants.NGHTTP2_NO_ERROR || back.closed) return;
    call.clientReset = front.rstCode;
    back.close(front.rstCode);
  });
  back.on('close', () => {
    if (back.rstCode === constants.NGHTTP2_NO_ERROR || front.closed) return;
    call.serverReset = back.rstCode;
    front.close(back.rstCode);
  });
  return call;
}

/**
 * Starts a recorder in front of an etcd (`host:port`, without TLS). Every call passes through
 * unchanged, one connection to the server for each from a client, with flow control end to end.
 */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const calls: Recording[] = [];
  const everPaths = new Set<string>();
  const server = createServer({ maxSessionMemory: 1000 });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (front) => {
    const back = connect(`http://${target}`, { maxSessionMemory: 1000 });
    const ends = [front, back];
    for (const session of ends) {
      sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => {
        sessions.delete(session);
        for (const end of ends) end.destroy();
      });
    }
    back.on('goaway', () => {
      front.close();
    });
    front.on('stream', (stream, headers) => {
      everPaths.add(headers[':path'] ?? '');
      if (back.closed || back.destroyed) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else calls.push(forward(stream, headers, back));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    endpoint: `127.0.0.1:${address.port}`,
    calls,
    everPaths,
    methods: () => calls.map(({ method }) => method),
    clear: () => {
      calls.length = 0;
    },
    close: async () => {
      for (const session of sessions) session.destroy();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}
