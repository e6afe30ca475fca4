/** A streaming call of grpc-js with real backpressure, as a source that is pulled. */
import {
  InterceptingCall,
  ListenerBuilder,
  RequesterBuilder,
  status,
  type Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type Interceptor,
  type Metadata,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js';
import {
  asBuffer,
  callMetadata,
  cancelledError,
  deadlineError,
  isStopped,
  sameBuffer,
  supervise,
  type Attempt,
  type GrpcOptions,
} from './attempt';
import type { EtcdError } from './errors';
import { MessageSlot } from './messageSlot';
import { contentTypeOf, unstarted } from './replies';
import { methods } from './rpc/methods';
import { translateFailure } from './translate';

export interface MessageSource {
  readonly attempt: Attempt;
  /**
   * The next message, undefined after the last. Rejects with an `EtcdError`; code `deadline` when
   * none comes within `timeoutMs`, which ends the call.
   */
  next(timeoutMs: number): Promise<Buffer | undefined>;
  /** Sends a message of a duplex call; ignored once the call is over. */
  send(message: Uint8Array): void;
  /** Ends the call, now. */
  cancel(): void;
}

type StreamCall = ClientReadableStream<Buffer> | ClientDuplexStream<Uint8Array, Buffer>;
type Open = (client: Client, metadata: Metadata, options: GrpcOptions) => StreamCall;

/** Starts a server stream. Its failures, of the start too, come from `next`. */
export function openServerStream(attempt: Attempt, request: Uint8Array): MessageSource {
  return openStream(attempt, (client, metadata, options) =>
    client.makeServerStreamRequest(
      methods[attempt.method],
      asBuffer,
      sameBuffer,
      request,
      metadata,
      options,
    ),
  );
}

export function openDuplex(attempt: Attempt, first: Uint8Array): MessageSource {
  return openStream(attempt, (client, metadata, options) => {
    // etcd then ends the stream when it loses its leader, instead of going silent.
    metadata.set('hasleader', 'true');
    const call = client.makeBidiStreamRequest(
      methods[attempt.method],
      asBuffer,
      sameBuffer,
      metadata,
      options,
    );
    call.write(first);
    return call;
  });
}

function openStream(attempt: Attempt, open: Open): MessageSource {
  const slot = new MessageSlot<Buffer>();
  let call: StreamCall | undefined;
  const stop = (error: EtcdError): void => {
    slot.abort(error);
    call?.cancel();
  };
  attempt.lane
    .start((client, metadata) => {
      if (isStopped(attempt)) slot.abort(cancelledError(attempt));
      if (slot.ended) return;
      call = open(client, callMetadata(attempt, metadata), { interceptors: [gate(slot)] });
      listen(attempt, call, slot, supervise(attempt, client, stop));
    })
    .catch((error: unknown) => {
      slot.abort(unstarted(attempt, error));
    });
  return {
    attempt,
    next: async (timeoutMs) => {
      try {
        return await slot.take(timeoutMs, () => deadlineError(attempt, timeoutMs));
      } catch (error) {
        call?.cancel();
        throw error;
      }
    },
    send: (message) => {
      if (call !== undefined && 'write' in call && call.writable) call.write(message);
    },
    cancel: () => {
      stop(cancelledError(attempt));
    },
  };
}

/**
 * Holds a message back until the consumer takes it, and with it grpc-js's next read. The stream's
 * own buffer would take 16 messages, whatever their size, paused or not.
 */
function gate(slot: MessageSlot<Buffer>): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(
      nextCall(options),
      new RequesterBuilder()
        .withStart((metadata, _listener, next) => {
          const listener = new ListenerBuilder().withOnReceiveMessage((message: Buffer, pass) => {
            slot.offer(message, () => {
              pass(message);
            });
          });
          next(metadata, listener.build());
        })
        .build(),
    );
}

function listen(
  attempt: Attempt,
  call: StreamCall,
  slot: MessageSlot<Buffer>,
  release: () => void,
): void {
  let contentType: string | undefined;
  call.on('metadata', (received: Metadata) => {
    contentType = contentTypeOf(received);
  });
  call.on('error', (error: Partial<ServiceError> & Error) => {
    release();
    const failure = {
      code: error.code ?? status.UNKNOWN,
      details: error.details ?? error.message,
      contentType,
      cause: error,
    };
    const where = { endpoint: attempt.lane.endpoint, method: attempt.method };
    slot.end(translateFailure(failure, where));
  });
  call.on('status', (received: StatusObject) => {
    release();
    if (received.code === status.OK) slot.end();
  });
  // The gate has taken the messages; flowing, the stream drops its copies and asks for more.
  call.resume();
}
