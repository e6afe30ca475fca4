/** Why a stored value cannot be read, in words for people. */
import { TransformError } from '../../kube/decode/errors';
import { cell } from './text';

/** Names provider and key of an encrypted value; else the decoder's own text. Safe to print. */
export function unreadableReason(error: unknown): string {
  if (error instanceof TransformError) return cell(error.sentence);
  return cell(error instanceof Error ? error.message : String(error));
}
