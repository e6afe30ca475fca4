/** From a client's options to a revision and a start key (rules O1 to O3). */
import { badRequest, plainError } from './errorTexts';
import { decodeContinue, TokenError, type DecodedToken } from './continueToken';
import type { ListOptions } from './interfaces';
import { parseRequestedVersion } from './resourceVersion';

export interface ReadPosition {
  /** Revision to read at as int64; 0 is the latest. */
  readonly revision: bigint;
  /** Absolute key to go on from; undefined without a token. */
  readonly continueKey: Uint8Array | undefined;
}

function decodeOrRefuse(token: string, keyPrefix: Uint8Array): DecodedToken {
  try {
    return decodeContinue(token, keyPrefix);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw badRequest(`invalid continue token: ${error.message}`, error);
  }
}

function continued(options: ListOptions, keyPrefix: Uint8Array): ReadPosition {
  const token = decodeOrRefuse(options.predicate.continueToken, keyPrefix);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const pinned = token.resourceVersion > 0n ? token.resourceVersion : 0n;
  return { revision: pinned, continueKey: token.key };
}

function pinnedRevision(options: ListOptions, parsed: bigint): bigint {
  // Upstream converts to int64, so versions above 2^63 wrap negative.
  const revision = BigInt.asIntN(64, parsed);
  switch (options.resourceVersionMatch) {
    case 'NotOlderThan':
      return 0n;
    case 'Exact':
      return revision;
    case '':
      return options.recursive && options.predicate.limit > 0n && parsed > 0n ? revision : 0n;
    default:
      throw plainError(`unknown ResourceVersionMatch value: ${options.resourceVersionMatch}`);
  }
}

/**
 * Validates once, at the door. Throws `StoreError`: `badRequest` for a token or version, `plain` for
 * an unknown match. Upstream: `storage.ValidateListOptions`.
 */
export function validateListOptions(keyPrefix: Uint8Array, options: ListOptions): ReadPosition {
  if (options.recursive && options.predicate.continueToken !== '') {
    return continued(options, keyPrefix);
  }
  if (options.resourceVersion === '') return { revision: 0n, continueKey: undefined };
  const parsed = parseRequestedVersion(options.resourceVersion);
  return { revision: pinnedRevision(options, parsed), continueKey: undefined };
}
