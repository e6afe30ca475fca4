/**
 * The engine's error catalogue. `message` is upstream's text, whole; `code` is what callers branch
 * on; `status` and `reason` are those of the API server's answer where it has one.
 *
 * Upstream: `pkg/storage/errors.go`, `pkg/storage/etcd3/errors.go`,
 * `apimachinery/pkg/api/errors/errors.go`.
 */

export type StoreErrorCode =
  /** 400: token, version or option refused. */
  | 'badRequest'
  /** A bare error of upstream about the request, without a status (an unknown match). */
  | 'plain'
  /** A bare error of upstream about what etcd answered, such as an empty page that claims more. */
  | 'inconsistentReply'
  /** What a watch has told holds no more: etcd's revision went back, or another etcd answers. */
  | 'otherHistory'
  /** Key refused before anything is read (rule K1). */
  | 'invalidKey'
  /** 410 without a token. */
  | 'expired'
  /** 410 with a token to go on inconsistently (rule E1). */
  | 'expiredWithContinue'
  /** 504 "Too large resource version" (rules O4, E2). */
  | 'tooLargeResourceVersion'
  /** 429: the watch cache is not ready, or has not caught up in time. */
  | 'tooManyRequests'
  /** The watch cache would be, or became, larger than the limit set for it. */
  | 'cacheFull'
  /** One object could not be transformed (rule E3). */
  | 'internal'
  /** One object could not be decoded. */
  | 'undecodable'
  /** 500: unreadable objects were collected. */
  | 'storeRead'
  /** The request was aborted or ran out of time. */
  | 'timeout'
  | 'cancelled'
  /** A read would be larger than the byte budget; refused before it is made. */
  | 'overBudget'
  /** RangeStream was forced and this etcd refuses it. */
  | 'streamUnsupported'
  /** The transport failed; `cause` is its error. */
  | 'etcd';

export interface StatusCause {
  readonly type: string;
  readonly message: string;
  readonly field?: string;
}

export interface StoreErrorDetail {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly reason?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
  /** Token offered by a 410, to go on at the latest revision. */
  readonly continueToken?: string;
  /** The stored key concerned. */
  readonly key?: Uint8Array;
  /** Objects that could not be read, where several were collected; keys as stored. */
  readonly objects?: readonly UnreadableObject[];
  readonly cause?: unknown;
}

export interface UnreadableObject {
  readonly key: Uint8Array;
  readonly error: Error;
}

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly causes: readonly StatusCause[];
  readonly retryAfterSeconds: number | undefined;
  readonly continueToken: string | undefined;
  readonly key: Uint8Array | undefined;
  readonly objects: readonly UnreadableObject[];

  constructor(detail: StoreErrorDetail) {
    super(detail.message, { cause: detail.cause });
    this.code = detail.code;
    this.status = detail.status;
    this.reason = detail.reason;
    this.causes = detail.causes ?? [];
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.continueToken = detail.continueToken;
    this.key = detail.key;
    this.objects = detail.objects ?? [];
  }
}

export function isStoreError(error: unknown, code?: StoreErrorCode): error is StoreError {
  return error instanceof StoreError && (code === undefined || error.code === code);
}
