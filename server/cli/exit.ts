/** How the command line ends. The numbers are part of its documented interface. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  expired: 3,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A failure that is already worded for the person: `message` is printed as it stands. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The arguments are wrong; nothing was read. */
export function usageError(message: string, options?: ErrorOptions): CliError {
  return new CliError(message, ExitCode.usage, options);
}

/** The arguments are right and the work could not be done. */
export function failure(message: string, options?: ErrorOptions): CliError {
  return new CliError(message, ExitCode.failed, options);
}

/** The person stopped the work, or whoever read the output went away. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor(readonly by: 'interrupt' | 'pipe') {
    super(by === 'interrupt' ? 'interrupted' : 'output closed');
  }
}
