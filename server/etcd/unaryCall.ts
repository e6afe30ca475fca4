import type { Client, ClientUnaryCall, Metadata, ServiceError } from '@grpc/grpc-js';
import {
  asBuffer,
  callMetadata,
  cancelledError,
  isStopped,
  sameBuffer,
  supervise,
  type Attempt,
} from './attempt';
import type { EtcdError } from './errors';
import { methods } from './rpc/methods';
import { contentTypeOf, unstarted } from './replies';
import { translateFailure } from './translate';

/** Resolves to the reply message as received; rejects with an `EtcdError` only. */
export function unaryCall(attempt: Attempt, request: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    attempt.lane
      .start((client, metadata) => {
        begin(attempt, request, client, metadata, resolve, reject);
      })
      .catch((error: unknown) => {
        reject(unstarted(attempt, error));
      });
  });
}

function begin(
  attempt: Attempt,
  request: Uint8Array,
  client: Client,
  metadata: Metadata,
  resolve: (reply: Buffer) => void,
  reject: (error: EtcdError) => void,
): void {
  if (isStopped(attempt)) {
    reject(cancelledError(attempt));
    return;
  }
  let contentType: string | undefined;
  const finish = (error: ServiceError | null, reply?: Buffer): void => {
    release();
    if (error === null && reply !== undefined) resolve(reply);
    else reject(translateFailure(failureOf(error, contentType), where(attempt)));
  };
  const call: ClientUnaryCall = client.makeUnaryRequest(
    methods[attempt.method],
    asBuffer,
    sameBuffer,
    request,
    callMetadata(attempt, metadata),
    { deadline: Date.now() + attempt.timeoutMs },
    finish,
  );
  const release = supervise(attempt, client, (error) => {
    release();
    reject(error);
    call.cancel();
  });
  call.on('metadata', (received: Metadata) => {
    contentType = contentTypeOf(received);
  });
}

function where(attempt: Attempt) {
  return { endpoint: attempt.lane.endpoint, method: attempt.method };
}

function failureOf(error: ServiceError | null, contentType: string | undefined) {
  return {
    code: error?.code ?? 0,
    details: error?.details ?? '',
    contentType,
    cause: error ?? undefined,
  };
}
