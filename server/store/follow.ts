/** Going from one page of a client's list to the next through its continue token. */
import { compareBytes } from '../common/bytes';
import { decodeContinue, tokenCarriesKey } from './continueToken';
import type { ListOptions } from './interfaces';

/** A token carries its own revision; a version beside it would be refused. */
export function nextOptions(options: ListOptions, continueToken: string): ListOptions {
  return {
    ...options,
    resourceVersion: '',
    resourceVersionMatch: '',
    predicate: { ...options.predicate, continueToken },
  };
}

/**
 * Where a token leads from the last key examined. Keys that are not UTF-8 change inside a token: it
 * may lead too far, so that keys are skipped, or back, so that following would never end.
 */
export type TokenLead = 'exact' | 'onward' | 'back';

export function tokenLead(
  token: string,
  keyPrefix: Uint8Array,
  lastKey: Uint8Array | undefined,
): TokenLead {
  if (lastKey === undefined || tokenCarriesKey(token, keyPrefix, lastKey)) return 'exact';
  const start = tokenStart(token, keyPrefix);
  return start !== undefined && compareBytes(start, lastKey) > 0 ? 'onward' : 'back';
}

function tokenStart(token: string, keyPrefix: Uint8Array): Uint8Array | undefined {
  try {
    return decodeContinue(token, keyPrefix).key;
  } catch {
    return undefined;
  }
}
