/** Failures of the transport, as callers branch on them. */
import type { MethodName } from './rpc/methods';

export type EtcdErrorCode =
  /** The asked-for revision is compacted away. */
  | 'compacted'
  /** The asked-for revision is not reached yet. */
  | 'futureRevision'
  /** gRPC Unimplemented from a gRPC server: the RPC is not there. */
  | 'unimplemented'
  /** Something answered that does not speak gRPC (an HTTP error, a wrong protocol). */
  | 'notEtcd'
  | 'unavailable'
  | 'deadline'
  | 'cancelled'
  /** TLS handshake or certificate trouble. */
  | 'tls'
  /** Wrong user or password. */
  | 'authentication'
  /** The user may not read this range. */
  | 'permissionDenied'
  /** The server requires a user and none was given. */
  | 'userEmpty'
  /** The token was refused again after one renewal. */
  | 'invalidAuthToken'
  /** The reply is larger than the byte budget. */
  | 'replyTooLarge'
  /** The reply is not a valid message. */
  | 'malformedReply'
  /** Any other status; `grpcCode` and `message` say which. */
  | 'other';

export interface EtcdErrorDetail {
  readonly code: EtcdErrorCode;
  /** etcd's or gRPC's own text, such as `etcdserver: mvcc: required revision has been compacted`. */
  readonly message: string;
  readonly endpoint: string;
  /** Numeric gRPC status, when the failure came from gRPC. */
  readonly grpcCode?: number;
  /** The RPC that failed: `authenticate` when a call could not be made for want of a token. */
  readonly method?: MethodName;
  readonly denied?: DeniedRead;
  readonly cause?: unknown;
}

/** What a user was not permitted to read. */
export interface DeniedRead {
  /** Undefined without one: a client certificate's name may stand for it. */
  readonly user: string | undefined;
  readonly key: Uint8Array;
  /** Absent for a single key. */
  readonly rangeEnd: Uint8Array | undefined;
}

export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly code: EtcdErrorCode;
  readonly endpoint: string;
  readonly grpcCode: number | undefined;
  readonly method: MethodName | undefined;
  /** Only of `permissionDenied`. */
  readonly denied: DeniedRead | undefined;

  constructor(detail: EtcdErrorDetail) {
    super(detail.message, { cause: detail.cause });
    this.code = detail.code;
    this.endpoint = detail.endpoint;
    this.grpcCode = detail.grpcCode;
    this.method = detail.method;
    this.denied = detail.denied;
  }
}

export function isEtcdError(error: unknown, code?: EtcdErrorCode): error is EtcdError {
  return error instanceof EtcdError && (code === undefined || error.code === code);
}
