/** A connection's configuration that cannot be used. The message is one sentence for a person. */
export class ConnectionConfigError extends Error {
  override readonly name = 'ConnectionConfigError';

  constructor(
    readonly field: 'endpoints' | 'tls' | 'auth' | 'limits',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
