/** A bare gRPC client for etcd's methods: sends exactly what it is told and hides nothing. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { ClientDuplexStream, ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import type { Codec } from '../../server/etcd/rpc/codec';
import * as kv from '../../server/etcd/rpc/kvCodecs';
import type * as m from '../../server/etcd/rpc/messages';
import { methods } from '../../server/etcd/rpc/methods';
import * as service from '../../server/etcd/rpc/serviceCodecs';

export interface StreamEnd<T> {
  readonly messages: readonly T[];
  /** Undefined when the stream ended well. */
  readonly error: ServiceError | undefined;
}

const writer =
  <T extends object>(codec: Codec<T>) =>
  (message: Partial<T>): Buffer =>
    Buffer.from(codec.encode(message));

const reader =
  <T extends object>(codec: Codec<T>) =>
  (bytes: Buffer): T =>
    codec.decode(bytes);

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}

export class RawEtcd {
  private readonly client: Client;

  /** `endpoint` is `host:port`, without TLS. */
  constructor(endpoint: string) {
    this.client = new Client(endpoint, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc.enable_http_proxy': 0,
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  close(): void {
    this.client.close();
  }

  /** Rejects with the `ServiceError` of a call that failed. */
  unary<Request extends object, Response extends object>(
    path: string,
    request: readonly [Codec<Request>, Partial<Request>],
    response: Codec<Response>,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        path,
        writer(request[0]),
        reader(response),
        request[1],
        new Metadata(),
        (error, reply) => {
          if (reply === undefined) reject(error ?? new Error('neither a reply nor an error'));
          else resolve(reply);
        },
      );
    });
  }

  range(request: Partial<m.RangeRequest>): Promise<m.RangeResponse> {
    return this.unary(methods.range, [kv.rangeRequest, request], kv.rangeResponse);
  }

  put(request: Partial<m.PutRequest>): Promise<m.PutResponse> {
    return this.unary(methods.put, [kv.putRequest, request], kv.putResponse);
  }

  deleteRange(request: Partial<m.DeleteRangeRequest>): Promise<m.DeleteRangeResponse> {
    return this.unary(
      methods.deleteRange,
      [kv.deleteRangeRequest, request],
      kv.deleteRangeResponse,
    );
  }

  txn(request: Partial<m.TxnRequest>): Promise<m.TxnResponse> {
    return this.unary(methods.txn, [kv.txnRequest, request], kv.txnResponse);
  }

  compact(request: Partial<m.CompactionRequest>): Promise<m.CompactionResponse> {
    return this.unary(methods.compact, [kv.compactionRequest, request], kv.compactionResponse);
  }

  status(): Promise<m.StatusResponse> {
    return this.unary(methods.status, [service.statusRequest, {}], service.statusResponse);
  }

  memberList(): Promise<m.MemberListResponse> {
    return this.unary(
      methods.memberList,
      [service.memberListRequest, {}],
      service.memberListResponse,
    );
  }

  authenticate(request: Partial<m.AuthenticateRequest>): Promise<m.AuthenticateResponse> {
    return this.unary(
      methods.authenticate,
      [service.authenticateRequest, request],
      service.authenticateResponse,
    );
  }

  /** The call as it is: nothing is read until somebody listens. */
  openRangeStream(request: Partial<m.RangeRequest>): ClientReadableStream<m.RangeStreamResponse> {
    return this.client.makeServerStreamRequest(
      methods.rangeStream,
      writer(kv.rangeRequest),
      reader(kv.rangeStreamResponse),
      request,
    );
  }

  /** The whole stream, however it ends. */
  rangeStream(request: Partial<m.RangeRequest>): Promise<StreamEnd<m.RangeResponse>> {
    const call = this.openRangeStream(request);
    const messages: m.RangeResponse[] = [];
    return new Promise((resolve, reject) => {
      call.on('data', ({ rangeResponse }: m.RangeStreamResponse) => {
        if (rangeResponse === undefined) reject(new Error('a message without a range'));
        else messages.push(rangeResponse);
      });
      call.on('error', (error) => {
        if (isServiceError(error)) resolve({ messages, error });
        else reject(error);
      });
      call.on('end', () => {
        resolve({ messages, error: undefined });
      });
    });
  }

  watch(): RawWatch {
    return new RawWatch(
      this.client.makeBidiStreamRequest(
        methods.watch,
        writer(service.watchRequest),
        reader(service.watchResponse),
      ),
    );
  }
}

/** One Watch call. Responses queue up until they are taken. */
export class RawWatch {
  private readonly responses: m.WatchResponse[] = [];
  private waiting: (() => void) | undefined;
  private error: Error | undefined;

  constructor(private readonly call: ClientDuplexStream<Partial<m.WatchRequest>, m.WatchResponse>) {
    call.on('data', (response: m.WatchResponse) => {
      this.responses.push(response);
      this.waiting?.();
    });
    call.on('error', (error) => {
      this.error = error;
      this.waiting?.();
    });
  }

  create(request: Partial<m.WatchCreateRequest>): void {
    // An absent list reads as an empty one; the codec fills in all other defaults.
    this.call.write({ createRequest: request as m.WatchCreateRequest });
  }

  cancelWatch(watchId: bigint): void {
    this.call.write({ cancelRequest: { watchId } });
  }

  requestProgress(): void {
    this.call.write({ progressRequest: {} });
  }

  /** The next response; rejects with the call's error. */
  async next(): Promise<m.WatchResponse> {
    for (;;) {
      const response = this.responses.shift();
      if (response !== undefined) return response;
      if (this.error !== undefined) throw this.error;
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
    }
  }

  /** Responses that came and were not taken yet. */
  get queued(): number {
    return this.responses.length;
  }

  cancel(): void {
    this.call.cancel();
  }
}
