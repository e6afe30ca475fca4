/** The read-only interface over a session: plain requests in, plain data out. */
import type { Attempt } from './attempt';
import { withDeniedRead } from './denied';
import type {
  CallOptions,
  EtcdReader,
  Member,
  MemberStatus,
  RangeReply,
  RangeRequest,
  RangeStreamChunk,
  WatchRequest,
  WatchStream,
} from './interfaces';
import { openServerStream, type MessageSource } from './messageStream';
import { decodeReply } from './replies';
import type { Codec } from './rpc/codec';
import { rangeRequest, rangeResponse, rangeStreamResponse } from './rpc/kvCodecs';
import type { RangeResponse } from './rpc/messages';
import {
  memberListRequest,
  memberListResponse,
  statusRequest,
  statusResponse,
} from './rpc/serviceCodecs';
import type { EndpointLanes, Plan, Session } from './session';
import { unaryCall } from './unaryCall';
import { openWatch } from './watchStream';
import { EtcdError } from './errors';

export interface ReaderOptions {
  readonly session: Session;
  readonly endpoints: readonly EndpointLanes[];
  readonly serializable: boolean;
  readonly byteBudget: number;
  /** Who asks, for words; undefined without a user. */
  readonly user: string | undefined;
}

interface Reply<T> {
  readonly message: T;
  readonly bytes: number;
  readonly endpoint: string;
}

export class Reader implements EtcdReader {
  readonly #session: Session;
  readonly #lanes: readonly EndpointLanes[];
  readonly #user: string | undefined;
  readonly endpoints: readonly string[];
  readonly serializable: boolean;
  readonly byteBudget: number;

  constructor(options: ReaderOptions) {
    this.#session = options.session;
    this.#lanes = options.endpoints;
    this.#user = options.user;
    this.endpoints = options.endpoints.map(({ name }) => name);
    this.serializable = options.serializable;
    this.byteBudget = options.byteBudget;
  }

  get currentEndpoint(): string {
    return this.#session.current.name;
  }

  async range(request: RangeRequest, options?: CallOptions): Promise<RangeReply> {
    const plan: Plan = { method: 'range', lane: 'calls', options };
    const { message, bytes, endpoint } = await this.#unary(
      plan,
      this.#encodeRange(request, options),
      rangeResponse,
    ).catch((error: unknown) => {
      throw withDeniedRead(error, request, this.#user);
    });
    const { kvs, count, more, header } = message;
    return { kvs, count, more, revision: header?.revision ?? 0n, bytes, endpoint };
  }

  /**
   * `deadlineMs` limits the time to the first message and then between two messages that the
   * consumer waits for, not the stream as a whole: how long that lasts depends on its reader.
   */
  async *rangeStream(
    request: RangeRequest,
    options?: CallOptions,
  ): AsyncGenerator<RangeStreamChunk, void, undefined> {
    const idleMs = this.#session.totalMs(options);
    const plan: Plan = { method: 'rangeStream', lane: 'streams', options };
    const encoded = this.#encodeRange(request, options);
    const opened = await this.#session
      .run(plan, (attempt) => firstOf(attempt, encoded))
      .catch((error: unknown) => {
        throw withDeniedRead(error, request, this.#user);
      });
    try {
      let message = opened.first;
      while (message !== undefined) {
        yield chunkOf(message, opened.source.attempt);
        message = await opened.source.next(idleMs);
      }
    } finally {
      opened.source.cancel();
    }
  }

  watch(request: WatchRequest, options?: CallOptions): WatchStream {
    return openWatch(this.#session, request, options, this.#user);
  }

  async status(endpoint: string, options?: CallOptions): Promise<MemberStatus> {
    const only = this.#lanes.find(({ name }) => name === endpoint);
    if (only === undefined) throw unknownEndpoint(endpoint);
    const plan: Plan = { method: 'status', lane: 'calls', options, only };
    const { message } = await this.#unary(plan, statusRequest.encode({}), statusResponse);
    return {
      endpoint,
      version: message.version,
      revision: message.header?.revision ?? 0n,
      dbSizeBytes: message.dbSize,
      leader: message.leader,
      memberId: message.header?.memberId ?? 0n,
    };
  }

  /** etcd before 3.5 does not know `linearizable`, ignores it, and answers from the member asked. */
  async members(options?: CallOptions): Promise<readonly Member[]> {
    const linearizable = !(options?.serializable ?? this.serializable);
    const plan: Plan = { method: 'memberList', lane: 'calls', options };
    const request = memberListRequest.encode({ linearizable });
    const { message } = await this.#unary(plan, request, memberListResponse);
    return message.members.map(({ id, name, clientUrls }) => ({ id, name, clientUrls }));
  }

  close(): void {
    this.#session.close();
  }

  #encodeRange(request: RangeRequest, options: CallOptions | undefined): Uint8Array {
    return rangeRequest.encode({
      ...request,
      serializable: options?.serializable ?? this.serializable,
    });
  }

  #unary<T extends object>(plan: Plan, request: Uint8Array, codec: Codec<T>): Promise<Reply<T>> {
    return this.#session.run(plan, async (attempt) => {
      const reply = await unaryCall(attempt, request);
      const message = decodeReply(codec, reply, attempt);
      return { message, bytes: reply.length, endpoint: attempt.lane.endpoint };
    });
  }
}

interface Opened {
  readonly source: MessageSource;
  readonly first: Buffer | undefined;
}

/** Waits for the first message: until it is here, another endpoint or token may still be tried. */
async function firstOf(attempt: Attempt, request: Uint8Array): Promise<Opened> {
  const source = openServerStream(attempt, request);
  return { source, first: await source.next(attempt.timeoutMs) };
}

const emptyRange = (): RangeResponse => ({ header: undefined, kvs: [], more: false, count: 0n });

function chunkOf(message: Buffer, attempt: Attempt): RangeStreamChunk {
  const decoded = decodeReply(rangeStreamResponse, message, attempt);
  const { header, kvs, count, more } = decoded.rangeResponse ?? emptyRange();
  return {
    kvs,
    count,
    more,
    bytes: message.length,
    endpoint: attempt.lane.endpoint,
    ...(header !== undefined && { revision: header.revision }),
  };
}

function unknownEndpoint(endpoint: string): EtcdError {
  return new EtcdError({
    code: 'other',
    message: `${endpoint} is not one of this connection's endpoints`,
    endpoint,
    method: 'status',
  });
}
