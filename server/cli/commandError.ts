/** How a command failed, for the receipt's totals. */
import { isStoreError } from '../store/errors';
import { ListFailedError } from '../store/interfaces';
import { recordedError } from '../store/receipt';
import { CliError, StoppedError } from './exit';

export interface CommandError {
  readonly code: string;
  readonly message: string;
  /** The token that a 410 offers, to go on inconsistently. */
  readonly continue?: string;
}

/** Of what a list rejects with, the engine's own code and text. */
export function commandError(error: unknown): CommandError {
  if (error instanceof ListFailedError) return commandError(error.cause);
  if (error instanceof CliError) return { code: error.code, message: error.message };
  if (error instanceof StoppedError) return { code: 'cancelled', message: error.message };
  const recorded = recordedError(error);
  const token = isStoreError(error) ? error.continueToken : undefined;
  return token === undefined ? recorded : { ...recorded, continue: token };
}
