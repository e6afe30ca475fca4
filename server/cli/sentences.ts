/** One clear sentence, and an exit code, for everything that can go wrong. */
import { ConnectionConfigError } from '../etcd/configError';
import { describeEtcdError } from '../etcd/describe';
import { isEtcdError, type EtcdError, type EtcdErrorCode } from '../etcd/errors';
import { SelectorError } from '../kube/selectors/types';
import { StoreError, type StoreErrorCode } from '../store/errors';
import { ListFailedError } from '../store/interfaces';
import { TargetError } from '../targets/errors';
import { CliError, ExitCode, StoppedError } from './exit';
import { cell } from './output/text';
import { printSize, thousands } from './quantities';
import { SKIP_HINT, unreadableText } from './unreadableObjects';

export interface Explained {
  /** What is printed, without `error:`; empty for silence. May hold several lines. */
  readonly text: string;
  readonly exitCode: ExitCode;
}

/** How to go on after a 410, as a whole command. */
export type ContinueHint = (token: string) => string;

export function explain(error: unknown, continueHint?: ContinueHint): Explained {
  if (error instanceof ListFailedError) return explain(error.cause, continueHint);
  if (error instanceof CliError) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof StoppedError) return stopped(error);
  if (error instanceof StoreError) return explainStore(error, continueHint);
  if (isEtcdError(error)) return explainEtcd(error);
  if (error instanceof ConnectionConfigError) return usage(error.message);
  if (error instanceof SelectorError) return usage(error.message);
  if (error instanceof TargetError) return explainTarget(error);
  return failed(unexpected(error));
}

function explainEtcd(error: EtcdError): Explained {
  const exitCode = error.code === 'compacted' ? ExitCode.expired : ExitCode.failed;
  return { text: etcdSentence(error), exitCode };
}

function explainTarget({ kind, message }: TargetError): Explained {
  if (kind === 'unknownResource')
    return usage(`${message}; "etcd-list resources" says what is stored`);
  return failed(`${message}; list its prefix, such as /registry/GROUP/PLURAL/, instead`);
}

const failed = (text: string): Explained => ({ text, exitCode: ExitCode.failed });
const usage = (text: string): Explained => ({ text, exitCode: ExitCode.usage });

function stopped({ by }: StoppedError): Explained {
  if (by === 'pipe') return { text: '', exitCode: ExitCode.done };
  const exitCode = by === 'hangUp' ? ExitCode.hungUp : ExitCode.interrupted;
  return { text: 'interrupted', exitCode };
}

/** Standard output is all that this program writes to and may fail on. */
const WRITE_FAILURES: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no space left'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file is too large'],
  ['EIO', 'input/output error'],
  ['EBADF', 'it is not open for writing'],
]);

