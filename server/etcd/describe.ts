/** Transport failures in one sentence for a person: what happened, where, what to do. */
import { ConnectionConfigError } from './configError';
import { utf8Lossy } from '../common/bytes';
import { EtcdError, type DeniedRead, type EtcdErrorCode } from './errors';

type Sentence = (error: EtcdError) => string;

const sentences: Readonly<Record<EtcdErrorCode, Sentence>> = {
  compacted: ({ endpoint }) =>
    `The revision asked for is compacted away at ${endpoint}: list again at a newer one.`,
  futureRevision: ({ endpoint }) =>
    `The revision asked for is newer than what ${endpoint} has: ask for an older one, or wait.`,
  unimplemented: ({ endpoint, message, method }) =>
    method === 'rangeStream'
      ? `${endpoint} does not have this etcd method (${clean(message)}): a newer etcd may have it.`
      : `What answers at ${endpoint} speaks gRPC but is no etcd, or one older than 3.0 (${clean(message)}): check the address.`,
  notEtcd: ({ endpoint, message }) =>
    `What answers at ${endpoint} is not etcd's gRPC port (${clean(message)}): check the address and whether it needs https://.`,
  unavailable: ({ endpoint, message }) =>
    `etcd at ${endpoint} cannot be reached or cannot serve now (${clean(message)}): check the address and the member's health.`,
  deadline: ({ endpoint, message }) =>
    `etcd at ${endpoint} did not answer in time (${clean(message)}): try again, or raise the deadline.`,
  cancelled: ({ endpoint }) => `The call to ${endpoint} was cancelled.`,
  tls: ({ endpoint, message }) =>
    `The TLS connection to ${endpoint} failed (${clean(message)}): check the certificates, the server name, and that the port speaks TLS.`,
  authentication: ({ endpoint }) =>
    `etcd at ${endpoint} does not accept this user name and password: check both.`,
  permissionDenied: ({ endpoint, denied }) =>
    `${whoOf(denied)} may not read ${denied === undefined ? 'this range' : placeOf(denied)} at ${endpoint}: ask for a role that grants reading it.`,
  userEmpty: ({ endpoint }) =>
    `etcd at ${endpoint} requires a user and none is configured: set a user name and password.`,
  invalidAuthToken: ({ endpoint }) =>
    `etcd at ${endpoint} refused the session twice although the password was accepted: try again, and check the member's clock and auth settings.`,
  replyTooLarge: ({ endpoint, message }) =>
    `The reply from ${endpoint} is larger than the byte budget (${clean(message)}): ask for fewer keys, or raise the budget.`,
  malformedReply: ({ endpoint, message }) =>
    `The reply from ${endpoint} cannot be decoded (${clean(message)}): something between here and etcd changes it, or it is no etcd.`,
  other: ({ endpoint, message }) =>
    requestTooLarge.test(message)
      ? `etcd at ${endpoint} takes no request as large as this one (${clean(message)}): ask with shorter keys.`
      : `etcd at ${endpoint} refused the call: ${clean(message)}.`,
};

/** gRPC for Go about what it was sent. */
const requestTooLarge = /^grpc: received message .*larger than max/;

function whoOf(denied: DeniedRead | undefined): string {
  if (denied?.user === undefined) return 'The user of this connection';
  return `The etcd user ${JSON.stringify(clean(denied.user))}`;
}

/** The key, or the prefix that the range lies in, with dots for what follows. */
function placeOf({ key, rangeEnd }: DeniedRead): string {
  if (rangeEnd === undefined) return clean(utf8Lossy(key));
  const last = rangeEnd.at(-1) ?? 0;
  const prefix = Uint8Array.of(...rangeEnd.subarray(0, -1), last - 1);
  const within = last > 0 && prefix.every((byte, i) => byte === key[i]);
  return `${clean(utf8Lossy(within ? prefix : key))}…`;
}

/** Never holds a password or token; a server's own text is cut to one line of 300 characters. */
export function describeEtcdError(error: unknown): string {
  if (error instanceof ConnectionConfigError) return error.message;
  if (error instanceof EtcdError) return sentences[error.code](error);
  return error instanceof Error ? error.message : String(error);
}

/** The text came from the network, so it may hold anything. */
function clean(text: string): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const short = oneLine.length > 300 ? `${oneLine.slice(0, 300)}…` : oneLine;
  return short.replace(/\.$/, '');
}
