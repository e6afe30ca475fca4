/** Failures as they cross a border. */

export type FailureCode =
  /** Wrong usage: a selector, token, version, limit or resource that is refused. */
  | 'badRequest'
  /** 410 without a token. */
  | 'expired'
  /** 410 that offers `continueToken`. */
  | 'expiredWithContinue'
  | 'tooLargeResourceVersion'
  /** One stored object cannot be read; `key` names it. */
  | 'unreadable'
  | 'overBudget'
  | 'streamUnsupported'
  | 'cancelled'
  | 'timeout'
  /** The transport failed; the sentence says how. */
  | 'etcd'
  | 'notConnected'
  /** The workspace is not trusted: the network stays off. */
  | 'untrusted'
  /** A fault of ours. */
  | 'internal';

/** One clear sentence for a person, and what a program may branch on. */
export interface Failure {
  readonly code: FailureCode;
  /** What is wrong, where, and what to do; plain text. */
  readonly sentence: string;
  /** Upstream's own text, where it has one. */
  readonly upstream?: string;
  /** HTTP status of the API server's answer, where it has one. */
  readonly status?: number;
  /** Offered by a 410, to go on at the latest revision. */
  readonly continueToken?: string;
  /** The stored key concerned, printable. */
  readonly key?: string;
  /** A secret to ask the person for before trying again: none was given, or a wrong one. */
  readonly needs?: 'password' | 'passphrase';
}

/** Of a request whose answer cannot come any more. */
export const serverEnded: Failure = {
  code: 'internal',
  sentence: 'The language server ended before it answered: try again, and see the log for why.',
};

export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
