/** How the command line ends. The numbers are part of its documented interface. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  expired: 3,
  hungUp: 129,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A failure that is already worded for the person: `message` is printed as it stands. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    options?: CliErrorOptions,
  ) {
    super(message, options);
    this.code = options?.code ?? (exitCode === ExitCode.usage ? 'usage' : 'failed');
  }
}

export interface CliErrorOptions extends ErrorOptions {
  /** For the receipt's totals. */
  readonly code?: string;
}

/** The arguments are wrong; nothing was read. */
export function usageError(message: string, options?: CliErrorOptions): CliError {
  return new CliError(message, ExitCode.usage, options);
}

/** The arguments are right and the work could not be done. */
export function failure(message: string, options?: CliErrorOptions): CliError {
  return new CliError(message, ExitCode.failed, options);
}

export type StoppedBy = 'interrupt' | 'hangUp' | 'pipe';

/** The person stopped the work, the terminal closed, or whoever read the output went away. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor(readonly by: StoppedBy) {
    super(by === 'pipe' ? 'output closed' : 'interrupted');
  }
}
