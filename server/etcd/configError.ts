export type TlsPart = 'ca' | 'cert' | 'key' | 'passphrase';

/** A connection's configuration that cannot be used. The message is one sentence for a person. */
export class ConnectionConfigError extends Error {
  override readonly name = 'ConnectionConfigError';

  constructor(
    readonly field: 'endpoints' | 'tls' | 'auth' | 'limits',
    message: string,
    cause?: unknown,
    /** Which of the TLS settings is at fault, where that can be told. */
    readonly part?: TlsPart,
  ) {
    super(message, { cause });
  }
}
