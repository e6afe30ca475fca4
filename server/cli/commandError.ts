/** How a command failed, for the receipt's totals. */
import { isStoreError } from '../store/errors';
import { ListFailedError } from '../store/interfaces';
import { recordedError } from '../store/receipt';
import type { CommandError } from '../store/totals';
import { CliError, StoppedError } from './exit';

/** Of what a list rejects with, the engine's own code and text. */
export function commandError(error: unknown): CommandError {
  if (error instanceof ListFailedError) return commandError(error.cause);
  if (error instanceof CliError) return { code: error.code, message: error.message };
  if (error instanceof StoppedError) return { code: 'cancelled', message: error.message };
  const recorded = recordedError(error);
  const token = isStoreError(error) ? error.continueToken : undefined;
  return token === undefined ? recorded : { ...recorded, continue: token };
}
