/**
 * Makes an `EtcdError` of a gRPC status: by its code first, by etcd's text second. grpc-js gives its
 * own failures (connection, TLS, HTTP replies, sizes) gRPC codes too; those are told by their text.
 */
import { status } from '@grpc/grpc-js';
import type { ReadMethod } from './allowList';
import { EtcdError, type EtcdErrorCode } from './errors';

/** As a plain number: a status from the network need not be one of the enum. */
const UNAVAILABLE: number = status.UNAVAILABLE;

const httpStatus = /^Received HTTP status code \d+/;

export interface Failure {
  readonly code: number;
  readonly details: string;
  /** The reply's content type, when a reply began. */
  readonly contentType?: string | undefined;
  readonly cause?: unknown;
}

export interface Where {
  readonly endpoint: string;
  readonly method: ReadMethod;
}

export function translateFailure(failure: Failure, where: Where): EtcdError {
  return new EtcdError({
    code: codeOf(failure),
    message: messageOf(failure),
    ...where,
    grpcCode: failure.code,
    cause: failure.cause,
  });
}

/** etcd's texts (`api/v3rpc/rpctypes/error.go`) that callers branch on. */
const etcdTexts: ReadonlyMap<string, EtcdErrorCode> = new Map<string, EtcdErrorCode>([
  ['etcdserver: mvcc: required revision has been compacted', 'compacted'],
  ['etcdserver: mvcc: required revision is a future revision', 'futureRevision'],
  ['etcdserver: permission denied', 'permissionDenied'],
  ['etcdserver: invalid auth token', 'invalidAuthToken'],
  ['etcdserver: revision of auth store is old', 'invalidAuthToken'],
  ['etcdserver: user name is empty', 'userEmpty'],
  ['etcdserver: authentication failed, invalid user ID or password', 'authentication'],
]);

const byGrpcCode: ReadonlyMap<number, (failure: Failure) => EtcdErrorCode> = new Map([
  [status.CANCELLED, textOr('other')],
  [status.UNKNOWN, textOr('other')],
  [status.INVALID_ARGUMENT, textOr('other')],
  [status.OUT_OF_RANGE, textOr('other')],
  [status.FAILED_PRECONDITION, textOr('other')],
  [status.UNAUTHENTICATED, textOr('authentication')],
  [status.PERMISSION_DENIED, () => 'permissionDenied'],
  [status.DEADLINE_EXCEEDED, () => 'deadline'],
  [status.UNIMPLEMENTED, unimplemented],
  [status.UNAVAILABLE, unavailable],
  [status.RESOURCE_EXHAUSTED, exhausted],
]);

function codeOf(failure: Failure): EtcdErrorCode {
  if (!speaksGrpc(failure)) return 'notEtcd';
  return byGrpcCode.get(failure.code)?.(failure) ?? 'other';
}

function textOr(otherwise: EtcdErrorCode): (failure: Failure) => EtcdErrorCode {
  return (failure) => etcdTexts.get(failure.details) ?? otherwise;
}

/**
 * False for an HTTP reply that is no gRPC: grpc-js maps its status to a gRPC code (404 to
 * Unimplemented). 429 and 502 to 504 come from a proxy whose etcd is away, so they stay unavailable.
 */
function speaksGrpc(failure: Failure): boolean {
  if (failure.code === UNAVAILABLE) return true;
  if (httpStatus.test(failure.details)) return false;
  return failure.contentType === undefined || isGrpcContentType(failure.contentType);
}

function isGrpcContentType(contentType: string): boolean {
  return contentType.toLowerCase().startsWith('application/grpc');
}

/** grpc-js says Unimplemented also when a unary call ends with no message, or with two. */
function unimplemented({ details }: Failure): EtcdErrorCode {
  const broken = details === 'No message received' || details === 'Too many responses received';
  return broken ? 'malformedReply' : 'unimplemented';
}

const tlsTrouble =
  /certificate|altnames|self[- ]signed|SSL routines|wrong version number|\bEPROTO\b|tlsv1|ERR_TLS|ERR_SSL|TLS (connection|handshake)|secure TLS/i;
const protocolTrouble = /Protocol error|ERR_HTTP2|Parse Error|frame size/i;

function unavailable({ details }: Failure): EtcdErrorCode {
  if (details.startsWith('etcdserver:')) return 'unavailable';
  if (tlsTrouble.test(details)) return 'tls';
  return protocolTrouble.test(details) ? 'notEtcd' : 'unavailable';
}

/** grpc-js about a reply; a server that finds our request too large says so in other words. */
function exhausted({ details }: Failure): EtcdErrorCode {
  return /^Received message .*larger than/.test(details) ? 'replyTooLarge' : 'other';
}

/** What the person reads: the innermost cause, without grpc-js's wrapping, codes and times. */
function messageOf({ code, details, contentType }: Failure): string {
  const foreign = contentType !== undefined && !isGrpcContentType(contentType);
  if (foreign && !httpStatus.test(details)) return `the reply is ${contentType}, not gRPC`;
  const waited = /^Deadline exceeded after ([\d.]+)s/.exec(details)?.[1];
  if (waited !== undefined) return `no answer within ${Math.round(Number(waited) * 1000)} ms`;
  const text = tidyDetails(details);
  if (text === 'Failed to connect') {
    return 'the server closed the connection before HTTP/2 began; perhaps it expects TLS, so https://';
  }
  return text || `gRPC status ${code}`;
}

function tidyDetails(details: string): string {
  const wrapped =
    /^No connection established\. Last error: (.*?)(?:\. Resolution note: .*)?$/s.exec(details);
  return (wrapped?.[1] ?? details)
    .replace(/ \(\d{4}-\d\d-\d\dT[\d:.]+Z\)/g, '')
    .replace(/^(?:Error(?: \[\w+\])?: )+/, '')
    .replace(openSslError, '$1')
    .trim();
}

/** `id:error:code:library:function:reason:file:line:alert`, of which the reason is text. */
const openSslError = /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):.*$/s;
