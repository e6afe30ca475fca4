/** Everything that can go wrong, as the one sentence and code that cross the border. */
import { LSPErrorCodes, ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { ConnectionConfigError } from '../etcd/configError';
import { describeEtcdError } from '../etcd/describe';
import { EtcdError, type EtcdErrorCode } from '../etcd/errors';
import { DecodeError, TransformError } from '../kube/decode/errors';
import { cellText } from '../kube/print/cellText';
import { keyText } from '../kube/print/keyText';
import { SelectorError } from '../kube/selectors';
import type { Failure, FailureCode } from '../protocol/errors';
import { bytes, mebibytes, thousands } from '../protocol/format';
import { StoreError, type StoreErrorCode } from '../store/errors';
import { ListFailedError } from '../store/interfaces';
import { TargetError } from '../targets/errors';

/** A failure that is already worded. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  constructor(
    readonly failure: Failure,
    cause?: unknown,
  ) {
    super(failure.sentence, { cause });
  }
}

/** The parameters of a request are not what the protocol says. */
export class InvalidParamsError extends FailureError {
  constructor(sentence: string) {
    super({ code: 'badRequest', sentence });
  }
}

/** Most of a text from elsewhere that a sentence repeats, in UTF-16 units. */
const LONGEST_REPEATED = 500;

/** Text from elsewhere as part of a sentence: one line, nothing hidden in it, not too long. */
export function plainText(text: string): string {
  const cut = text.length > LONGEST_REPEATED ? `${text.slice(0, LONGEST_REPEATED)}…` : text;
  return cellText(cut);
}

export const refuse = (sentence: string, upstream?: string): FailureError =>
  new FailureError({
    code: 'badRequest',
    sentence,
    ...(upstream === undefined ? {} : { upstream }),
  });

const outside: ReadonlySet<FailureCode> = new Set(['etcd', 'timeout', 'overBudget', 'unreadable']);

/** Whether it is the etcd or what it stores that failed; its sentence may go into the log. */
export const isOutside = ({ code }: Failure): boolean => outside.has(code);

const unreachable: ReadonlySet<EtcdErrorCode> = new Set([
  'unavailable',
  'deadline',
  'notEtcd',
  'tls',
]);

/** Whether etcd itself did not answer, at whatever depth that is the cause. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof EtcdError) return unreachable.has(error.code);
  return error instanceof Error && error.cause !== undefined && isUnreachable(error.cause);
}

export const cancelled = (sentence = 'Stopped.'): FailureError =>
  new FailureError({ code: 'cancelled', sentence });

export function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  if (error instanceof ListFailedError) return failureOf(error.cause);
  if (error instanceof StoreError) return storeFailure(error);
  if (error instanceof EtcdError) return etcdFailure(error);
  if (error instanceof ConnectionConfigError) return configFailure(error);
  if (error instanceof TargetError) return targetFailure(error);
  if (error instanceof SelectorError) {
    const sentence = `The selector is refused: ${withoutPeriod(plainText(error.message))}; ${SELECTOR_HINT}.`;
    return { code: 'badRequest', sentence, upstream: error.message };
  }
  if (error instanceof DecodeError || error instanceof TransformError) {
    const sentence = `An object cannot be read: ${unreadableText(error)}; look at its stored value.`;
    return { code: 'unreadable', sentence };
  }
  return {
    code: 'internal',
    sentence: `Something failed inside the language server (${withoutPeriod(plainText(textOf(error)))}): try again, and see the log for more.`,
  };
}

/** What a request is answered with when its handler threw. */
export function responseError(error: unknown): ResponseError<Failure> {
  const failure = failureOf(error);
  return new ResponseError(rpcCode(error, failure), failure.sentence, failure);
}

function rpcCode(error: unknown, { code }: Failure): number {
  if (error instanceof InvalidParamsError) return ErrorCodes.InvalidParams;
  if (code === 'cancelled') return LSPErrorCodes.RequestCancelled;
  return code === 'internal' ? ErrorCodes.InternalError : LSPErrorCodes.RequestFailed;
}

const etcdCodes: Partial<Record<EtcdErrorCode, FailureCode>> = {
  cancelled: 'cancelled',
  deadline: 'timeout',
  replyTooLarge: 'overBudget',
  compacted: 'expired',
};

/** Where to do what the transport's sentence asks for. */
const SETTINGS: Partial<Record<EtcdErrorCode, string>> = {
  deadline: 'the setting etcdList.deadlineSeconds',
  replyTooLarge: 'the setting etcdList.byteBudgetMiB, then connect again',
  userEmpty: '"user" of the connection in etcdList.connections; the password is asked for',
  other: "see etcd's own log for more",
};

function etcdFailure(error: EtcdError): Failure {
  const where = SETTINGS[error.code];
  const said = inSizes(withoutPeriod(describeEtcdError(error)));
  return {
    code: etcdCodes[error.code] ?? 'etcd',
    sentence: where === undefined ? `${said}.` : `${said} (${where}).`,
    ...(error.code === 'authentication' ? { needs: 'password' as const } : {}),
  };
}

function configFailure(error: ConnectionConfigError): Failure {
  return {
    code: 'badRequest',
    sentence: plainText(error.message),
    ...(error.part === 'passphrase' ? { needs: 'passphrase' as const } : {}),
  };
}

function targetFailure({ kind, message }: TargetError): Failure {
  const what = plainText(message.charAt(0).toUpperCase() + message.slice(1));
  return kind === 'unknownResource'
    ? { code: 'badRequest', sentence: `${what}; choose one of the list.` }
    : {
        code: 'unreadable',
        sentence: `${what}; list its prefix, such as /registry/GROUP/PLURAL/, instead.`,
      };
}

const MIB = 1024 * 1024;

/** Keys with separators, bytes in units, and the budget as its setting has it. */
function inSizes(text: string): string {
  const budget = (digits: string): string => `${thousands(Math.round(Number(digits) / MIB))} MiB`;
  return text
    .replace(/\breading (\d+) keys\b/, (_, keys: string) => `reading ${thousands(keys)} keys`)
    .replace(/\babout (\d+) bytes\b/, (_, size: string) => `about ${bytes(Number(size))}`)
    .replace(/\bbudget of (\d+)\b/, (_, most: string) => `budget of ${budget(most)}`)
    .replace(
      /\bReceived message larger than max \((\d+) vs\.? (\d+)\)/i,
      (_, came: string, most: string) => `${bytes(Number(came))}, and ${budget(most)} are allowed`,
    );
}

/** As the question before it has them: objects with separators, memory in the unit of its setting. */
function inMemory(text: string): string {
  return text
    .replace(/\b(\d+) objects\b/, (_, objects: string) => `${thousands(objects)} objects`)
    .replace(
      /\babout (\d+) bytes, more than its limit of (\d+)/,
      (_, size: string, most: string) => {
        const [taken, limit] = [mebibytes(Number(size)), mebibytes(Number(most))];
        return taken === limit
          ? `a little more than its limit of ${limit}`
          : `about ${taken}, more than its limit of ${limit}`;
      },
    );
}

interface Wording {
  readonly code: FailureCode;
  readonly sentence: (text: string, error: StoreError) => string;
}

export const SELECTOR_HINT = 'write it as kubectl takes it, such as app=web,tier in (a,b)';

/** The API server's refusal with what to do about it. `text` is made plain already. */
export function refusedSentence(text: string): string {
  const hint = text.startsWith('invalid continue token')
    ? 'start again without the token, or look at it in the token inspector'
    : 'make resourceVersion, its match and the token go together';
  return `The request is refused: ${text}; ${hint}.`;
}

const refusal: Wording = {
  code: 'badRequest',
  sentence: refusedSentence,
};
const unreadable: Wording = {
  code: 'unreadable',
  sentence: (text, error) => {
    const key = error.key === undefined ? 'An object' : keyText(error.key);
    const cause = error.cause instanceof TransformError ? error.cause.sentence : text;
    return `${key} cannot be read: ${withoutPeriod(plainText(cause))}. Leave out unreadable objects to go on without it.`;
  },
};

/** Objects that a sentence names; how many more there are is said. */
const NAMED_OBJECTS = 3;

/** Of several that were collected before the list failed. */
function unreadableObjects(text: string, { objects }: StoreError): string {
  if (objects.length === 0) {
    return `Objects cannot be read: ${text}. Leave out unreadable objects to go on without them.`;
  }
  const named = objects
    .slice(0, NAMED_OBJECTS)
    .map(({ key, error }) => `${keyText(key)} cannot be read: ${unreadableText(error)}`);
  const left = objects.length - named.length;
  const more = left === 0 ? '' : `; ${left} more`;
  const them = objects.length === 1 ? 'it' : 'them';
  return `${named.join('; ')}${more}. Leave out unreadable objects to go on without ${them}.`;
}

const byCode: Readonly<Record<StoreErrorCode, Wording>> = {
  badRequest: refusal,
  plain: refusal,
  inconsistentReply: {
    code: 'etcd',
    sentence: (text) =>
      `The answers of this etcd do not fit together: ${text}. Check what stands between you and it.`,
  },
  otherHistory: { code: 'etcd', sentence: (text) => `The watch cannot go on: ${text}.` },
  invalidKey: {
    code: 'badRequest',
    sentence: (text) =>
      `${text}: a key has no empty, "." or ".." parts; check the namespace or prefix.`,
  },
  expired: {
    code: 'expired',
    sentence: () =>
      'The revision asked for is compacted away (410 Expired): start again at the current state.',
  },
  expiredWithContinue: {
    code: 'expiredWithContinue',
    sentence: () =>
      'The revision of this list is compacted away (410 Expired): start again, or continue at the latest revision, where what changed meanwhile may be missing or doubled.',
  },
  tooLargeResourceVersion: {
    code: 'tooLargeResourceVersion',
    sentence: (text) =>
      `${text}: this revision is not reached yet; ask for one up to the current, or check that this is the right etcd.`,
  },
  tooManyRequests: {
    code: 'timeout',
    sentence: (text) => `The watch cache cannot answer now (429): ${text}; try again.`,
  },
  cacheFull: {
    code: 'overBudget',
    sentence: (text) =>
      `Too large for its limit: ${inMemory(text)}. Raise the setting etcdList.watchCache.memoryLimitMiB, stop another watch cache, or serve the list from etcd.`,
  },
  internal: unreadable,
  undecodable: unreadable,
  storeRead: { code: 'unreadable', sentence: unreadableObjects },
  timeout: {
    code: 'timeout',
    sentence: (text) =>
      `The time for the list ran out: ${text}; try again, or raise the setting etcdList.deadlineSeconds.`,
  },
  cancelled: { code: 'cancelled', sentence: () => 'Stopped.' },
  overBudget: {
    code: 'overBudget',
    sentence: (text) =>
      `Too large for one reply: ${inSizes(text)}; set a limit, or raise the setting etcdList.byteBudgetMiB and connect again.`,
  },
  streamUnsupported: {
    code: 'streamUnsupported',
    sentence: () => 'This etcd does not have RangeStream: read with pages.',
  },
  etcd: {
    code: 'etcd',
    sentence: (text) => `etcd refused the read (${text}): see its own log for why.`,
  },
};

/** Texts of ours or of etcd, which no API server would answer with. */
const ownTexts: ReadonlySet<StoreErrorCode> = new Set([
  'undecodable',
  'otherHistory',
  'overBudget',
  'cacheFull',
  'streamUnsupported',
  'cancelled',
  'etcd',
]);

function storeFailure(error: StoreError): Failure {
  if (error.code === 'etcd' && error.cause instanceof EtcdError) return etcdFailure(error.cause);
  const { code, sentence } = byCode[error.code];
  const key = error.key ?? (error.objects.length === 1 ? error.objects[0]?.key : undefined);
  return {
    code,
    sentence: sentence(withoutPeriod(plainText(error.message)), error),
    ...(ownTexts.has(error.code) ? {} : { upstream: error.message }),
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.continueToken === undefined ? {} : { continueToken: error.continueToken }),
    ...(key === undefined ? {} : { key: keyText(key) }),
  };
}

function unreadableText(error: Error): string {
  return withoutPeriod(plainText(error instanceof TransformError ? error.sentence : error.message));
}

const withoutPeriod = (text: string): string => text.replace(/\.$/, '');

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
