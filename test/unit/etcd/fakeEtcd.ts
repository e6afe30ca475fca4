/** An in-process gRPC server with etcd's paths, whose answers each test writes itself. */
import {
  Server,
  ServerCredentials,
  status,
  type Metadata,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import type { Codec } from '../../../server/etcd/rpc/codec';
import {
  rangeRequest,
  rangeResponse,
  rangeStreamResponse,
} from '../../../server/etcd/rpc/kvCodecs';
import type * as m from '../../../server/etcd/rpc/messages';
import { methods, type MethodName } from '../../../server/etcd/rpc/methods';
import {
  authenticateRequest,
  authenticateResponse,
  memberListRequest,
  memberListResponse,
  statusRequest,
  statusResponse,
  watchRequest,
  watchResponse,
} from '../../../server/etcd/rpc/serviceCodecs';

type Unary<Q, A> = (request: Q, token: string | undefined) => Partial<A> | Promise<Partial<A>>;
export type StreamCall = ServerWritableStream<Buffer, Buffer>;
export type WatchCall = ServerDuplexStream<Partial<m.WatchRequest>, Partial<m.WatchResponse>>;

export interface Handlers {
  range?: Unary<m.RangeRequest, m.RangeResponse>;
  status?: Unary<m.StatusRequest, m.StatusResponse>;
  memberList?: Unary<m.MemberListRequest, m.MemberListResponse>;
  authenticate?: Unary<m.AuthenticateRequest, m.AuthenticateResponse>;
  rangeStream?: (call: StreamCall, request: m.RangeRequest, token: string | undefined) => void;
  watch?: (call: WatchCall, token: string | undefined) => void;
}

export interface Seen {
  readonly method: MethodName;
  readonly token: string | undefined;
  readonly metadata: Metadata;
  cancelled: boolean;
}

export interface FakeEtcd {
  readonly endpoint: string;
  readonly seen: Seen[];
  methods(): string[];
  stop(): void;
}

/** What a handler throws to answer with a gRPC status. */
export class Refusal extends Error {
  constructor(
    readonly code: status,
    readonly details: string,
  ) {
    super(details);
  }
}

export const etcdRefusals = {
  invalidToken: new Refusal(status.UNAUTHENTICATED, 'etcdserver: invalid auth token'),
  oldRevision: new Refusal(status.INVALID_ARGUMENT, 'etcdserver: revision of auth store is old'),
  userEmpty: new Refusal(status.INVALID_ARGUMENT, 'etcdserver: user name is empty'),
  authFailed: new Refusal(
    status.INVALID_ARGUMENT,
    'etcdserver: authentication failed, invalid user ID or password',
  ),
  denied: new Refusal(status.PERMISSION_DENIED, 'etcdserver: permission denied'),
  noLeader: new Refusal(status.UNAVAILABLE, 'etcdserver: no leader'),
  notCapable: new Refusal(status.FAILED_PRECONDITION, 'etcdserver: not capable'),
  compacted: new Refusal(
    status.OUT_OF_RANGE,
    'etcdserver: mvcc: required revision has been compacted',
  ),
  future: new Refusal(
    status.OUT_OF_RANGE,
    'etcdserver: mvcc: required revision is a future revision',
  ),
};

const asBuffer = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const encodeChunk = (range: Partial<m.RangeResponse>): Buffer =>
  asBuffer(rangeStreamResponse.encode({ rangeResponse: range as m.RangeResponse }));

/** Writes the last message; `end` itself would take it for trailers. */
export function sendLast(call: StreamCall, range: Partial<m.RangeResponse>): void {
  call.write(encodeChunk(range));
  call.end();
}

const tokenOf = (metadata: Metadata): string | undefined => metadata.get('token')[0]?.toString();

export async function startFakeEtcd(
  handlers: Handlers,
  credentials = ServerCredentials.createInsecure(),
): Promise<FakeEtcd> {
  const server = new Server({ 'grpc.max_send_message_length': -1 });
  const seen: Seen[] = [];
  const record = (method: MethodName, call: AnyCall): string | undefined => {
    const token = tokenOf(call.metadata);
    const entry: Seen = { method, token, metadata: call.metadata, cancelled: false };
    call.on('cancelled', () => {
      entry.cancelled = true;
    });
    seen.push(entry);
    return token;
  };

  function unary<Q extends object, A extends object>(
    method: MethodName,
    request: Codec<Q>,
    reply: Codec<A>,
    handler: Unary<Q, A> | undefined,
  ): void {
    if (!handler) return;
    const handle = (
      call: ServerUnaryCall<Q, Partial<A>>,
      done: sendUnaryData<Partial<A>>,
    ): void => {
      const token = record(method, call);
      Promise.resolve()
        .then(() => handler(call.request, token))
        .then(
          (answer) => {
            done(null, answer);
          },
          (error: unknown) => {
            done(error as Refusal);
          },
        );
    };
    add(
      method,
      false,
      (bytes) => request.decode(bytes),
      (answer: Partial<A>) => asBuffer(reply.encode(answer)),
      handle,
    );
  }

  function add(
    method: MethodName,
    stream: boolean,
    requestDeserialize: (bytes: Buffer) => unknown,
    responseSerialize: (message: never) => Buffer,
    handle: unknown,
  ): void {
    const definition = {
      path: methods[method],
      requestStream: method === 'watch',
      responseStream: stream,
      requestSerialize: (bytes: Buffer) => bytes,
      requestDeserialize,
      responseSerialize,
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    server.addService(
      { [method]: definition } as unknown as ServiceDefinition,
      { [method]: handle } as UntypedServiceImplementation,
    );
  }

  unary('range', rangeRequest, rangeResponse, handlers.range);
  unary('status', statusRequest, statusResponse, handlers.status);
  unary('memberList', memberListRequest, memberListResponse, handlers.memberList);
  unary('authenticate', authenticateRequest, authenticateResponse, handlers.authenticate);
  const { rangeStream, watch } = handlers;
  if (rangeStream) {
    add(
      'rangeStream',
      true,
      (bytes) => bytes,
      (bytes: Buffer) => bytes,
      (call: StreamCall) => {
        rangeStream(call, rangeRequest.decode(call.request), record('rangeStream', call));
      },
    );
  }
  if (watch) {
    const encode = (message: Partial<m.WatchResponse>) => asBuffer(watchResponse.encode(message));
    add(
      'watch',
      true,
      (bytes) => watchRequest.decode(bytes),
      encode,
      (call: WatchCall) => {
        watch(call, record('watch', call));
      },
    );
  }

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return {
    endpoint: `127.0.0.1:${port}`,
    seen,
    methods: () => seen.map(({ method }) => method),
    stop: () => {
      server.forceShutdown();
    },
  };
}

interface AnyCall {
  readonly metadata: Metadata;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** An address where nothing listens. */
export async function deadEndpoint(): Promise<string> {
  const fake = await startFakeEtcd({});
  fake.stop();
  return fake.endpoint;
}
