/**
 * The failures an etcd server answers with: gRPC code and text of upstream's
 * `api/v3rpc/rpctypes/error.go`.
 */
import { status } from '@grpc/grpc-js';

/** Ends a call with this gRPC status. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly code: status;
  readonly details: string;

  constructor(code: status, details: string) {
    super(details);
    this.code = code;
    this.details = details;
  }
}

const invalid = (text: string) => (): CallFailure =>
  new CallFailure(status.INVALID_ARGUMENT, `etcdserver: ${text}`);

const outOfRange = (text: string) => (): CallFailure =>
  new CallFailure(status.OUT_OF_RANGE, `etcdserver: mvcc: ${text}`);

export const failures = {
  emptyKey: invalid('key is not provided'),
  keyNotFound: invalid('key not found'),
  valueProvided: invalid('value is provided'),
  leaseProvided: invalid('lease is provided'),
  tooManyOps: invalid('too many operations in txn request'),
  duplicateKey: invalid('duplicate key given in txn request'),
  invalidSortOption: invalid('invalid sort option'),
  requestTooLarge: invalid('request is too large'),
  compacted: outOfRange('required revision has been compacted'),
  futureRevision: outOfRange('required revision is a future revision'),
  leaseNotFound: () => new CallFailure(status.NOT_FOUND, 'etcdserver: requested lease not found'),
  authNotEnabled: () =>
    new CallFailure(status.FAILED_PRECONDITION, 'etcdserver: authentication is not enabled'),
  unimplemented: (text: string) => new CallFailure(status.UNIMPLEMENTED, text),
} as const;

/** What grpc-go answers for a method that its service does not have. */
export function unknownMethod(path: string): CallFailure {
  const [service = '', method = ''] = path.replace(/^\//, '').split('/');
  return failures.unimplemented(`unknown method ${method} for service ${service}`);
}
