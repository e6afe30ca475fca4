/** Wraps plain functions as gRPC handlers with our codec, and keeps the log of calls. */
import { status } from '@grpc/grpc-js';
import type {
  Server,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
} from '@grpc/grpc-js';
import type { Codec } from '../etcd/rpc/codec';
import { endCall } from './callLog';
import type { CallLog, CallRecord } from './callLog';
import { CallFailure } from './failures';

/** Runs before a call is served; a promise delays it, and what it throws refuses it. */
export type OnCall = (method: string) => void | Promise<void>;

export interface CallContext {
  readonly server: Server;
  readonly log: CallLog;
  readonly onCall: OnCall | undefined;
}

interface Cancellable {
  once(event: 'cancelled', listener: () => void): unknown;
}

const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What a method needs of its messages' types. */
export interface MethodCodecs<Request extends object, Response extends object> {
  readonly request: Pick<Codec<Request>, 'decode'>;
  readonly response: { encode(message: Response): Uint8Array };
}

const writer =
  <T extends object>(codec: { encode(message: T): Uint8Array }) =>
  (message: T): Buffer =>
    toBuffer(codec.encode(message));

/** Bytes in the decoded request are plain arrays, not Buffers, which compare as another type. */
const reader =
  <T extends object>(codec: Pick<Codec<T>, 'decode'>) =>
  (bytes: Buffer): T =>
    codec.decode(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));

/** The status of a failure; a bug in the server becomes Unknown and never ends the process. */
function statusOf(error: unknown): { code: status; details: string } {
  if (error instanceof CallFailure) return { code: error.code, details: error.details };
  return { code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) };
}

function begin(
  context: CallContext,
  method: string,
  request: object,
  call: Cancellable,
): CallRecord {
  const record = context.log.begin(method, request);
  call.once('cancelled', () => {
    record.cancelled ||= record.endedAt === undefined;
    endCall(record);
  });
  return record;
}

function refuse(record: CallRecord, error: unknown): { code: status; details: string } {
  const failure = statusOf(error);
  record.failure = failure;
  endCall(record);
  return failure;
}

export function serveUnary<Request extends object, Response extends object>(
  context: CallContext,
  method: string,
  codecs: MethodCodecs<Request, Response>,
  answer: (request: Request) => Response,
): void {
  const handle = async (
    call: ServerUnaryCall<Request, Response>,
    callback: sendUnaryData<Response>,
  ): Promise<void> => {
    const record = begin(context, method, call.request, call);
    try {
      await context.onCall?.(method);
      if (record.cancelled) return;
      const response = answer(call.request);
      record.messages = 1;
      endCall(record);
      callback(null, response);
    } catch (error) {
      callback(refuse(record, error));
    }
  };
  context.server.register(
    method,
    (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) =>
      void handle(call, callback),
    writer(codecs.response),
    reader(codecs.request),
    'unary',
  );
}

/** Serves a sequence of messages, each produced only once the one before it has left. */
export function serveStream<Request extends object, Response extends object>(
  context: CallContext,
  method: string,
  codecs: MethodCodecs<Request, Response>,
  answer: (request: Request) => Iterable<Response>,
): void {
  const handle = async (call: ServerWritableStream<Request, Response>): Promise<void> => {
    const record = begin(context, method, call.request, call);
    try {
      await context.onCall?.(method);
      for (const message of answer(call.request)) {
        if (record.cancelled) return;
        record.messages++;
        await written(call, message);
      }
      endCall(record);
      call.end();
    } catch (error) {
      call.emit('error', refuse(record, error));
    }
  };
  context.server.register(
    method,
    (call: ServerWritableStream<Request, Response>) => void handle(call),
    writer(codecs.response),
    reader(codecs.request),
    'serverStream',
  );
}

/** Resolves when the message has left, or the client is gone: gRPC then forgets the message. */
async function written<T>(call: ServerWritableStream<object, T>, message: T): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      call.off('cancelled', done);
      resolve();
    };
    call.once('cancelled', done);
    call.write(message, done);
  });
}

export interface DuplexSession<Request> {
  handle(request: Request): void;
  /** The client can take more again. */
  resume(): void;
  /** The call is over. */
  close(): void;
}

/** Serves a duplex call that lasts until the client cancels it, also after it stopped sending. */
export function serveDuplex<Request extends object, Response extends object>(
  context: CallContext,
  method: string,
  codecs: MethodCodecs<Request, Response>,
  open: (send: (response: Response) => boolean) => DuplexSession<Request>,
): void {
  const handle = async (call: ServerDuplexStream<Request, Response>): Promise<void> => {
    const requests: Request[] = [];
    const record = begin(context, method, requests, call);
    await context.onCall?.(method);
    if (record.cancelled) return;
    const session = open((response) => {
      record.messages++;
      return call.write(response);
    });
    call.once('cancelled', () => {
      session.close();
    });
    call.on('drain', () => {
      session.resume();
    });
    call.on('data', (request: Request) => {
      requests.push(request);
      session.handle(request);
    });
  };
  context.server.register(
    method,
    (call: ServerDuplexStream<Request, Response>) => {
      handle(call).catch((error: unknown) => call.emit('error', statusOf(error)));
    },
    writer(codecs.response),
    reader(codecs.request),
    'bidi',
  );
}

/** Refuses every call of a method at once; the request is not read. */
export function refuseMethod(context: CallContext, method: string, failure: CallFailure): void {
  context.server.register(
    method,
    (call: ServerDuplexStream<object, object>) => {
      const record = begin(context, method, {}, call);
      call.emit('error', refuse(record, failure));
    },
    () => Buffer.alloc(0),
    (bytes: Buffer): object => bytes,
    'bidi',
  );
}