/** The last resort: never a stack trace, and no control characters. */
function unexpected(error: unknown): string {
  const { code, syscall, path } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code !== undefined && syscall === 'write' && path === undefined) {
    return `cannot write to standard output: ${WRITE_FAILURES.get(code) ?? cell(code)}`;
  }
  if (code !== undefined && syscall !== undefined) {
    const where = path === undefined ? '' : ` ${cell(path)}`;
    return `cannot ${cell(syscall)}${where}: ${cell(code)}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return `something unforeseen went wrong: ${cell(message)}`;
}

type Explain = (error: StoreError, hint: ContinueHint | undefined) => Explained;

const byCode: Readonly<Record<StoreErrorCode, Explain>> = {
  badRequest: (error) => usage(refused(error)),
  plain: (error) => usage(`the request is refused: ${cell(error.message)}`),
  inconsistentReply: (error) =>
    failed(
      `${cell(error.message)}: the answers of this etcd do not fit together; check that nothing stands between that is no etcd`,
    ),
  otherHistory: (error) => failed(`the watch cannot go on: ${cell(error.message)}`),
  invalidKey: (error) =>
    usage(
      `${cell(error.message)}: a key has no empty, "." or ".." parts; check the name or prefix`,
    ),
  expired: (error) => ({
    text: `410 Expired: ${error.message}\nthe revision asked for is compacted away: leave out --resource-version and --continue to list the current state`,
    exitCode: ExitCode.expired,
  }),
  expiredWithContinue: (error, hint) => ({
    text: expiredWithContinue(error, hint),
    exitCode: ExitCode.expired,
  }),
  tooLargeResourceVersion: (error) =>
    failed(
      `${error.message}: this revision is not reached yet; ask for one up to the current, or check that this is the right etcd`,
    ),
  tooManyRequests: (error) =>
    failed(
      `429 Too Many Requests: ${inSizes(cell(error.message))}: the watch cache cannot answer now`,
    ),
  cacheFull: (error) =>
    failed(
      `${inSizes(cell(error.message))}: allow more with --watch-cache-limit, or list from etcd`,
    ),
  internal: (error) => failed(unreadableText(error, SKIP_HINT)),
  undecodable: (error) => failed(unreadableText(error, SKIP_HINT)),
  storeRead: (error) => failed(unreadableText(error, SKIP_HINT)),
  timeout: (error) => failed(`the time for the command ran out: ${cell(error.message)}`),
  cancelled: () => ({ text: 'interrupted', exitCode: ExitCode.interrupted }),
  overBudget: (error) => failed(overBudget(error)),
  streamUnsupported: (error) =>
    failed(
      `${cell(error.message)}, and --stream=force does not fall back: use --stream=auto for pages`,
    ),
  etcd: (error) =>
    failed(isEtcdError(error.cause) ? etcdSentence(error.cause) : cell(error.message)),
};

function explainStore(error: StoreError, hint: ContinueHint | undefined): Explained {
  return byCode[error.code](error, hint);
}

function refused(error: StoreError): string {
  const text = cell(error.message);
  if (error.message.startsWith('invalid continue token')) {
    return `${text}\n--continue takes the token of an earlier page as it was printed, for the same resource and namespace; "etcd-list token decode" shows what it says`;
  }
  if (error.message.includes('when using continue')) {
    return `${text}: a token carries its own revision, so leave out --resource-version`;
  }
  return `the request is refused: ${text}`;
}

function expiredWithContinue(error: StoreError, hint: ContinueHint | undefined): string {
  const lines = [`410 Expired: ${error.message}`];
  const token = error.continueToken;
  if (token !== undefined) {
    lines.push(`continue token: ${token}`);
    if (hint !== undefined) lines.push(`to go on, inconsistently: ${hint(token)}`);
  }
  return lines.join('\n');
}

/** Keys and bytes as people read them, where a text of the engine or of gRPC counts them. */
function inSizes(text: string): string {
  const size = (digits: string | undefined): string => printSize(Number(digits));
  return text
    .replace(
      /\breading (\d+) keys\b/,
      (_, keys: string) => `reading ${thousands(BigInt(keys))} keys`,
    )
    .replace(
      /\b(\d+) (objects|earlier states)\b/g,
      (_, count: string, what: string) => `${thousands(BigInt(count))} ${what}`,
    )
    .replace(/\babout (\d+) bytes\b/, (_, digits: string) => `about ${size(digits)}`)
    .replace(
      /\b(budget|limit) of (\d+)\b/,
      (_, what: string, digits: string) => `${what} of ${size(digits)}`,
    )
    .replace(
      /^.*\((\d+) vs\. (\d+)\)$/,
      (_, came: string, most: string) => `${size(came)}, and ${size(most)} are allowed`,
    );
}

/** Refused by an estimate before the read, or by the transport when the reply came. */
function overBudget(error: StoreError): string {
  const text = cell(error.message);
  const what = isEtcdError(error.cause)
    ? `one reply is larger than the byte budget (${inSizes(text)})`
    : inSizes(text);
  return `${what}: ask for smaller pages with --chunk-size or --limit, or allow larger replies with --byte-budget`;
}

const FLAGS: Partial<Record<EtcdErrorCode, (message: string) => string>> = {
  deadline: () => ' The flag is --command-timeout.',
  userEmpty: () => ' The flags are --user and --password-file.',
  tls: tlsRemedy,
  unavailable: (message) => (message.includes('expects TLS') ? WANTS_TLS : ''),
};

const WANTS_TLS =
  ' For TLS write https:// before the endpoint, or give --insecure-transport=false.';

const TLS_REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /self[- ]signed|unable to (get|verify)|issuer certificate/i,
    ' To trust the server give the CA that signed its certificate with --cacert.',
  ],
  [
    /certificate required|bad certificate|handshake failure/i,
    ' If the server asks for a client certificate, give one that it trusts with --cert and --key.',
  ],
  [
    /wrong version number|packet length too long|record layer|EPROTO/i,
    ' If the port speaks plain text, write http:// instead of https:// and leave out the TLS flags and --insecure-transport=false.',
  ],
  [/altnames/i, ' Ask for the endpoint by a name or address that its certificate holds.'],
];

function tlsRemedy(message: string): string {
  return TLS_REMEDIES.find(([pattern]) => pattern.test(message))?.[1] ?? '';
}

/** The transport's sentence, with the flags of this command line where it asks for a setting. */
export function etcdSentence(error: EtcdError): string {
  return describeEtcdError(error) + (FLAGS[error.code]?.(error.message) ?? '');
}
